/** Caches chain reads for one second. Only quotes and indicative quotes use these cached reads. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Chain, ChainUnavailable, CostQuery, EvmChain } from "../chains/Chains.js"
import type { Directory } from "../chains/Directory.js"

/**
 * The cache TTL, and the maximum number of entries for each kind of read. Quotes may use slightly stale values, because
 * the values are read again at submission.
 */
const ttlMillis = 1_000
const capacity = 10_000

/** Caches a read by key. Concurrent readers share one request. Failures are not cached. */
const cached = <A>(
  read: (key: string) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<(key: string) => Effect.Effect<A, ChainUnavailable>> =>
  Effect.map(
    Cache.makeWith(read, { capacity: capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? ttlMillis : 0) }),
    (cache) => (key) => Cache.get(cache, key)
  )

/** Returns the cache key for a query. Addresses are not empty and contain no spaces, so each key is unique. */
const keyOf = ({ gas, kind, opensAccount, party = "", token }: CostQuery): string =>
  `${token} ${party} ${kind} ${opensAccount} ${gas ?? ""}`

const queryOf = (key: string): CostQuery => {
  const [token = "", party = "", kind, opensAccount, gas] = key.split(" ")
  return {
    kind: kind === "collect" ? kind : "deliver",
    token,
    ...(party && { party }),
    opensAccount: opensAccount === "true",
    ...(gas && { gas: BigInt(gas) })
  }
}

const gasWithCache = ({ deliveryGas }: EvmChain) =>
  Effect.map(
    cached((key) => {
      const [token = "", to = "", amount = ""] = key.split(" ")
      return deliveryGas({ token, ...(to && { to }), amount: BigInt(amount) })
    }),
    (read): EvmChain["deliveryGas"] =>
      ({ amount, to = "", token }) =>
        read(`${token} ${to} ${amount}`)
  )

const withCache = Effect.fnUntraced(function* (chain: Chain): Effect.fn.Return<Chain> {
  const balances = yield* cached((key) => {
    const [token = "", owner = ""] = key.split(" ")
    return chain.balanceOf(token, owner)
  })
  const largest = yield* cached((key) => {
    const [token = "", wallet] = key.split(" ")
    return chain.largestInput(token, wallet)
  })
  const height = yield* cached(() => chain.height)
  const costs = yield* cached((key) => chain.costOf(queryOf(key)))
  const reads: Pick<Chain, "balanceOf" | "inventoryOf" | "largestInput" | "height" | "costOf"> = {
    balanceOf: (token, owner) => balances(`${token} ${owner}`),
    inventoryOf: yield* cached(chain.inventoryOf),
    // If there is only one vault, the limit is the same for every wallet.
    largestInput: (token, wallet) =>
      largest(chain.vaults.length === 1 || wallet === undefined ? token : `${token} ${wallet}`),
    height: height("latest"),
    costOf: (query) => costs(keyOf(query))
  }
  return chain.family === "evm"
    ? { ...chain, ...reads, deliveryGas: yield* gasWithCache(chain) }
    : { ...chain, ...reads }
})

/** Returns the same chains with cached reads. */
export const cachedChains = ({ chains, natives }: Directory): Effect.Effect<Directory> =>
  Effect.map(
    Effect.forEach(chains.values(), (chain) => Effect.map(withCache(chain), (same) => [same.id, same] as const)),
    (entries) => ({ chains: new Map(entries), natives })
  )
