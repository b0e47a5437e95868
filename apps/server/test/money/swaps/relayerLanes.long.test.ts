import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { Store, type StoreError } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Storage from "../../../src/storage/Storage.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { type Change, eachChain, make, play, type Setup, startSwap, timeout, until } from "../../stack/fixture.js"
import { newRelayer } from "../../stack/relayers.js"
import { devnetLayer, environmentFor } from "../../stack/stack.js"

const usdc = 1_000_000n

/** A server with two relayers per EVM chain, and a wallet for each swap. */
const cast = (swaps: number) => async (devnet: Devnet.Devnet) => {
  const second = await newRelayer(devnet)
  const change: Change = eachChain((chain) =>
    chain.kind === "evm"
      ? { ...chain, stuckAfterMillis: 1_000, keys: { relayers: ["GEOSWAP_EVM_RELAYER_KEY", "SECOND_RELAYER_KEY"] } }
      : chain
  )
  const environment = { ...(await make(environmentFor(devnet))), SECOND_RELAYER_KEY: second.privateKey as string }
  const wallets = []
  for (let index = 0; index < swaps; index++) {
    wallets.push(await evm.newDelegated(devnet, devnet.evmA, { USDC: 10n * usdc }))
  }
  const first = evm.operator(devnet, "relayer")
  return { change, given: { environment }, props: { first, second: second.address, wallets } }
}

type Props = Awaited<ReturnType<ReturnType<typeof cast>>>["props"]

const withStore = <A>({ running }: Setup, use: (store: Store.Store) => Effect.Effect<A, StoreError.StoreUnavailable>) =>
  make(
    Effect.flatMap(Store.Store, use).pipe(Effect.provide(Storage.store(Storage.file(running.database))), Effect.orDie)
  )

/** The relayers that signed a swap's transactions. */
const relayersOf = ({ running }: Setup, swapId: string) => database.signersOf(running.database, swapId)

const walletAt = ({ wallets }: Props, index: number) => {
  const wallet = wallets[index]
  if (wallet === undefined) throw new RangeError("There are too few wallets.")
  return wallet
}

describe("a server with several relayers", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settles swaps through one relayer while a transaction of another is stuck",
      () =>
        play(cast(4), async (setup, props) => {
          const { evmA } = setup.devnet
          const { first, second } = props
          // One nonce of the first relayer is skipped, so that its next transaction cannot be included.
          const missing = await evm.reader(evmA).getTransactionCount({ address: first.address })
          await withStore(setup, (store) => store.raiseNonce(evmA.id, first.address, missing + 1))
          const stuck = await startSwap(setup, walletAt(props, 0))
          await until(() => relayersOf(setup, stuck.swapId).collect === first.address.toLowerCase())
          const isStuck = ({
            oldestAt = Infinity,
            relayer
          }: {
            readonly oldestAt?: number
            readonly relayer: string
          }) => relayer === first.address.toLowerCase() && Date.now() - oldestAt > 1_000
          await until(async () => (await withStore(setup, ({ lanes }) => lanes.all)).some(isStuck))
          // The counts are cached for a second.
          await new Promise((resolve) => setTimeout(resolve, 1_100))

          for (const index of [1, 2, 3]) {
            const { ended, swapId } = await startSwap(setup, walletAt(props, index))
            expect(await ended).toMatchObject({ status: "settled" })
            expect(relayersOf(setup, swapId).collect).toBe(second.toLowerCase())
          }
          expect(database.stateOf(setup.running.database, stuck.swapId)).toBe("origin_sent")

          const hash = await evm
            .sender(evmA, first)
            .sendTransaction({ to: first.address, nonce: missing, gas: 21_000n })
          await evm.reader(evmA).waitForTransactionReceipt({ hash })
          expect(await stuck.ended).toMatchObject({ status: "settled" })
        }),
      timeout
    )

    it.effect(
      "gives a retired relayer no new transactions, and finishes those that it has",
      () =>
        play(cast(4), async (setup, props) => {
          const { evmA, evmB } = setup.devnet
          const { first, second } = props
          await make(evmA.hold)
          const one = await startSwap(setup, walletAt(props, 0))
          const two = await startSwap(setup, walletAt(props, 1))
          await until(() => relayersOf(setup, one.swapId).collect && relayersOf(setup, two.swapId).collect)
          // Both relayers are used.
          expect(new Set([relayersOf(setup, one.swapId).collect, relayersOf(setup, two.swapId).collect])).toEqual(
            new Set([first.address, second].map((address) => address.toLowerCase()))
          )
          const both = [first.address, second]
          for (const chain of [evmA, evmB]) {
            const retired = await withStore(setup, ({ lanes }) => lanes.retire(chain.id, first.address, both))
            expect(retired).toEqual({ _tag: "Retired" })
          }
          await new Promise((resolve) => setTimeout(resolve, 1_100))
          await make(evmA.release)
          expect(await one.ended).toMatchObject({ status: "settled" })
          expect(await two.ended).toMatchObject({ status: "settled" })
          for (const index of [2, 3]) {
            const { ended, swapId } = await startSwap(setup, walletAt(props, index))
            expect(await ended).toMatchObject({ status: "settled" })
            expect(relayersOf(setup, swapId)).toEqual({ collect: second.toLowerCase(), deliver: second.toLowerCase() })
          }
          const idle = { pending: 0, unfinished: 0, pendingCost: 0n }
          expect(await withStore(setup, ({ lanes }) => lanes.all)).toMatchObject([idle, idle, idle, idle])
        }),
      timeout
    )
  })
})
