/** What wallets hold, as this site's server reads it from the chains. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { queryOptions, type QueryClient } from "@tanstack/react-query"

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
export const balancesKey = "balances"

/** How to ask for the balances of a wallet; without one, nothing is asked. */
export const balancesQuery = (chainId: number | undefined, walletAddress: string | undefined) =>
  queryOptions({
    queryKey: [balancesKey, chainId, walletAddress],
    queryFn: ({ signal }) => read(chainId ?? 0, walletAddress ?? "", signal),
    enabled: chainId !== undefined && walletAddress !== undefined,
    refetchInterval: 30_000,
    retry: 1
  })

/** What a wallet holds of a token, where that was read already. */
export const balanceIn = (
  client: QueryClient,
  chainId: number,
  walletAddress: string | undefined,
  token: string
): bigint | undefined => client.getQueryData(balancesQuery(chainId, walletAddress).queryKey)?.get(keyOf(token))
