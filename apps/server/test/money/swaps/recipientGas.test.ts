import { describe, layer } from "@effect/vitest"
import { HookToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, zeroAddress } from "viem"
import { expect } from "vitest"
import { type Plan, sign } from "../../faults/crash/swap.js"
import { clientOf, networkOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { play, type Setup, timeout, until, usdcToWeth, withToken } from "../../stack/fixture.js"
import { answersOf } from "../../stack/requests.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
type OnePlan = Pick<Plan, "request" | "wallet">

/** A swap of 10 USDC into native tokens. */
const planOf = async (devnet: Devnet.Devnet, recipient: string, over: object = {}): Promise<OnePlan> => {
  const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: 100n * usdc })
  const wallet = { family: "evm", address: account.address, account } as const
  const request = { ...usdcToWeth(devnet, wallet.address, recipient), outputToken: zeroAddress, ...over }
  return { wallet, request: { ...request, walletAddress: wallet.address, recipient } }
}

const handle = async ({ devnet, running }: Setup, plan: OnePlan) => {
  const client = await clientOf(devnet, running, {})
  const fixture = { client, network: await networkOf(devnet) }
  const calls = answersOf(running.url, running.apiKeys[0])
  return {
    /** The network cost of a quote for one recipient. */
    networkCost: async (recipient = plan.request.recipient) =>
      (await client.quote({ ...plan.request, recipient })).networkCost ?? 0n,
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

    it.effect(
      "is charged for the gas of the code if it was known at quote time",
      () =>
        play(
          async (devnet) => {
            const recipient = await evm.deployBurner(devnet, devnet.evmB)
            return { props: { recipient, plan: await planOf(devnet, recipient) } }
          },
          async (setup, { plan, recipient }) => {
            const { networkCost, settled, signed } = await handle(setup, plan)
            await evm.setBurning(setup.devnet, setup.devnet.evmB, recipient, true)
            const [burning, plain] = await Promise.all([networkCost(), networkCost(evm.newAddress())])
            expect(burning).toBeGreaterThan(plain)
            expect(await settled(await (await signed())())).toBeGreaterThan(150_000n)
          }
        ),
      timeout
    )

    it.effect(
      "works for a wallet that is delegated to our account, with tokens and native tokens",
      () =>
        play(
          async (devnet) => {
            const { address } = await evm.newDelegated(devnet, devnet.evmB, {})
            const weth = { outputToken: evm.tokenOf(devnet.evmB, "WETH") }
            return { props: [await planOf(devnet, address), await planOf(devnet, address, weth)] }
          },
          async (setup, plans) => {
            for (const plan of plans) {
              const { settled, signed } = await handle(setup, plan)
              expect(await settled(await (await signed())())).toBeLessThan(120_000n)
            }
          }
        ),
      timeout
    )

    it.effect(
      "is refused at submit if the token has become more expensive to transfer since the quote",
      () =>
        play(
          async (devnet) => {
            const { evmB } = devnet
            const target = await evm.deploySpender(devnet, evmB)
            const output = await evm.deployHookToken(devnet, evmB, 1_000n * 10n ** 18n)
            const plan = await planOf(devnet, evm.newAddress(), { outputToken: output })
            const change = withToken(evmB.id, { symbol: "HOOK", address: output, decimals: 18, asset: "USDC" })
            return { change, props: { output, plan, target } }
          },
          async (setup, { output, plan, target }) => {
            const { devnet } = setup
            const vault = devnet.evmB.contracts.vault as Address
            const { signed } = await handle(setup, plan)
            const submit = await signed()
            await evm.asOwner(devnet, devnet.evmB, {
              address: output,
              abi: HookToken.abi,
              functionName: "hook",
              args: [vault, target, "0x", false]
            })
            expect(await submit()).toMatchObject(tooExpensive)
          }
        ),
      timeout
    )
  })
})
