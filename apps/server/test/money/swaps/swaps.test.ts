import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf, outputOf, swap } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { entriesOf, open } from "../../stack/ledger.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer, serve } from "../../stack/stack.js"

const usdc = 1_000_000n
const ether = 10n ** 18n
const sol = "11111111111111111111111111111111"
const recipientEvm = "0x00000000000000000000000000000000000a11ce"

/** Balances that only pay for gas: their exact change depends on the fees of the chain, their direction does not. */
const relayerGas = (name: string) => name.startsWith("relayer native@")

const withoutGas = (deltas: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(deltas).filter(([name]) => !relayerGas(name)))

describe("swaps", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect(
      "settle from EVM to EVM to the smallest unit, first with a delegation, then without",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          const running = yield* serve(devnet)
          yield* Effect.promise(async () => {
            const { account } = await evm.newWallet(devnet, evmA, { USDC: 100n * usdc })
            const client = await clientOf(devnet, running, { evm: account })
            const relayer = evm.operator(devnet, "relayer").address
            const ledger = await open([
              ...entriesOf(evmA, { payer: account.address, vault: evmA.contracts.vault, relayer }, zeroAddress),
              ...entriesOf(evmB, { recipient: recipientEvm, vault: evmB.contracts.vault, relayer }, zeroAddress)
            ])
            const request = {
              originChain: evmA.id,
              destinationChain: evmB.id,
              inputToken: evm.tokenOf(evmA, "USDC"),
              outputToken: evm.tokenOf(evmB, "WETH"),
              amount: 10n * usdc,
              walletAddress: account.address,
              recipient: recipientEvm
            }
            const first = await swap(client, request)
            expect(first.swap).toMatchObject({ status: "settled" })
            expect(first.events.map(({ type }) => type)).toContain("authorizing")
            const second = await swap(client, request)
            expect(second.swap).toMatchObject({ status: "settled" })
            expect(second.events.map(({ type }) => type)).not.toContain("authorizing")

            const output = outputOf(first.events) + outputOf(second.events)
            const deltas = await ledger()
            expect(withoutGas(deltas)).toEqual({
              [`payer USDC@${evmA.id}`]: -20n * usdc,
              [`vault USDC@${evmA.id}`]: 20n * usdc,
              [`vault WETH@${evmB.id}`]: -output,
              [`recipient WETH@${evmB.id}`]: output
            })
            const reported = [first.swap.output, second.swap.output]
            expect(reported.reduce((sum, received) => sum + (received?.amount ?? 0n), 0n)).toBe(
              deltas[`recipient WETH@${evmB.id}`]
            )
            expect(deltas[`relayer native@${evmA.id}`]).toBeLessThan(0n)
            expect(deltas[`relayer native@${evmB.id}`]).toBeLessThan(0n)
            for (const { swap } of [first, second]) {
              const receipt = await evm
                .reader(evmB)
                .getTransactionReceipt({ hash: swap.deliveryTxHash as `0x${string}` })
              expect(receipt.status).toBe("success")
            }
          })
        }),
      240_000
    )

    it.effect(
      "settle on one chain, and pay out the native token",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          const running = yield* serve(devnet)
          yield* Effect.promise(async () => {
            const { account } = await evm.newWallet(devnet, evmA, { USDC: 100n * usdc, WETH: ether })
            const client = await clientOf(devnet, running, { evm: account })
            const ledger = await open([
              ...entriesOf(evmA, { payer: account.address, vault: evmA.contracts.vault }, zeroAddress),
              ...entriesOf(evmB, { payer: account.address, vault: evmB.contracts.vault }, zeroAddress)
            ])
            const same = await swap(client, {
              originChain: evmA.id,
              destinationChain: evmA.id,
              inputToken: evm.tokenOf(evmA, "WETH"),
              outputToken: evm.tokenOf(evmA, "USDC"),
              amount: ether / 10n,
              walletAddress: account.address
            })
            const native = await swap(client, {
              originChain: evmA.id,
              destinationChain: evmB.id,
              inputToken: evm.tokenOf(evmA, "USDC"),
              outputToken: zeroAddress,
              amount: 50n * usdc,
              walletAddress: account.address
            })
            expect([same.swap.status, native.swap.status]).toEqual(["settled", "settled"])
            expect(await ledger()).toEqual({
              [`payer WETH@${evmA.id}`]: -ether / 10n,
              [`vault WETH@${evmA.id}`]: ether / 10n,
              [`payer USDC@${evmA.id}`]: outputOf(same.events) - 50n * usdc,
              [`vault USDC@${evmA.id}`]: 50n * usdc - outputOf(same.events),
              [`payer native@${evmB.id}`]: outputOf(native.events),
              [`vault native@${evmB.id}`]: -outputOf(native.events)
            })
          })
        }),
      240_000
    )

    it.effect(
      "settle from EVM to Solana and back, with tokens and with SOL",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, solana: svm } = devnet
          const running = yield* serve(devnet)
          yield* Effect.promise(async () => {
            const { account } = await evm.newWallet(devnet, evmA, { USDC: 100n * usdc })
            const owner = await solana.newWallet(devnet, { USDC: 100n * usdc })
            const fresh = await solana.newWallet(devnet, {})
            const client = await clientOf(devnet, running, { evm: account, solana: owner.keyPair })
            const ledger = await open([
              ...entriesOf(
                evmA,
                { payer: account.address, to: recipientEvm, vault: evmA.contracts.vault },
                zeroAddress
              ),
              ...entriesOf(svm, { owner: owner.address, fresh: fresh.address, vault: svm.contracts.vault }, sol)
            ])
            const out = await swap(client, {
              originChain: evmA.id,
              destinationChain: svm.id,
              inputToken: evm.tokenOf(evmA, "USDC"),
              outputToken: evm.tokenOf(svm, "WETH"),
              amount: 40n * usdc,
              walletAddress: account.address,
              recipient: fresh.address
            })
            const native = await swap(client, {
              originChain: evmA.id,
              destinationChain: svm.id,
              inputToken: evm.tokenOf(evmA, "USDC"),
              outputToken: sol,
              amount: 20n * usdc,
              walletAddress: account.address,
              recipient: fresh.address
            })
            const back = await swap(client, {
              originChain: svm.id,
              destinationChain: evmA.id,
              inputToken: evm.tokenOf(svm, "USDC"),
              outputToken: evm.tokenOf(evmA, "GEO"),
              amount: 30n * usdc,
              walletAddress: owner.address,
              recipient: recipientEvm
            })
            expect([out, native, back].map(({ swap }) => swap.status)).toEqual(["settled", "settled", "settled"])
            expect(await ledger()).toEqual({
              [`payer USDC@${evmA.id}`]: -60n * usdc,
              [`vault USDC@${evmA.id}`]: 60n * usdc,
              [`fresh WETH@${svm.id}`]: outputOf(out.events),
              [`vault WETH@${svm.id}`]: -outputOf(out.events),
              [`fresh native@${svm.id}`]: outputOf(native.events),
              [`vault native@${svm.id}`]: -outputOf(native.events),
              [`owner USDC@${svm.id}`]: -30n * usdc,
              [`vault USDC@${svm.id}`]: 30n * usdc,
              [`to GEO@${evmA.id}`]: outputOf(back.events),
              [`vault GEO@${evmA.id}`]: -outputOf(back.events)
            })
          })
        }),
      240_000
    )
  })
})
