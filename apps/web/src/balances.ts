/** What wallets hold, as this site's server reads it from the chains. */
import type { Swap } from "@geoswap/core/promise"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { queryOptions, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useSyncExternalStore } from "react"
import type { SwapSummary } from "./swapSummary.js"

const Answer = Schema.Struct({
  balances: Schema.Array(
    Schema.Struct({ token: Schema.String, amount: Schema.String.check(Schema.isPattern(/^\d{1,78}$/)) })
  )
})

/** Smallest units by token, in lower case for EVM tokens. */
type Balances = ReadonlyMap<string, bigint>

const keyOf = (token: string): string => (token.startsWith("0x") ? token.toLowerCase() : token)

const decode = Schema.decodeUnknownOption(Answer)

/** The balances in an answer, or nothing where it is none. */
const balancesOf = (json: unknown): Balances | undefined =>
  Option.getOrUndefined(
    Option.map(
      decode(json),
      ({ balances }) => new Map(balances.map(({ amount, token }) => [keyOf(token), BigInt(amount)]))
    )
  )

const read = async (chainId: number, walletAddress: string, signal: AbortSignal): Promise<Balances> => {
  const query = new URLSearchParams({ chainId: `${chainId}`, walletAddress })
  const response = await fetch(`/web/balances?${query}`, { signal })
  const balances = response.ok ? balancesOf(await response.json()) : undefined
  if (balances === undefined) throw new Error("The balances cannot be read now.")
  return balances
}

/** The first part of the keys of all balances. */
const balancesKey = "balances"

/** How to ask for the balances of a wallet; without one, nothing is asked. */
const balancesQuery = (chainId: number | undefined, walletAddress: string | undefined) =>
  queryOptions({
    queryKey: [balancesKey, chainId, walletAddress],
    queryFn: ({ signal }) => read(chainId ?? 0, walletAddress ?? "", signal),
    enabled: chainId !== undefined && walletAddress !== undefined,
    refetchInterval: 30_000,
    // After a swap nothing is shown until there is an answer.
    retry: 3
  })

/** Keeps the balances of a wallet up to date while something shows them. Returns whether the first answer is awaited. */
export const useBalances = (chainId: number | undefined, walletAddress: string | undefined): boolean => {
  const client = useQueryClient()
  const query = balancesQuery(chainId, walletAddress)
  const subscribe = useCallback((notify: () => void) => client.getQueryCache().subscribe(notify), [client])
  // `useQuery` hears of a change a task later: until then the old balance would be beside the end of the swap.
  useSyncExternalStore(subscribe, () => client.getQueryData(query.queryKey))
  return useQuery(query).isLoading
}

/** Reports how far a swap has come. */
export type ResetBalances = (
  swap: Pick<Swap, "swapId" | "status" | "originTxHash">,
  summary: Pick<SwapSummary, "from" | "to">
) => void

/**
 * Forgets the balances that a swap has changed, and reads them again where they are shown. An answer that is under way
 * is not waited for: it may be from before.
 */
export const createBalanceReset = (client: QueryClient): ResetBalances => {
  const known = new Set<string>()
  return ({ originTxHash, status, swapId }, { from, to }) => {
    // Several parts of the page report the same step.
    const step = `${swapId} ${status} ${originTxHash}`
    if (known.has(step) || (status === "pending" && originTxHash === undefined)) return
    known.add(step)
    const chains: ReadonlyArray<unknown> = [from.chainId, to.chainId]
    void client.resetQueries({ queryKey: [balancesKey], predicate: ({ queryKey }) => chains.includes(queryKey[1]) })
  }
}

/** What a wallet holds of a token, where that was read already. */
export const balanceIn = (
  client: QueryClient,
  chainId: number,
  walletAddress: string | undefined,
  token: string
): bigint | undefined => client.getQueryData(balancesQuery(chainId, walletAddress).queryKey)?.get(keyOf(token))
