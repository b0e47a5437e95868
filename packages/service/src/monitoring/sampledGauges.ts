/** The sampled gauges: swaps and reservations in the database, and balances on each chain. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, EvmChain } from "../chains/Chains.js"
import { assetOf, type Directory } from "../chains/Directory.js"
import { addressKey } from "../domain/addressKey.js"
import type { Asset } from "../domain/Asset.js"
import { isTerminal, states } from "../domain/SwapRecord.js"
import type { Reading, Source } from "../metrics/sampling.js"
import * as Series from "../metrics/series.js"
import type { Lane } from "../store/lanes/LaneStore.js"
import type { Store } from "../store/Store.js"

const openStates = states.filter((state) => !isTerminal(state))

/**
 * Converts an amount from the token's smallest unit to tokens. The number is parsed from a string, which gives the
 * closest floating-point number.
 */
const whole = (amount: bigint, decimals: number) => Number(`${amount}e-${decimals}`)

/** The chain's native token. */
const nativeOf = (directory: Directory, chain: Chain) =>
  Effect.orDie(assetOf(directory, chain, CoreChain.nativeToken[chain.family]))

/**
 * The native token and all configured tokens of a chain. A token with the same symbol as the native token is also
 * labeled with its address.
 */
const holdingsOf = (chain: Chain, native: Asset) =>
  [native, ...chain.tokens].map((asset) => {
    const token = asset !== native && asset.symbol === native.symbol ? `${asset.symbol} ${asset.address}` : asset.symbol
    return { chain, address: asset.address, decimals: asset.decimals, labels: { chain: String(chain.id), token } }
  })

type Holding = ReturnType<typeof holdingsOf>[number]

const storeSource = (store: Store, holdings: ReadonlyArray<Holding>): Source => {
  const up = Series.databaseUp({})
  return {
    what: "store",
    unread: [[up, 0]],
    read: Effect.gen(function* () {
      const underway = yield* store.underway
      const reserved = yield* store.reserved
      const now = yield* Clock.currentTimeMillis
      const ofStates = openStates.flatMap((state): ReadonlyArray<Reading> => {
        const found = underway.find((one) => one.state === state)
        const age = found === undefined ? 0 : Math.max(0, now - found.oldestCreatedAt) / 1_000
        return [
          [Series.swaps({ state }), found?.count ?? 0],
          [Series.swapOldestAge({ state }), age]
        ]
      })
      const promises = holdings.map(({ address, chain, decimals, labels }): Reading => {
        const found = reserved.find(
          ({ chainId, token }) => chainId === chain.id && CoreChain.sameAddress(chain.family, token, address)
        )
        return [Series.inventoryReserved(labels), whole(found?.amount ?? 0n, decimals)]
      })
      return [[up, 1], ...ofStates, ...promises]
    })
  }
}

const chainSource = (
  store: Store,
  chain: Chain,
  native: Asset,
  holdings: ReadonlyArray<Holding>,
  everyMillis: number
): Source => {
  const readRelayer = (relayer: string, lanes: ReadonlyArray<Lane> | undefined) =>
    Effect.map(chain.balanceOf(native.address, relayer), (balance): ReadonlyArray<Reading> => {
      const labels = { chain: String(chain.id), relayer }
      const shown: Reading = [Series.relayerBalance(labels), whole(balance, native.decimals)]
      if (lanes === undefined) return [shown]
      const lane = lanes.find((one) => one.chainId === chain.id && one.relayer === addressKey(relayer))
      const pending = lane?.pendingCost ?? 0n
      return [
        shown,
        [Series.relayerPendingCost(labels), whole(pending, native.decimals)],
        [Series.relayerAvailable(labels), whole(balance - pending, native.decimals)]
      ]
    })
  const held = holdings.map(({ address, decimals, labels }) =>
    Effect.map(
      Effect.all([chain.balanceOf(address, chain.vault), chain.inventoryOf(address)], { concurrency: 2 }),
      ([balance, available]): ReadonlyArray<Reading> => [
        [Series.inventory(labels), whole(balance, decimals)],
        [Series.inventoryAvailable(labels), whole(available, decimals)]
      ]
    )
  )
  // On EVM chains, the reads are batched into one request. On Solana, each read is a separate request.
  const concurrency = chain.family === "evm" ? "unbounded" : 1
  return {
    what: `chain:${chain.id}`,
    everyMillis,
    read: Effect.gen(function* () {
      // Before the balances, so that what is paid in between is missing in neither. Without the database, the balances are
      // still shown.
      const lanes = yield* Effect.orElseSucceed(store.lanes.all, () => undefined)
      const gas = chain.relayers.map((relayer) => readRelayer(relayer, lanes))
      return (yield* Effect.all([...gas, ...held], { concurrency })).flat()
    })
  }
}

const nonceSource = (store: Store, { id, relayerNonce, relayers }: EvmChain, everyMillis: number): Source => {
  const readLane = Effect.fnUntraced(function* (relayer: string) {
    const labels = { chain: String(id), relayer }
    // The chain's nonce is read before the stored nonce. In the reverse order, a transaction that is signed between
    // the two reads would look like a negative lag.
    const final = yield* relayerNonce(relayer)
    const next = yield* store.nextNonce(id, relayer)
    return [
      [Series.relayerNonce(labels), final],
      [Series.relayerNonceLag(labels), next - final]
    ] satisfies ReadonlyArray<Reading>
  })
  return {
    what: `nonce:${id}`,
    everyMillis,
    read: Effect.map(Effect.forEach(relayers, readLane, { concurrency: "unbounded" }), (lanes) => lanes.flat())
  }
}

/** Returns all sources for sampled gauges. The chains are sampled every `chainMillis` milliseconds. */
export const sourcesOf = Effect.fnUntraced(function* (directory: Directory, store: Store, chainMillis: number) {
  const chains = yield* Effect.forEach(directory.chains.values(), (chain) =>
    Effect.map(nativeOf(directory, chain), (native) => ({ chain, native, holdings: holdingsOf(chain, native) }))
  )
  return [
    storeSource(
      store,
      chains.flatMap(({ holdings }) => holdings)
    ),
    ...chains.map(({ chain, holdings, native }) => chainSource(store, chain, native, holdings, chainMillis)),
    ...chains.flatMap(({ chain }) => (chain.family === "evm" ? [nonceSource(store, chain, chainMillis)] : []))
  ]
})
