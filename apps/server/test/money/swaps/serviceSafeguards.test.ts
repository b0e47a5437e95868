import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { PausableToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, type Hex } from "viem"
import { expect } from "vitest"
import { clientOf } from "../../stack/client.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  looked,
  make,
  outlasted,
  play,
  type Setup,
  start,
  type Started,
  timeout,
  until,
  usdcToWeth,
  withToken
} from "../../stack/fixture.js"
import { expectEnd, proofsOf } from "../../stack/outcome.js"
import { devnetLayer, type File, patienceMillis } from "../../stack/stack.js"
import { openVenue } from "../../stack/venue.js"

const usdc = 1_000_000n

const withVenue = async (devnet: Devnet.Devnet) => {
  const venue = await openVenue()
  const wallet = await evm.newDelegated(devnet, devnet.evmA, { USDC: 100n * usdc })
  const change = (file: File): File => ({ ...file, venue: { kind: "http", url: venue.url } })
  return { change, props: { venue, wallet } }
}

/** A swap into a paused token, so that it waits for an impossible delivery. */
const withPaused = (concurrency: number) => async (devnet: Devnet.Devnet) => {
  const { evmA, evmB } = devnet
  const output = await evm.deployPausable(devnet, evmB, 10_000n * usdc)
  await setPaused(devnet, evmB, output, true)
  const wallets = [
    await evm.newDelegated(devnet, evmA, { USDC: 100n * usdc }),
    await evm.newDelegated(devnet, evmA, { USDC: 100n * usdc })
  ] as const
  const token = { symbol: "PSE", address: output, decimals: 6, asset: "USDC" }
  const change = (file: File): File => ({
    ...withToken(evmB.id, token)(file),
    execution: { deliveryRetryMillis: patienceMillis, concurrency }
  })
  return { change, props: { output, wallets } }
}

const setPaused = (devnet: Devnet.Devnet, chain: Devnet.EvmChain, address: Address, paused: boolean) =>
  evm.asOwner(devnet, chain, { address, abi: PausableToken.abi, functionName: "setPaused", args: [paused] })

/**
 * Includes the collect of a swap on the first chain, which is held, then the owner's transaction, and releases the
 * chain: the service sees both at once.
 */
const collected = async ({ devnet, running }: Setup, { swapId }: Started, then: () => Promise<unknown>) => {
  const { evmA } = devnet
  const relayer = evm.operator(devnet, "relayer").address
  await until(async () => (await evm.poolOf(evmA, relayer)).length === 1)
  await make(evmA.mine())
  await then()
  await make(evmA.release)
  await until(() => database.stateOf(running.database, swapId) === "origin_final")
}

describe("service safeguards", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "refuse a quote that the market moved far away from, regardless of the caller's minimum",
      () =>
        play(withVenue, async (setup, { venue, wallet }) => {
          const { devnet, running } = setup
          const client = await clientOf(devnet, running, { evm: wallet })
          const request = { ...usdcToWeth(devnet, wallet.address, evm.newAddress()), slippageBps: 10_000 }
          const post = async (path: string, body: object) => {
            const response = await fetch(`${running.url}/swap/${path}`, {
              method: "POST",
              headers: { "content-type": "application/json", "x-api-key": running.apiKeys[0] },
              body: JSON.stringify(body)
            })
            const answer = (await response.json()) as Partial<
              Record<"code" | "geoQuoteToken" | "geoOpHash" | "geoOpToken", string>
            >
            return { status: response.status, ...answer }
          }
          const { geoQuoteToken } = await post("quote", { ...request, amount: `${request.amount}` })
          const { geoOpHash, geoOpToken } = await post("build-geo-op", { geoQuoteToken })
          const signature = await wallet.signMessage({ message: { raw: geoOpHash as Hex } })
          venue.set(request.outputToken, { type: "moved", thousandths: 1_020 })
          expect(await post("submit", { geoOpToken, signature })).toMatchObject({ status: 422, code: "SLIPPAGE" })

          venue.set(request.outputToken, undefined)
          await make(devnet.evmA.hold)
          const started = await start(client, request)
          venue.set(request.outputToken, { type: "moved", thousandths: 1_020 })
          await make(devnet.evmA.release)
          await expectEnd(setup, started, "refunded", "SLIPPAGE")
          await venue.down()
        }),
      timeout
    )

    it.effect(
      "neither deliver nor refund if the vault's owner sent the input to another address",
      () =>
        play(withPaused(100), async (setup, { output, wallets: [wallet] }) => {
          const { devnet, nodes, running } = setup
          const { evmA, evmB } = devnet
          const client = await clientOf(devnet, running, { evm: wallet })
          const request = { ...usdcToWeth(devnet, wallet.address, evm.newAddress()), outputToken: output }
          await make(evmA.hold)
          const started = await start(client, request)
          started.ended.catch(() => undefined)
          const orderId = database.orderOf(running.database, started.swapId) as Hex
          await collected(setup, started, () =>
            evm.firstAsOwner(devnet, evmA, {
              address: evmA.contracts.vault as Address,
              abi: GeoVault.abi,
              functionName: "refund",
              args: [orderId, request.inputToken, evm.newAddress(), request.amount]
            })
          )
          await setPaused(devnet, evmB, output, false)
          await outlasted(setup, started)
          await looked(nodes.evmA, "eth_call")
          expect(database.stateOf(running.database, started.swapId)).toBe("origin_final")
          const { delivered, refunded } = await proofsOf(devnet, orderId)
          expect([delivered.length, refunded.length]).toEqual([0, 1])
        }),
      timeout
    )
  })
})
