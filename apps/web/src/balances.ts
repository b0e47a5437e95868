/** Wallet balances, read from the chains by this site's server. */
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

/** Balances are listed by token address, in lower case for EVM tokens. */
const addressKey = (token: string) => (token.startsWith("0x") ? token.toLowerCase() : token)

const decode = Schema.decodeUnknownOption(Answer)

const fetchBalances = async (chainId: number, walletAddress: string, signal: AbortSignal) => {
  const query = new URLSearchParams({ chainId: `${chainId}`, walletAddress })
  const response = await fetch(`/web/balances?${query}`, { signal })
  const answer = response.ok ? Option.getOrUndefined(decode(await response.json())) : undefined
  if (answer === undefined) throw new Error("The server returned invalid balances.")
  return new Map(answer.balances.map(({ amount, token }) => [addressKey(token), BigInt(amount)]))
}

/** The first part of each balance query key. */
const balancesKey = "balances"

/** The query for a wallet's balances. The query is disabled if there is no wallet. */
const balancesQuery = (chainId: number | undefined, walletAddress: string | undefined) =>
  queryOptions({
    queryKey: [balancesKey, chainId, walletAddress],
    queryFn: ({ signal }) => fetchBalances(chainId ?? 0, walletAddress ?? "", signal),
    enabled: chainId !== undefined && walletAddress !== undefined,
    refetchInterval: 30_000,
    // Retry failed reads, because after a swap, no balance is shown until it has been read again.
    retry: 3
  })

/**
 * Keeps a wallet's balances up to date while they are shown. Returns whether the first read is pending. Balances that are
 * younger than `staleTime` milliseconds are not read again when they are shown (default: 0).
 */
export const useBalances = (chainId: number | undefined, walletAddress: string | undefined, staleTime = 0) => {
  const client = useQueryClient()
  const query = balancesQuery(chainId, walletAddress)
  const subscribe = useCallback((notify: () => void) => client.getQueryCache().subscribe(notify), [client])
  // `useQuery` notices a change one task later. Without this subscription, the old balance would be shown next to the
  // finished swap until then.
  useSyncExternalStore(subscribe, () => client.getQueryData(query.queryKey))
  return useQuery({ ...query, staleTime }).isLoading
}

/**
 * Returns a function that discards the balances that a swap changed. Balances that are currently shown are read again.
 * A read that is in flight is discarded, because it may predate the change.
 */
export const createBalanceReset = (client: QueryClient) => {
  const known = new Set<string>()
  return (
    { originTxHash, status, swapId }: Pick<Swap, "swapId" | "status"> & { readonly originTxHash?: string | undefined },
    { from, to }: Pick<SwapSummary, "from" | "to">
  ) => {
    // Several components may report the same step.
    const step = `${swapId} ${status} ${originTxHash}`
    if (known.has(step) || (status === "pending" && originTxHash === undefined)) return
    known.add(step)
    const chains: ReadonlyArray<unknown> = [from.chainId, to.chainId]
    void client.resetQueries({ queryKey: [balancesKey], predicate: ({ queryKey }) => chains.includes(queryKey[1]) })
  }
}

/** Returns a wallet's balance of a token, or `undefined` if the balance has not been read. */
export const balanceIn = (
  client: QueryClient,
  chainId: number,
  walletAddress: string | undefined,
  token: string
): bigint | undefined => client.getQueryData(balancesQuery(chainId, walletAddress).queryKey)?.get(addressKey(token))
