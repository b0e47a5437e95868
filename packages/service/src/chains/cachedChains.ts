/** Caches chain reads for one block. Only quotes and indicative quotes use these cached reads. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as WarmReads from "../concurrency/warmReads.js"
import type { ChainUnavailable } from "./ChainError.js"
import type { Chain, EvmChain } from "./Chains.js"
import type { Directory } from "./Directory.js"
import type { DeliveryGas } from "./Draft.js"
import type { WalletDelegation } from "./Wallet.js"

/**
 * How long a read is cached on Solana, and the maximum number of entries for each kind of read. Quotes may use slightly
 * stale values, because the values are read again at submission.
 */
const ttlMillis = 1_000
const capacity = 10_000

/** Creates a cache of one kind of read. */
type NewCache = <A>() => WarmReads.WarmReads<A, ChainUnavailable>

/** The latest block of an EVM chain is at most a poll interval old, so its entries do not need to expire soon. */
const blockMillis = 60_000

/**
 * Caches reads on an EVM chain until the next block, and then drops all of them. If the block is known, a cached value
 * is returned at once.
 */
const cachePerBlock =
  (clock: Clock.Clock, { height, knownHeight }: Pick<EvmChain, "height" | "knownHeight">): NewCache =>
  <A>(): WarmReads.WarmReads<A, ChainUnavailable> => {
    const newCache = () => WarmReads.make<A, ChainUnavailable>(clock, { capacity, ttlMillis: blockMillis })
    let latest = { block: -1n, cache: newCache() }
    const cacheAt = (block: bigint) => {
      if (block !== latest.block) latest = { block, cache: newCache() }
      return latest.cache
    }
    return (key, read) => {
      const known = knownHeight()
      return known === undefined
        ? Effect.flatMap(height, (block) => cacheAt(block)(key, read))
        : cacheAt(known)(key, read)
    }
  }

const withCache = (clock: Clock.Clock, chain: Chain): Chain => {
  const cache: NewCache =
    chain.family === "evm" ? cachePerBlock(clock, chain) : () => WarmReads.make(clock, { capacity, ttlMillis })
  const [balances, inventories, limits, costs] = [cache<bigint>(), cache<bigint>(), cache<bigint>(), cache<bigint>()]
  // Addresses are not empty and contain no spaces, so each key is unique.
  const reads: Pick<Chain, "balanceOf" | "inventoryOf" | "largestInput" | "costOf"> = {
    // The wallet may have received tokens since the latest known block.
    balanceOf: (token, owner) => balances(`${token} ${owner}`, () => chain.balanceOf(token, owner)),
    inventoryOf: (token) => inventories(token, () => chain.inventoryOf(token)),
    // If there is only one vault, the limit is the same for every wallet.
    largestInput: (token, wallet) =>
      limits(chain.vaults.length === 1 || wallet === undefined ? token : `${token} ${wallet}`, () =>
        chain.largestInput(token, wallet)
      ),
    costOf: (query) => {
      const { gas = "", kind, opensAccount, party = "", token } = query
      return costs(`${token} ${party} ${kind} ${opensAccount} ${gas}`, () => chain.costOf(query))
    }
  }
  if (chain.family === "solana") {
    const slots = cache<bigint>()
    return { ...chain, ...reads, height: Effect.suspend(() => slots("latest", () => chain.height)) }
  }
  const [gas, delegations, allowances] = [cache<DeliveryGas>(), cache<WalletDelegation>(), cache<bigint>()]
  return {
    ...chain,
    ...reads,
    deliveryGas: (delivery) =>
      gas(`${delivery.token} ${delivery.to ?? ""} ${delivery.amount} ${delivery.orderId ?? ""}`, () =>
        chain.deliveryGas(delivery)
      ),
    delegationOf: (wallet) => delegations(wallet, () => chain.delegationOf(wallet)),
    payments: {
      ...chain.payments,
      allowanceOf: (token, wallet) => allowances(`${token} ${wallet}`, () => chain.payments.allowanceOf(token, wallet))
    }
  }
}

/** Returns the same chains with cached reads. */
export const cachedChains = ({ chains, natives }: Directory): Effect.Effect<Directory> =>
  Effect.map(Clock.Clock, (clock) => ({
    chains: new Map([...chains.values()].map((chain) => [chain.id, withCache(clock, chain)])),
    natives
  }))
