import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { type Plan, sign } from "../../faults/crash/swap.js"
import { clientOf, networkOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { play, type Setup, timeout, until, usdcToWeth } from "../../stack/fixture.js"
import { answersOf } from "../../stack/requests.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
type OnePlan = Pick<Plan, "request" | "wallet">

/** A swap of 10 USDC into native tokens. */
const planOf = async (devnet: Devnet.Devnet, recipient: string): Promise<OnePlan> => {
  const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: 100n * usdc })
  const wallet = { family: "evm", address: account.address, account } as const
  const request = { ...usdcToWeth(devnet, wallet.address, recipient), outputToken: zeroAddress }
  return { wallet, request: { ...request, walletAddress: wallet.address, recipient } }
}

const handle = async ({ devnet, running }: Setup, plan: OnePlan) => {
  const client = await clientOf(devnet, running, {})
  const fixture = { client, network: await networkOf(devnet) }
  const calls = answersOf(running.url, running.apiKeys[0])
  return {
    /** Quotes, builds and signs. Returns a function that submits. */
    signed: async () => {
      const { family: _, ...body } = (await sign(fixture, plan)).submission
      return () => calls.post("/swap/submit", body)
    },
    /** Waits until an accepted swap has settled, and returns the gas of its delivery. */
    settled: async ({ body, status }: { readonly status: number; readonly body: unknown }) => {
      expect({ status, body }).toMatchObject({ status: 200, body: { status: "pending" } })
      const { swapId } = body as { readonly swapId: string }
      const swap = await until(async () => {
        const now = await client.status(swapId)
        expect(["pending", "settled"]).toContain(now.status)
        return now.status === "settled" && now
      })
      const hash = swap.deliveryTxHash as `0x${string}`
      return (await evm.reader(devnet.evmB).getTransactionReceipt({ hash })).gasUsed
    }
  }
}

const tooExpensive = { status: 422, body: { code: "SLIPPAGE", message: expect.stringMatching(/more gas/) as string } }

describe("delivery to a recipient with code", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "is refused at submit while it needs far more gas than the quote charged for",
      () =>
        play(
          async (devnet) => {
            const recipient = await evm.deployBurner(devnet, devnet.evmB)
            return { props: { recipient, plan: await planOf(devnet, recipient) } }
          },
          async (setup, { plan, recipient }) => {
            const { signed, settled } = await handle(setup, plan)
            const burns = (burning: boolean) => evm.setBurning(setup.devnet, setup.devnet.evmB, recipient, burning)
            const submit = await signed()
            await burns(true)
            expect(await submit()).toMatchObject(tooExpensive)
            await burns(false)
            expect(await settled(await submit())).toBeLessThan(100_000n)
          }
        ),
      timeout
    )
  })
})
