import { describe, layer } from "@effect/vitest"
import { PausableToken } from "@geoswap/contracts/testing"
import type { Client, ExecuteInput } from "@geoswap/core/promise"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { make, play, start, type Started, timeout, usdcToWeth, withToken } from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, expectNothingLeft } from "../../stack/outcome.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
const sol = "11111111111111111111111111111111"

/** Starts the same swap several times at once. Returns the accepted swaps and the reasons of the refusals. */
const startMany = async (client: Client, request: ExecuteInput, count: number) => {
  const results = await Promise.allSettled(Array.from({ length: count }, () => start(client, request)))
  return {
    accepted: results.flatMap((result): ReadonlyArray<Started> =>
      result.status === "fulfilled" ? [result.value] : []
    ),
    refused: results.flatMap((result) => {
      if (result.status === "fulfilled") return []
      // The signature was sent, so the client reports the refusal only as the cause.
      const { cause } = result.reason as { readonly cause?: { readonly code?: string } }
      return [cause?.code]
    })
  }
}

const sum = (swaps: ReadonlyArray<Started>) => swaps.reduce((total, { output }) => total + output, 0n)

describe("reserved amounts", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "accepts two of ten swaps of 10 from a wallet with 25",
      () =>
        play(
          async (devnet) => ({
            props: {
              account: await evm.newDelegated(devnet, devnet.evmA, { USDC: 25n * usdc }),
              owner: await solana.newWallet(devnet, { USDC: 25n * usdc }),
              recipient: evm.newAddress()
            }
          }),
          async (setup, { account, owner, recipient }) => {
            const { devnet, running } = setup
            const { evmA, evmB, solana: svm } = devnet
            // A client signs nothing else after a refusal that it cannot prove.
            const newClient = () => clientOf(devnet, running, { evm: account, solana: owner.keyPair })
            const client = await newClient()
            const ledger = await open([
              ...entriesOf(evmA, { payer: account.address, vault: evmA.contracts.vault }, zeroAddress),
              ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress),
              ...entriesOf(svm, { owner: owner.address, vault: svm.contracts.vault }, sol)
            ])
            const requests = [
              usdcToWeth(devnet, account.address, recipient),
              {
                ...usdcToWeth(devnet, owner.address, recipient),
                originChain: svm.id,
                inputToken: evm.tokenOf(svm, "USDC")
              }
            ]
            await make(evmA.hold)
            await make(svm.hold)
            const all: Array<Started> = []
            for (const request of requests) {
              const { accepted, refused } = await startMany(client, request, 10)
              expect(accepted).toHaveLength(2)
              expect(refused).toEqual(Array.from({ length: 8 }, () => "INSUFFICIENT_BALANCE"))
              all.push(...accepted)
            }
            await make(svm.release)
            await make(evmA.release)
            for (const one of all) await expectEnd(setup, one, "settled")
            await expectNothingLeft(setup)

            // The rest is available for the next swap, but not more.
            const next = await newClient()
            for (const request of requests) {
              const { accepted, refused } = await startMany(next, { ...request, amount: 5n * usdc }, 2)
              expect(accepted).toHaveLength(1)
              expect(refused).toEqual(["INSUFFICIENT_BALANCE"])
              for (const one of accepted) await expectEnd(setup, one, "settled")
              all.push(...accepted)
            }
            expect(await ledger()).toEqual({
              [`payer USDC@${evmA.id}`]: -25n * usdc,
              [`vault USDC@${evmA.id}`]: 25n * usdc,
              [`owner USDC@${svm.id}`]: -25n * usdc,
              [`vault USDC@${svm.id}`]: 25n * usdc,
              [`vault WETH@${evmB.id}`]: -sum(all),
              [`recipient WETH@${evmB.id}`]: sum(all)
            })
            await expectNothingLeft(setup)
          }
        ),
      timeout
    )

    it.effect(
      "reserves inventory until it is delivered or released",
      () =>
        play(
          async (devnet) => {
            const { evmA, evmB } = devnet
            const output = await evm.deployPausable(devnet, evmB, 25n * usdc)
            const account = await evm.newDelegated(devnet, evmA, { USDC: 100n * usdc })
            const change = withToken(evmB.id, { symbol: "OUT", address: output, decimals: 6, asset: "USDC" })
            return { change, props: { account, output, recipient: evm.newAddress() } }
          },
          async (setup, { account, output, recipient }) => {
            const { devnet, running } = setup
            const { evmA, evmB } = devnet
            const client = await clientOf(devnet, running, { evm: account })
            const request = { ...usdcToWeth(devnet, account.address, recipient), outputToken: output }
            const stop = (paused: boolean) =>
              evm.asOwner(devnet, evmB, {
                address: output,
                abi: PausableToken.abi,
                functionName: "setPaused",
                args: [paused]
              })
            const ledger = await open([
              ...entriesOf(evmA, { payer: account.address, vault: evmA.contracts.vault }, zeroAddress),
              ...entriesOf(
                { ...evmB, tokens: [{ symbol: "OUT", address: output, decimals: 6 }] },
                { recipient, vault: evmB.contracts.vault },
                zeroAddress
              )
            ])
            await make(evmA.hold)
            const first = await startMany(client, request, 4)
            expect(first.accepted).toHaveLength(2)
            expect(first.refused).toEqual(["NO_ROUTE", "NO_ROUTE"])
            await stop(true)
            await make(evmA.release)
            for (const one of first.accepted) await expectEnd(setup, one, "refunded", "REVERTED")
            await expectNothingLeft(setup)

            await stop(false)
            // A client signs nothing else after a refusal that it cannot prove.
            const second = await startMany(await clientOf(devnet, running, { evm: account }), request, 3)
            expect(second.accepted).toHaveLength(2)
            expect(second.refused).toEqual(["NO_ROUTE"])
            for (const one of second.accepted) await expectEnd(setup, one, "settled")
            expect(await ledger()).toEqual({
              [`payer USDC@${evmA.id}`]: -20n * usdc,
              [`vault USDC@${evmA.id}`]: 20n * usdc,
              [`vault OUT@${evmB.id}`]: -sum(second.accepted),
              [`recipient OUT@${evmB.id}`]: sum(second.accepted)
            })
            await expectNothingLeft(setup)
          }
        ),
      timeout
    )
  })
})
