import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import { expect } from "vitest"
import * as database from "../stack/database.js"
import * as evm from "../stack/evm.js"
import {
  away,
  back,
  looked,
  make,
  outlasted,
  play,
  type Setup,
  type Started,
  timeout,
  until
} from "../stack/fixture.js"
import { proofsOf } from "../stack/outcome.js"
import { expectSettled, prepareSwap, startPrepared } from "../stack/preparedSwap.js"
import { devnetLayer } from "../stack/stack.js"

/** The halves of a swap: the chain, its proxy, and the event that proves it. */
const halves = ({ devnet, nodes }: Setup) =>
  [
    { chain: devnet.evmA, node: nodes.evmA, what: "collected", state: "origin_sent" },
    { chain: devnet.evmB, node: nodes.evmB, what: "delivered", state: "delivery_sent" }
  ] as const

const pooled = ({ devnet }: Setup, chain: Devnet.EvmChain) =>
  until(async () => (await evm.poolOf(chain, evm.operator(devnet, "relayer").address)).length === 1)

/** Waits until a transfer is in a block that is final for every observer. */
const happened = async (
  { devnet, running }: Setup,
  { swapId }: Started,
  { chain, what }: ReturnType<typeof halves>[number]
) => {
  await until(async () => (await proofsOf(devnet, database.orderOf(running.database, swapId)))[what].length === 1)
  await make(chain.mine(3))
}

describe("swaps with faulty nodes", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settle although the nodes are down before and after each transaction is included",
      () =>
        play(prepareSwap(), async (setup, props) => {
          await make(setup.devnet.evmA.hold)
          await make(setup.devnet.evmB.hold)
          const started = await startPrepared(setup, props)
          for (const half of halves(setup)) {
            await pooled(setup, half.chain)
            await until(() => database.stateOf(setup.running.database, started.swapId) === half.state)
            await away(half.node)
            await make(half.chain.release)
            await happened(setup, started, half)
            expect(database.stateOf(setup.running.database, started.swapId)).toBe(half.state)
            await back(half.node)
          }
          await expectSettled(setup, started, props)
        }),
      timeout
    )

    it.effect(
      "neither fail nor refund while the nodes return neither receipts nor logs",
      () =>
        play(prepareSwap(), async (setup, props) => {
          for (const { node } of halves(setup)) {
            await make(node.set("eth_getTransactionReceipt", Proxy.receiptMissing))
            await make(
              node.set(
                "eth_getLogs",
                Proxy.change(() => [])
              )
            )
          }
          const started = await startPrepared(setup, props)
          for (const half of halves(setup)) {
            await happened(setup, started, half)
            // Longer than the retry time of a delivery.
            await outlasted(setup, started)
            await looked(half.node, "eth_getBlockByNumber")
            expect(database.stateOf(setup.running.database, started.swapId)).toBe(half.state)
            await make(half.node.clear())
          }
          await expectSettled(setup, started, props)
        }),
      timeout
    )
  })
})
