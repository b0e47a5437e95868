/** Submits with balances that are out of date. */
import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import { expect } from "vitest"
import type { Plan } from "../../faults/crash/swap.js"
import { sign } from "../../faults/crash/swap.js"
import { type Gate, gateAt } from "../../stack/checkpointGate.js"
import { clientOf, networkOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import {
  elapse,
  type Change,
  eachChain,
  make,
  play,
  type Setup,
  timeout,
  until,
  usdcToWeth,
  withToken
} from "../../stack/fixture.js"
import { answersOf } from "../../stack/requests.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n

/** No node is silent here, but a busy machine is slow. */
const patient = eachChain((chain) => ({ ...chain, timeoutMillis: 20_000 }))

/** Two swaps of 10 USDC each, of which the chains can execute only one at a time, or both. */
interface Pair {
  readonly plans: readonly [OnePlan, OnePlan]
  /** No transaction is sent until the test allows it. */
  readonly origin: "evmA" | "solana"
}
type OnePlan = Pick<Plan, "request" | "wallet">

const onEvm = async (devnet: Devnet.Devnet, amount: bigint): Promise<OnePlan["wallet"]> => {
  const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: amount })
  return { family: "evm", address: account.address, account }
}

const planOf = (devnet: Devnet.Devnet, wallet: OnePlan["wallet"], over: object = {}): OnePlan => {
  const recipient = evm.newAddress()
  return {
    wallet,
    request: { ...usdcToWeth(devnet, wallet.address, recipient), walletAddress: wallet.address, recipient, ...over }
  }
}

/** Two wallets that want the same output token, of which the vault has this much. */
const sharedInventory = (inVault: bigint) => async (devnet: Devnet.Devnet) => {
  const { evmB } = devnet
  const outputToken = await evm.deployPausable(devnet, evmB, inVault)
  const change = withToken(evmB.id, { symbol: "OUT", address: outputToken, decimals: 6, asset: "USDC" })
  const [first, second] = [await onEvm(devnet, 10n * usdc), await onEvm(devnet, 10n * usdc)]
  const plans = [planOf(devnet, first, { outputToken }), planOf(devnet, second, { outputToken })] as const
  return { change, pair: { plans, origin: "evmA" } satisfies Pair }
}

/** One wallet that swaps twice. */
const sharedSolanaWallet = async (devnet: Devnet.Devnet) => {
  const { solana: svm } = devnet
  const wallet = { family: "solana", ...(await solana.newWallet(devnet, { USDC: 15n * usdc })) } as const
  const from = { originChain: svm.id, inputToken: evm.tokenOf(svm, "USDC") }
  return {
    pair: { plans: [planOf(devnet, wallet, from), planOf(devnet, wallet, from)], origin: "solana" } satisfies Pair
  }
}

/** The actions on two swaps. */
const handle = async ({ devnet, running }: Setup, { origin, plans }: Pair, gate: Gate) => {
  const client = await clientOf(devnet, running, {})
  const fixture = { client, network: await networkOf(devnet) }
  const calls = answersOf(running.url, running.apiKeys[0])
  const submitOf = async (plan: OnePlan) => {
    const { family, ...body } = (await sign(fixture, plan)).submission
    return () => calls.post(family === "evm" ? "/swap/submit" : "/swap/submit-solana", body)
  }
  const settled = (swapId: string) =>
    until(async () => {
      const { status } = await client.status(swapId)
      expect(["pending", "settled"]).toContain(status)
      return status === "settled"
    })
  const swapIdOf = ({ body, status }: { readonly status: number; readonly body: unknown }): string => {
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "pending" } })
    return (body as { readonly swapId: string }).swapId
  }
  return {
    settled,
    swapIdOf,
    /**
     * Holds the second submit between its reads and its acceptance, from before the first swap moves until it has
     * settled.
     */
    interleave: async () => {
      await make(devnet[origin].hold)
      const first = swapIdOf(await (await submitOf(plans[0]))())
      const submit = await submitOf(plans[1])
      await gate.close()
      const answer = submit()
      await gate.reached()
      const block = await evm.reader(devnet.evmB).getBlockNumber()
      await make(devnet[origin].release)
      await settled(first)
      return { answer, block, submit }
    }
  }
}

const cases = [
  ["the inventory of an EVM chain", sharedInventory(15n * usdc), "NO_ROUTE"],
  ["a wallet's balance on Solana", sharedSolanaWallet, "INSUFFICIENT_BALANCE"]
] as const

/** Waits until the service reads the latest block again: it uses a block for at most one poll interval of 100 ms. */
const forgotten = () => elapse(200)

/** Two swaps, with a server that pauses before it accepts one. */
const prepared =
  <A extends { readonly change?: Change }>(prepare: (devnet: Devnet.Devnet) => Promise<A>) =>
  async (devnet: Devnet.Devnet) => {
    const gate = gateAt("before accepted")
    const found = await prepare(devnet)
    const change: Change = (file) => patient((found.change ?? ((same) => same))(file))
    return { change, given: { mark: gate.mark }, props: { ...found, gate } }
  }

describe("submit with balances that were read before another swap released its reservation", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect.each(cases)(
      "does not reserve balances of %s that are gone",
      ([, prepare, code]) =>
        play(prepared<{ readonly change?: Change; readonly pair: Pair }>(prepare), async (setup, { gate, pair }) => {
          const { interleave } = await handle(setup, pair, gate)
          const { answer } = await interleave()
          await gate.open()
          expect(await answer).toMatchObject({ status: 422, body: { code } })
        }),
      timeout
    )

    it.effect(
      "is accepted once the lagging node has caught up with the release",
      () =>
        play(prepared(sharedInventory(25n * usdc)), async (setup, { gate, pair }) => {
          const { interleave, settled, swapIdOf } = await handle(setup, pair, gate)
          const { answer, block } = await interleave()
          const { evmB } = setup.nodes
          await make(
            evmB.set(
              "eth_getBlockByNumber",
              Proxy.latestBlock(() => block)
            )
          )
          await forgotten()
          const asked = await make(evmB.calls("eth_getBlockByNumber"))
          await gate.open()
          let isAnswered = false
          const noted = answer.finally(() => (isAnswered = true))
          // Repeats it after the 503.
          await until(async () => (await make(evmB.calls("eth_getBlockByNumber"))) > asked + 2)
          expect(isAnswered).toBe(false)
          await make(evmB.clear("eth_getBlockByNumber"))
          await settled(swapIdOf(await noted))
        }),
      timeout
    )

    it.effect(
      "is answered with 503 while the node lags behind the release, and can be repeated later",
      () =>
        play(prepared(sharedInventory(25n * usdc)), async (setup, { gate, pair }) => {
          const { interleave, settled, swapIdOf } = await handle(setup, pair, gate)
          const { answer, block, submit } = await interleave()
          const { evmB } = setup.nodes
          await make(
            evmB.set(
              "eth_getBlockByNumber",
              Proxy.latestBlock(() => block)
            )
          )
          await forgotten()
          await gate.open()
          const { body, retryAfter, status } = await answer
          expect({ status, body }).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } })
          expect(Number(retryAfter)).toBeGreaterThan(0)
          await make(evmB.clear("eth_getBlockByNumber"))
          await settled(swapIdOf(await submit()))
        }),
      timeout
    )
  })
})
