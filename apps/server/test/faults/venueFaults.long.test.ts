import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import { make, play, type Setup, start, type Started, timeout, until, usdcToWeth } from "../stack/fixture.js"
import { entriesOf, open } from "../stack/ledger.js"
import { expectEnd, expectNothingLeft } from "../stack/outcome.js"
import * as solana from "../stack/solana.js"
import { devnetLayer, type File } from "../stack/stack.js"
import { openVenue } from "../stack/venue.js"

const usdc = 1_000_000n
const sol = "11111111111111111111111111111111"

/** A venue over HTTP, wallets of both families, and balances. */
const cast = async (devnet: Devnet.Devnet) => {
  const { evmA, evmB, solana: svm } = devnet
  const venue = await openVenue()
  const wallet = await evm.newDelegated(devnet, evmA, { USDC: 100n * usdc })
  const owner = await solana.newWallet(devnet, { USDC: 100n * usdc })
  const recipient = evm.newAddress()
  const ledger = await open([
    ...entriesOf(evmA, { payer: wallet.address, vault: evmA.contracts.vault }, zeroAddress),
    ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress),
    ...entriesOf(svm, { owner: owner.address, vault: svm.contracts.vault }, sol)
  ])
  const change = (file: File): File => ({ ...file, venue: { kind: "http", url: venue.url, timeoutMillis: 2_000 } })
  return { change, props: { venue, wallet, owner, recipient, ledger } }
}

type Cast = Awaited<ReturnType<typeof cast>>["props"]

/** The service waits for a price for longer than the test lasts. */
const patient = async (devnet: Devnet.Devnet) => {
  const { change, props } = await cast(devnet)
  const execution = { venueRetryMillis: 600_000 }
  return { change: (file: File): File => ({ ...change(file), execution }), props }
}

/** Half of the fee is more than the price moves in the test. */
const bearing = async (devnet: Devnet.Devnet) => {
  const { change, props } = await patient(devnet)
  return { change: (file: File): File => ({ ...change(file), fees: { ...file.fees, baseFeeBps: 100 } }), props }
}

/** Requests for 10 USDC from both families into a token of the second chain. */
const requestsOf = ({ devnet }: Setup, { owner, recipient, wallet }: Cast, outputToken: string) => {
  const request = {
    ...usdcToWeth(devnet, wallet.address, recipient),
    outputToken,
    walletAddress: wallet.address as string
  }
  const { id: originChain } = devnet.solana
  const inputToken = evm.tokenOf(devnet.solana, "USDC")
  return [request, { ...request, originChain, inputToken, walletAddress: owner.address }]
}

const clientFor = ({ devnet, running }: Setup, { owner, wallet }: Cast) =>
  clientOf(devnet, running, { evm: wallet, solana: owner.keyPair })

/** Starts both while nothing can be included. */
const startBoth = async (setup: Setup, props: Cast, outputToken: string) => {
  const client = await clientFor(setup, props)
  return Promise.all(requestsOf(setup, props, outputToken).map((request) => start(client, request)))
}

/** Waits until both are quoted again: the service pauses requests to a failing venue. */
const quotedAgain = async (setup: Setup, props: Cast, outputToken: string) => {
  const client = await clientFor(setup, props)
  for (const request of requestsOf(setup, props, outputToken)) {
    await until(() =>
      client.quote(request).then(
        () => true,
        () => false
      )
    )
  }
}

const hold = async ({ devnet }: Setup) => {
  await make(devnet.evmA.hold)
  await make(devnet.solana.hold)
}
const release = async ({ devnet }: Setup) => {
  await make(devnet.evmA.release)
  await make(devnet.solana.release)
}

const expectAll = async (setup: Setup, swaps: ReadonlyArray<Started>, code: string) => {
  for (const one of swaps) await expectEnd(setup, one, "refunded", code)
}

