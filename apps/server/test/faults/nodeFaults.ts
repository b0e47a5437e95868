import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { type Address, encodeAbiParameters, encodeEventTopics, encodeFunctionData, type Hex, zeroAddress } from "viem"
import { expect } from "vitest"
import { isWhole } from "../../../../tooling/testing/matrix.js"
import * as database from "../stack/database.js"
import * as evm from "../stack/evm.js"
import {
  away,
  back,
  eachChain,
  looked,
  make,
  outlasted,
  play,
  type Setup,
  type Started,
  timeout,
  until
} from "../stack/fixture.js"
import { entriesOf, open } from "../stack/ledger.js"
import { expectEnd, expectNothingLeft, proofsOf } from "../stack/outcome.js"
import { expectSettled, prepareSwap, startPrepared } from "../stack/preparedSwap.js"
import { devnetLayer } from "../stack/stack.js"

const stranger = "0x00000000000000000000000000000000deadbeef"

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

export const nodeFaults = (): void => {
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

      if (isWhole) {
        it.effect(
          "settle although the nodes accept every transaction without a response",
          () =>
            play(prepareSwap(eachChain((chain) => ({ ...chain, timeoutMillis: 2_000 }))), async (setup, props) => {
              for (const { node } of halves(setup)) await make(node.set("eth_sendRawTransaction", Proxy.loseAnswer))
              const started = await startPrepared(setup, props)
              await expectSettled(setup, started, props)
              for (const { node } of halves(setup)) {
                expect(await make(node.forwarded("eth_sendRawTransaction"))).toBeGreaterThan(0)
              }
            }),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "settle without receipts, from the vault's events",
          () =>
            play(prepareSwap(), async (setup, props) => {
              for (const { node } of halves(setup)) {
                await make(node.set("eth_getTransactionReceipt", Proxy.receiptMissing))
              }
              await expectSettled(setup, await startPrepared(setup, props), props)
            }),
          timeout
        )
      }

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

      if (isWhole) {
        it.effect(
          "wait while a node returns events of another contract instead of the vault's",
          () =>
            play(prepareSwap(), async (setup, props) => {
              const forged = Proxy.receiptLogs((logs) => logs.map((log) => ({ ...(log as object), address: stranger })))
              for (const { node } of halves(setup)) await make(node.set("eth_getTransactionReceipt", forged))
              const started = await startPrepared(setup, props)
              for (const half of halves(setup)) {
                await happened(setup, started, half)
                await looked(half.node, "eth_getBlockByNumber")
                expect(database.stateOf(setup.running.database, started.swapId)).toBe(half.state)
                await make(half.node.clear())
              }
              await expectSettled(setup, started, props)
            }),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "deliver nothing for a payment that one node invents while the honest one is silent",
          () =>
            Effect.gen(function* () {
              const { evmA } = yield* Devnet.Devnet
              const liar = yield* Proxy.make({ target: evmA.rpcUrl })
              const withLiar = eachChain((chain) =>
                chain.id === evmA.id ? { ...chain, rpcUrls: [liar.rpcUrl, ...chain.rpcUrls] } : chain
              )
              yield* play(prepareSwap(withLiar), async (setup, props) => {
                const { devnet, nodes, running } = setup
                await make(evmA.hold)
                await make(evmA.mine(3))
                const started = await startPrepared(setup, props)
                await pooled(setup, evmA)
                await until(() => database.stateOf(running.database, started.swapId) === "origin_sent")
                const [waiting] = await evm.poolOf(evmA, evm.operator(devnet, "relayer").address)
                const { hash: blockHash } = await evm.reader(evmA).getBlock({ blockNumber: 1n })
                const collected = {
                  address: evmA.contracts.vault,
                  topics: encodeEventTopics({
                    abi: GeoVault.abi,
                    eventName: "Collected",
                    args: {
                      orderId: database.orderOf(running.database, started.swapId) as Hex,
                      account: props.wallet.address
                    }
                  }),
                  data: encodeAbiParameters(
                    [{ type: "address" }, { type: "uint256" }, { type: "bytes32" }],
                    [
                      evm.tokenOf(evmA, "USDC") as Address,
                      started.amount,
                      database.termsOf(running.database, started.swapId) as Hex
                    ]
                  )
                }
                const receipt = { transactionHash: waiting?.hash, blockHash, blockNumber: "0x1", logs: [collected] }
                await make(
                  liar.set(
                    "eth_getTransactionReceipt",
                    Proxy.change(() => receipt)
                  )
                )
                // A receipt is requested only if the nonce has been used.
                await make(
                  liar.set(
                    "eth_getTransactionCount",
                    Proxy.change(() => "0x3e8")
                  )
                )
                await away(nodes.evmA)
                await looked(liar, "eth_getTransactionReceipt")
                expect(database.stateOf(running.database, started.swapId)).toBe("origin_sent")
                await make(liar.clear())
                await back(nodes.evmA)
                await make(evmA.release)
                await expectSettled(setup, started, props)
              })
            }),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "do not accept an event of another contract as their input",
          () =>
            play(prepareSwap(), async (setup, props) => {
              const { devnet, nodes, running } = setup
              const { evmA } = devnet
              const { recipient, wallet } = props
              await evm.fund(devnet, evmA, wallet.address)
              const ledger = await open(
                entriesOf(evmA, { payer: wallet.address, vault: evmA.contracts.vault }, zeroAddress)
              )
              await make(evmA.hold)
              const started = await startPrepared(setup, props)
              await pooled(setup, evmA)
              const token = evm.tokenOf(evmA, "USDC") as Address
              const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [recipient, 1n] })
              await evm.sender(evmA, wallet).sendTransaction({ to: token, data, gas: 200_000n, ...evm.firstInBlock })
              // The same event, from an address that is not the vault.
              const terms = database.termsOf(running.database, started.swapId)
              const collected = {
                address: stranger,
                topics: encodeEventTopics({
                  abi: GeoVault.abi,
                  eventName: "Collected",
                  args: { orderId: database.orderOf(running.database, started.swapId) as Hex, account: wallet.address }
                }),
                data: encodeAbiParameters(
                  [{ type: "address" }, { type: "uint256" }, { type: "bytes32" }],
                  [token, started.amount, terms as Hex]
                )
              }
              await make(
                nodes.evmA.set(
                  "eth_getTransactionReceipt",
                  Proxy.receiptLogs((logs) => [...logs, collected])
                )
              )
              await make(evmA.release)
              await expectEnd(setup, started, "failed", "INSUFFICIENT_BALANCE")
              const { [`payer native@${evmA.id}`]: gas, ...moved } = await ledger()
              expect(gas).toBeLessThan(0n)
              expect(moved).toEqual({ [`payer USDC@${evmA.id}`]: -1n })
              await expectNothingLeft(setup)
            }),
          timeout
        )
      }
    })
  })
}
