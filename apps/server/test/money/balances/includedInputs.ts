/** Balances while a collect is included but not final, on a storage engine. */
import { layer } from "@effect/vitest"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { isWhole } from "../../../../../tooling/testing/matrix.js"
import { type Plan, sign } from "../../faults/crash/swap.js"
import { clientOf, networkOf } from "../../stack/client.js"
import { originBlockOf } from "../../stack/database.js"
import type { Engine } from "../../stack/engine.js"
import * as evm from "../../stack/evm.js"
import { eachChain, make, play, type Setup, timeout, until, usdcToWeth } from "../../stack/fixture.js"
import { databaseAt, programs, shared } from "../../stack/postgres/cluster.js"
import { answersOf } from "../../stack/requests.js"
import * as solana from "../../stack/solana.js"
import type { Given } from "../../stack/stack.js"

const usdc = 1_000_000n
const refused = { status: 422, body: { code: "INSUFFICIENT_BALANCE" } }
type OnePlan = Pick<Plan, "request" | "wallet">

/** Nothing is final before the test mines it. */
const slow = eachChain((chain) => ({
  ...chain,
  timeoutMillis: 20_000,
  ...(chain.kind === "evm" && { confirmations: 3 })
}))

/** A swap of 10 USDC from a wallet with 20. */
const planOn = {
  evmA: async (devnet: Devnet.Devnet): Promise<OnePlan> => {
    const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: 20n * usdc })
    const wallet = { family: "evm", address: account.address, account } as const
    const recipient = evm.newAddress()
    const request = usdcToWeth(devnet, wallet.address, recipient)
    return { wallet, request: { ...request, walletAddress: wallet.address, recipient } }
  },
  solana: async (devnet: Devnet.Devnet): Promise<OnePlan> => {
    const { solana: svm } = devnet
    const wallet = { family: "solana", ...(await solana.newWallet(devnet, { USDC: 20n * usdc })) } as const
    const recipient = evm.newAddress()
    const from = { originChain: svm.id, inputToken: evm.tokenOf(svm, "USDC") }
    const request = { ...usdcToWeth(devnet, wallet.address, recipient), ...from }
    return { wallet, request: { ...request, walletAddress: wallet.address, recipient } }
  }
}

/** Like other tests, but slots stay confirmed and not final for longer. */
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 100, finalitySlots: 8 } as const
const devnetLayer = Layer.fresh(Devnet.layer(pace))

/** How many blocks until balances lack the input: on Solana, until the slot is confirmed. */
const includedAfter = { evmA: 1, solana: 4 }

const handle = async (
  { devnet, nodes, running }: Setup,
  plan: OnePlan,
  storedBlock: (swapId: string) => Promise<number | null>
) => {
  const client = await clientOf(devnet, running, {})
  const fixture = { client, network: await networkOf(devnet) }
  const calls = answersOf(running.url, running.apiKeys[0])
  /** Submits another swap of the plan. */
  const submit = async () => {
    const { family, ...body } = (await sign(fixture, plan)).submission
    return calls.post(family === "evm" ? "/swap/submit" : "/swap/submit-solana", body)
  }
  const swapIdOf = ({ body, status }: { readonly status: number; readonly body: unknown }): string => {
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "pending" } })
    return (body as { readonly swapId: string }).swapId
  }
  return {
    submit,
    swapIdOf,
    /** Submits a swap, and includes its collect in a block that is not final. */
    include: async (origin: keyof typeof planOn) => {
      const [chain, node] = [devnet[origin], nodes[origin]]
      const method = origin === "solana" ? "sendTransaction" : "eth_sendRawTransaction"
      await make(chain.hold)
      const sent = await make(node.forwarded(method))
      const swapId = swapIdOf(await submit())
      await until(async () => (await make(node.forwarded(method))) > sent)
      await make(chain.mine(includedAfter[origin]))
      await until(async () => (await storedBlock(swapId)) !== null)
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

export const includedInputs = (engine: Engine): void => {
  describe.skipIf(engine === "PostgreSQL" && programs === undefined)(
    `wallet with 20 whose swap of 10 is included but not final, on ${engine}`,
    () => {
      const postgres = engine === "PostgreSQL" ? shared() : undefined

      const prepared = (origin: keyof typeof planOn) => async (devnet: Devnet.Devnet) => {
        const url = await postgres?.().newDatabase()
        const database: Given = url === undefined ? {} : { database: databaseAt(url) }
        return { change: slow, given: database, props: await planOn[origin](devnet) }
      }

      const storedBlock = async ({ running }: Setup, swapId: string): Promise<number | null> => {
        if (postgres === undefined) return originBlockOf(running.database, swapId)
        const [row] = await postgres().query(running.database, `SELECT origin_block FROM swaps WHERE id = '${swapId}'`)
        const block = row?.["origin_block"] ?? null
        return block === null ? null : Number(block)
      }

      describe("on real chains", () => {
        layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
          it.effect.each(isWhole ? (["evmA", "solana"] as const) : (["evmA"] as const))(
            "can submit another 10 but not more from %s",
            (origin) =>
              play(prepared(origin), async (setup, plan) => {
                const { include, settled, submit, swapIdOf } = await handle(setup, plan, (id) => storedBlock(setup, id))
                const first = await include(origin)
                const second = swapIdOf(await submit())
                expect(await submit()).toMatchObject(refused)
                await make(setup.devnet[origin].release)
                await settled(first)
                await settled(second)
              }),
            timeout
          )

          it.effect(
            "cannot submit another 10 after the block of the collect was reorganized",
            () =>
              play(prepared("evmA"), async (setup, plan) => {
                const { include, settled, submit, swapIdOf } = await handle(setup, plan, (id) => storedBlock(setup, id))
                const { evmA } = setup.devnet
                const first = await include("evmA")
                const block = await storedBlock(setup, first)
                expect(block).toBe(Number(await evm.reader(evmA).getBlockNumber()))
                // The node is on another fork for longer than a node that is only behind.
                await make(setup.nodes.evmA.set("eth_getTransactionReceipt", Proxy.receiptMissing))
                await make(setup.nodes.evmA.set("eth_getBlockByNumber", otherFork))
                await until(async () => (await storedBlock(setup, first)) === null)
                expect(await submit()).toMatchObject(refused)
                await make(setup.nodes.evmA.clear())
                await until(async () => (await storedBlock(setup, first)) === block)
                const second = swapIdOf(await submit())
                await make(evmA.release)
                await settled(first)
                await settled(second)
              }),
            timeout
          )
        })
      })
    }
  )
}
