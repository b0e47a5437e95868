/** Caches chain reads for one block. Only quotes and indicative quotes use these cached reads. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as WarmReads from "../concurrency/warmReads.js"
import type { ChainUnavailable } from "./ChainError.js"
import type { Chain, EvmChain } from "./Chains.js"
import type { Directory } from "./Directory.js"
import type { CostQuery } from "./Draft.js"

/**
 * How long a read is cached on Solana, and the maximum number of entries for each kind of read. Quotes may use slightly
 * stale values, because the values are read again at submission.
 */
const ttlMillis = 1_000
const capacity = 10_000

/** Caches a read by key. Concurrent readers share one request. Failures are not cached. */
type Cached = <A>(
  read: (key: string) => Effect.Effect<A, ChainUnavailable>
) => (key: string) => Effect.Effect<A, ChainUnavailable>

/** The latest block of an EVM chain is at most a poll interval old, so its entries do not need to expire soon. */
const blockMillis = 60_000

/**
 * Caches reads on an EVM chain until the next block, and then drops all of them. If the block is known, a cached value
 * is returned at once.
 */
const cachedPerBlock =
  (clock: Clock.Clock, { height, knownHeight }: Pick<EvmChain, "height" | "knownHeight">): Cached =>
  (read) => {
    const newCache = () => WarmReads.make(clock, read, { capacity, ttlMillis: blockMillis })
    let latest = { block: -1n, cache: newCache() }
    const readAt = (block: bigint, key: string) => {
      if (block !== latest.block) latest = { block, cache: newCache() }
      return latest.cache(key)
    }
    return (key) => {
      const known = knownHeight()
      return known === undefined ? Effect.flatMap(height, (block) => readAt(block, key)) : readAt(known, key)
    }
  }

const cachedOn = (clock: Clock.Clock, chain: Chain): Cached =>
  chain.family === "evm" ? cachedPerBlock(clock, chain) : (read) => WarmReads.make(clock, read, { capacity, ttlMillis })

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

const gasWithCache = (cached: Cached, { deliveryGas }: EvmChain): EvmChain["deliveryGas"] => {
  const read = cached((key) => {
    const [token = "", to = "", amount = ""] = key.split(" ")
    return deliveryGas({ token, ...(to && { to }), amount: BigInt(amount) })
  })
  return ({ amount, to = "", token }) => read(`${token} ${to} ${amount}`)
}

const allowanceWithCache = (cached: Cached, { payments }: EvmChain): EvmChain["payments"]["allowanceOf"] => {
  const read = cached((key) => {
    const [token = "", wallet = ""] = key.split(" ")
    return payments.allowanceOf(token, wallet)
  })
  return (token, wallet) => read(`${token} ${wallet}`)
}

const withCache = (clock: Clock.Clock, chain: Chain): Chain => {
  const cached = cachedOn(clock, chain)
  const balances = cached((key) => {
    const [token = "", owner = ""] = key.split(" ")
    // The wallet may have received tokens since the latest known block.
    return chain.balanceOf(token, owner)
  })
  const largest = cached((key) => {
    const [token = "", wallet] = key.split(" ")
    return chain.largestInput(token, wallet)
  })
  const slot = chain.family === "evm" ? undefined : cached(() => chain.height)
  const height = slot === undefined ? chain.height : Effect.suspend(() => slot("latest"))
  const costs = cached((key) => chain.costOf(queryOf(key)))
  const reads: Pick<Chain, "balanceOf" | "inventoryOf" | "largestInput" | "height" | "costOf"> = {
    balanceOf: (token, owner) => balances(`${token} ${owner}`),
    inventoryOf: cached(
      chain.family === "evm"
        ? (token) =>
            Effect.map(
              Effect.all([chain.heldAt(token, 0n), chain.deliverableAt(token, 0n)], { concurrency: "unbounded" }),
              ([held, most]) => (held.amount < most.amount ? held.amount : most.amount)
            )
        : chain.inventoryOf
    ),
    // If there is only one vault, the limit is the same for every wallet.
    largestInput: (token, wallet) =>
      largest(chain.vaults.length === 1 || wallet === undefined ? token : `${token} ${wallet}`),
    height,
    costOf: (query) => costs(keyOf(query))
  }
  return chain.family === "evm"
    ? {
        ...chain,
        ...reads,
        deliveryGas: gasWithCache(cached, chain),
        delegationOf: cached(chain.delegationOf),
        payments: { ...chain.payments, allowanceOf: allowanceWithCache(cached, chain) }
      }
    : { ...chain, ...reads }
}

/** Returns the same chains with cached reads. */
export const cachedChains = ({ chains, natives }: Directory): Effect.Effect<Directory> =>
  Effect.map(Clock.Clock, (clock) => ({
    chains: new Map([...chains.values()].map((chain) => [chain.id, withCache(clock, chain)])),
    natives
  }))