describe("swaps whose price changes", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "are refunded in full if the price is below the minimum, missing or implausible",
      () =>
        play(cast, async (setup, props) => {
          const { evmB } = setup.devnet
          const [weth, geo] = [evm.tokenOf(evmB, "WETH"), evm.tokenOf(evmB, "GEO")]
          const { ledger, venue } = props
          await hold(setup)
          const moved = await startBoth(setup, props, weth)
          const unlisted = await startBoth(setup, props, geo)
          const absurd = await startBoth(setup, props, zeroAddress)
          venue.set(weth, { type: "moved", thousandths: 1_006 })
          venue.set(geo, { type: "status", status: 404 })
          venue.set(zeroAddress, { type: "absurd" })
          await release(setup)
          await expectAll(setup, moved, "SLIPPAGE")
          await expectAll(setup, unlisted, "NO_ROUTE")
          await expectAll(setup, absurd, "PRICE_UNAVAILABLE")

          for (const output of [weth, geo, zeroAddress]) {
            venue.set(output, undefined)
            await quotedAgain(setup, props, output)
          }
          await hold(setup)
          const stale = await startBoth(setup, props, weth)
          const broken = await startBoth(setup, props, geo)
          const silent = await startBoth(setup, props, zeroAddress)
          venue.set(weth, { type: "stale" })
          venue.set(geo, { type: "status", status: 503 })
          venue.set(zeroAddress, { type: "silent" })
          await release(setup)
          await expectAll(setup, [...stale, ...broken, ...silent], "PRICE_UNAVAILABLE")

          for (const output of [weth, geo, zeroAddress]) venue.set(output, undefined)
          await quotedAgain(setup, props, weth)
          await hold(setup)
          const orphaned = await startBoth(setup, props, weth)
          await venue.down()
          await release(setup)
          await expectAll(setup, orphaned, "PRICE_UNAVAILABLE")
          expect(await ledger()).toEqual({})
          await expectNothingLeft(setup)
        }),
      timeout
    )

    it.effect(
      "settle with the quoted output if the price stays above the minimum or recovers in time",
      () =>
        play(bearing, async (setup, props) => {
          const { evmA, evmB, solana: svm } = setup.devnet
          const [weth, geo] = [evm.tokenOf(evmB, "WETH"), evm.tokenOf(evmB, "GEO")]
          const { ledger, venue } = props
          await hold(setup)
          const worse = await startBoth(setup, props, weth)
          const gone = await startBoth(setup, props, geo)
          // The minimum is half a percent lower.
          venue.set(weth, { type: "moved", thousandths: 1_004 })
          venue.set(geo, { type: "status", status: 500 })
          await release(setup)
          await until(() => venue.askedSince(geo).size === gone.length)
          venue.set(geo, undefined)
          for (const one of [...worse, ...gone]) await expectEnd(setup, one, "settled")
          const sum = (swaps: ReadonlyArray<Started>) => swaps.reduce((total, { output }) => total + output, 0n)
          expect(await ledger()).toEqual({
            [`payer USDC@${evmA.id}`]: -20n * usdc,
            [`vault USDC@${evmA.id}`]: 20n * usdc,
            [`owner USDC@${svm.id}`]: -20n * usdc,
            [`vault USDC@${svm.id}`]: 20n * usdc,
            [`recipient WETH@${evmB.id}`]: sum(worse),
            [`vault WETH@${evmB.id}`]: -sum(worse),
            [`recipient GEO@${evmB.id}`]: sum(gone),
            [`vault GEO@${evmB.id}`]: -sum(gone)
          })
          await expectNothingLeft(setup)
          await venue.down()
        }),
      timeout
    )

    it.effect(
      "are refused at submit if the price moved since the quote, regardless of the caller's minimum",
      () =>
        play(cast, async (setup, props) => {
          const { devnet, running } = setup
          const { evmA, evmB } = devnet
          const { ledger, recipient, venue, wallet } = props
          const weth = evm.tokenOf(evmB, "WETH")
          const client = await clientOf(devnet, running, { evm: wallet })
          const request = { ...usdcToWeth(devnet, wallet.address, recipient), walletAddress: wallet.address }
          const build = async (slippageBps: number) => {
            const { geoQuoteToken } = await client.quote({ ...request, slippageBps })
            const built = await client.build({ originChain: evmA.id, geoQuoteToken })
            if (built.family !== "evm") throw new Error("It is an operation.")
            const signature = await wallet.signMessage({ message: { raw: built.geoOpHash } })
            return { family: "evm", geoOpToken: built.geoOpToken, signature } as const
          }
          const [narrow, wide] = [await build(50), await build(5_000)]
          const refusal = (submission: typeof narrow) =>
            client.submit(submission).then(
              () => "accepted",
              (error: { readonly code?: string; readonly status?: number }) => `${error.status} ${error.code}`
            )
          venue.set(weth, { type: "moved", thousandths: 1_006 })
          expect(await refusal(narrow)).toBe("422 SLIPPAGE")
          venue.set(weth, { type: "moved", thousandths: 1_020 })
          expect(await refusal(wide)).toBe("422 SLIPPAGE")
          venue.set(weth, { type: "status", status: 503 })
          expect(await refusal(narrow)).toBe("503 UNAVAILABLE")
          await expectNothingLeft(setup)
          expect(await ledger()).toEqual({})

          // A refusal uses nothing up.
          venue.set(weth, undefined)
          const { swapId } = await client.submit(narrow)
          expect((await client.wait(swapId)).status).toBe("settled")
          await expectNothingLeft(setup)
          await venue.down()
        }),
      timeout
    )
  })
})
