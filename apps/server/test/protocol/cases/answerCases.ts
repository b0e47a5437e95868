/** Indicative prices, and until when quotes and operations can be used. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { stoppedClock } from "../../stack/clock.js"
import * as evm from "../../stack/evm.js"
import * as protocol from "../client.js"
import * as at from "../fixture.js"
import { ask, deploymentOf, evmRequest, evmWallet, solanaRequest, solanaWallet, statusAndCode } from "../fixture.js"
import { signed, signedTransaction, submit, submitSolana } from "../operations.js"
import type { Cases } from "./suite.js"

export const indicativeCases: Cases = {
  "gets an indicative price without a wallet, a balance or a recipient, and no token": async (suite) => {
    const { devnet, first } = suite
    const { address } = await evmWallet(suite, {})
    const request = evmRequest(suite, address)
    const { walletAddress: _, ...anyone } = request
    expect(await statusAndCode(first, "/swap/quote", anyone)).toEqual([400, "VALIDATION"])
    expect(await statusAndCode(first, "/swap/quote", request)).toEqual([422, "INSUFFICIENT_BALANCE"])
    const outputToken = evm.tokenOf(devnet.solana, "USDC")
    for (const body of [anyone, request, { ...anyone, destinationChain: devnet.solana.id, outputToken }]) {
      const { body: price, headers, status } = await ask(first, "/swap/quote", { ...body, indicative: true })
      expect([status, headers.get("ratelimit-policy")]).toEqual([200, expect.stringMatching(/^"indicative";/)])
      expect(Object.keys(price).toSorted()).toEqual([
        "feeBps",
        "indicative",
        "inputUsd",
        "minOutput",
        "networkCost",
        "origin",
        "output",
        "outputUsd",
        // How the wallet can pay depends on the wallet.
        ...("walletAddress" in body ? ["paymentMethods"] : []),
        "priceImpactBps",
        "warnings"
      ])
      expect([price["indicative"], price["origin"], price["feeBps"]]).toEqual([true, "evm", 10])
      expect(BigInt(String(price["output"]))).toBeGreaterThan(0n)
    }
    const refused = { ...anyone, outputToken: "0x00000000000000000000000000000000000a11ce", indicative: true }
    expect(await statusAndCode(first, "/swap/quote", refused)).toEqual([422, "NO_ROUTE"])
  }
}

export const timeCases: Cases = {
  "builds until the quote expires, and gets 410 from exactly 30 seconds on": (suite) =>
    Effect.gen(function* () {
      const { clock, now, set } = yield* stoppedClock
      const fixture = yield* at.open(suite.devnet).pipe(Effect.provideService(Clock.Clock, clock))
      yield* Effect.promise(async () => {
        const { devnet, first } = fixture
        const { id } = devnet.evmA
        const [account, owner] = [await evmWallet(suite), await solanaWallet(suite)]
        const authorization = await protocol.authorize(first, account, id, deploymentOf(devnet, id))
        for (const [path, request, more] of [
          ["/swap/build-geo-op", evmRequest(fixture, account.address), { authorization }],
          ["/swap/build-solana-tx", solanaRequest(fixture, owner.address), {}]
        ] as const) {
          const { expiresAt, geoQuoteToken } = await protocol.quote(first, request)
          const build = () => statusAndCode(first, path, { geoQuoteToken, ...more })
          expect(Date.parse(expiresAt)).toBe(now() + 30_000)
          set(Date.parse(expiresAt) - 1)
          expect(await build()).toEqual([200, undefined])
          for (const millis of [0, 100]) {
            set(Date.parse(expiresAt) + millis)
            expect(await build()).toEqual([410, "QUOTE_EXPIRED"])
          }
        }
      })
    }),
  "submits until 90 seconds after the build, and gets an existing swap at any time": (suite) =>
    Effect.gen(function* () {
      const { clock, now, set } = yield* stoppedClock
      const fixture = yield* at.open(suite.devnet).pipe(Effect.provideService(Clock.Clock, clock))
      yield* Effect.promise(async () => {
        const { first } = fixture
        const [account, owner] = [await evmWallet(suite), await solanaWallet(suite)]
        const one = await signed(fixture, account, evmRequest(fixture, account.address))
        const late = await signed(fixture, account, evmRequest(fixture, account.address))
        const two = await signedTransaction(fixture, owner, solanaRequest(fixture, owner.address))
        const lateTwo = await signedTransaction(fixture, owner, solanaRequest(fixture, owner.address))
        expect(one.geoOp.deadline).toBe(Math.ceil(now() / 1000) + 90 + 30)
        const solanaSwap = await protocol.wait(first, (await submitSolana(fixture, two.submission)).swapId)

        set(now() + 89_999)
        const { swapId } = await submit(fixture, one.submission)
        set(now() + 1)
        const expired = [410, "OPERATION_EXPIRED"]
        expect(await statusAndCode(first, "/swap/submit", late.submission)).toEqual(expired)
        expect(await statusAndCode(first, "/swap/submit-solana", lateTwo.submission)).toEqual(expired)
        const swap = await protocol.wait(first, swapId)
        expect([swap.status, solanaSwap.status]).toEqual(["settled", "settled"])
        set(now() + 86_400_000)
        expect(await submit(fixture, one.submission)).toEqual(swap)
        expect(await submitSolana(fixture, two.submission)).toEqual(solanaSwap)
      })
    })
}
