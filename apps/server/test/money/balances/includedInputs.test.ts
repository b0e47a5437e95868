/** Balances while a collect is included but not final. */
import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import { expect } from "vitest"
import { type Plan, sign } from "../../faults/crash/swap.js"
import { clientOf, networkOf } from "../../stack/client.js"
import { originBlockOf } from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { eachChain, make, play, type Setup, timeout, until, usdcToWeth } from "../../stack/fixture.js"
import { answersOf } from "../../stack/requests.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
const refused = { status: 422, body: { code: "INSUFFICIENT_BALANCE" } }
type OnePlan = Pick<Plan, "request" | "wallet">

/** Nothing is final before the test mines it. */
const slow = eachChain((chain) => ({
  ...chain,
  timeoutMillis: 20_000,
  ...(chain.kind === "evm" && { finality: [{ after: { blocks: 3 } }] as const })
}))

/** A swap of 10 USDC from a wallet with 20. */
const prepare = async (devnet: Devnet.Devnet) => {
  const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: 20n * usdc })
  const wallet = { family: "evm", address: account.address, account } as const
  const recipient = evm.newAddress()
  const request = usdcToWeth(devnet, wallet.address, recipient)
  const plan: OnePlan = { wallet, request: { ...request, walletAddress: wallet.address, recipient } }
  return { change: slow, props: plan }
}

const handle = async ({ devnet, nodes, running }: Setup, plan: OnePlan) => {
  const client = await clientOf(devnet, running, {})
  const fixture = { client, network: await networkOf(devnet) }
  const calls = answersOf(running.url, running.apiKeys[0])
  /** Submits another swap of the plan. */
  const submit = async () => {
    const { family: _, ...body } = (await sign(fixture, plan)).submission
    return calls.post("/swap/submit", body)
  }
  const swapIdOf = ({ body, status }: { readonly status: number; readonly body: unknown }): string => {
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "pending" } })
    return (body as { readonly swapId: string }).swapId
  }
  const blockOf = (swapId: string) => originBlockOf(running.database, swapId)
  return {
    blockOf,
    submit,
    swapIdOf,
    /** Submits a swap, and includes its collect in a block that is not final. */
    include: async () => {
      await make(devnet.evmA.hold)
      const sent = await make(nodes.evmA.forwarded("eth_sendRawTransaction"))
      const swapId = swapIdOf(await submit())
      await until(async () => (await make(nodes.evmA.forwarded("eth_sendRawTransaction"))) > sent)
      await make(devnet.evmA.mine())
      await until(() => blockOf(swapId) !== null)
      return swapId
    },
    settled: (swapId: string) =>
      until(async () => {
        const { status } = await client.status(swapId)
        expect(["pending", "settled"]).toContain(status)
        return status === "settled"
      })
  }
}

/** The latest block is one of another fork, at the same height. */
const otherFork = Proxy.change((block, [at]) =>
  at === "latest" ? { ...(block as object), hash: `0x${"f0".repeat(32)}`, parentHash: `0x${"f1".repeat(32)}` } : block
)

describe("wallet with 20 whose swap of 10 is included but not final", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "can submit another 10 but not more, also after the block of the collect was reorganized",
      () =>
        play(prepare, async (setup, plan) => {
          const { blockOf, include, settled, submit, swapIdOf } = await handle(setup, plan)
          const { evmA } = setup.devnet
          const first = await include()
          const block = blockOf(first)
          expect(block).toBe(Number(await evm.reader(evmA).getBlockNumber()))
          // The node is on another fork for longer than a node that is only behind.
          await make(setup.nodes.evmA.set("eth_getTransactionReceipt", Proxy.receiptMissing))
          await make(setup.nodes.evmA.set("eth_getBlockByNumber", otherFork))
          await until(() => blockOf(first) === null)
          expect(await submit()).toMatchObject(refused)
          await make(setup.nodes.evmA.clear())
          await until(() => blockOf(first) === block)
          const second = swapIdOf(await submit())
          expect(await submit()).toMatchObject(refused)
          await make(evmA.release)
          await settled(first)
          await settled(second)
        }),
      timeout
    )
  })
})
