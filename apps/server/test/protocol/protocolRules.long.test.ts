/** Every rule of the interface document by section, as a client sees it over HTTP. */
import { describe, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isHex, zeroAddress } from "viem"
import { expect } from "vitest"
import { stoppedClock } from "../stack/clock.js"
import * as evm from "../stack/evm.js"
import { eachChain } from "../stack/fixture.js"
import { holdingLayer, holdingRules } from "./cases/heldStatus.js"
import { bucket, calls, limited } from "./cases/rateLimits.js"
import { type Cases, running } from "./cases/suite.js"
import * as protocol from "./client.js"
import * as at from "./fixture.js"
import { ask, deploymentOf, ether, evmRequest, evmWallet, solanaRequest, statusAndCode, usdc } from "./fixture.js"
import { collectedFrom, settle, signed, signedTransaction, submit, submitSolana } from "./operations.js"

const amount = /^(0|[1-9][0-9]{0,77})$/

const quoteRules: Cases = {
  "§1 amounts are integers in the token's smallest unit": async (suite) => {
    const { first, payer } = suite
    const request = evmRequest(suite, payer.address)
    const { body } = await ask(first, "/swap/quote", request)
    for (const field of ["output", "minOutput", "networkCost"]) expect(body[field]).toMatch(amount)
    const wrong = [
      "1.5",
      "-1",
      "+1",
      "0",
      "",
      "01",
      "1e6",
      "0x10",
      " 1",
      "1 ",
      `${2n ** 256n}`,
      1.5,
      0,
      -1,
      2 ** 53,
      true,
      null
    ]
    for (const given of wrong) {
      const answer = await statusAndCode(first, "/swap/quote", { ...request, amount: given })
      expect([given, ...answer]).toEqual([given, 400, "VALIDATION"])
    }
    expect((await ask(first, "/swap/quote", { ...request, amount: 10_000_000 })).status).toBe(200)
    const solanaToo = solanaRequest(suite, suite.owner.address, { amount: `${2n ** 64n}` })
    expect(await statusAndCode(first, "/swap/quote", solanaToo)).toEqual([400, "VALIDATION"])
  },
  "§1 the caller never holds a gas token: gas is paid out of the input": async (suite) => {
    const { evmA, evmB } = suite.devnet
    const { quoted } = await settle(suite, suite.payer, [evmA, "USDC"], 10n * usdc, [evmB, "USDC"])
    expect(BigInt(quoted.networkCost)).toBeGreaterThan(0n)
    expect(BigInt(quoted.output)).toBeLessThanOrEqual(10n * usdc - BigInt(quoted.networkCost))
  },
  "§2.2 feeBps already reflects the discount, which is reported only to a wallet that holds enough": async (suite) => {
    const quoteWith = async (geo: bigint) => {
      const { address } = await evmWallet(suite, { USDC: 10_000n * usdc, ...(geo > 0n && { GEO: geo }) })
      return (await ask(suite.first, "/swap/quote", evmRequest(suite, address, { amount: `${10_000n * usdc}` }))).body
    }
    const [none, less, silver, gold] = [
      await quoteWith(0n),
      await quoteWith(100n * ether - 1n),
      await quoteWith(100n * ether),
      await quoteWith(10_000n * ether)
    ]
    const feeOf = ({ feeBps, feeDiscount }: at.Body) => ({ feeBps, feeDiscount })
    expect([none, less].map(feeOf)).toEqual([{ feeBps: 10 }, { feeBps: 10 }])
    expect(feeOf(silver)).toEqual({ feeBps: 8, feeDiscount: { tier: "silver", discountPercent: 20, baseFeeBps: 10 } })
    expect(feeOf(gold)).toEqual({ feeBps: 5, feeDiscount: { tier: "gold", discountPercent: 50, baseFeeBps: 10 } })
    const outputs = [less, silver, gold].map(({ output }) => BigInt(String(output)))
    expect(outputs).toEqual(outputs.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(outputs).size).toBe(3)
  },
  "§2.2 USD values and the price impact are present only if both sides are priced": async (suite) => {
    const { devnet, first, payer } = suite
    const priced = await ask(first, "/swap/quote", evmRequest(suite, payer.address))
    expect(priced.body).toMatchObject({
      inputUsd: "10.00",
      outputUsd: expect.stringMatching(/^9\.[0-9]{2}$/) as string,
      priceImpactBps: expect.any(Number) as number
    })
    // The suite's venue has a price for this token, but no USD value.
    const outputToken = evm.tokenOf(devnet.evmB, "GEO")
    const { body, status } = await ask(first, "/swap/quote", evmRequest(suite, payer.address, { outputToken }))
    expect(status).toBe(200)
    for (const field of ["inputUsd", "outputUsd", "priceImpactBps"]) expect(body).not.toHaveProperty(field)
  },
  "§2.2 priceImpactBps is signed, all-in, and negative if the output is worth less": async (suite) => {
    const { first, payer } = suite
    const { body } = await ask(first, "/swap/quote", evmRequest(suite, payer.address, { amount: `${9_000n * usdc}` }))
    const [input, output] = [Number(body["inputUsd"]), Number(body["outputUsd"])]
    expect(body["priceImpactBps"]).toBeLessThan(-10)
    expect(Math.abs(Number(body["priceImpactBps"]) - ((output - input) / input) * 10_000)).toBeLessThan(1)
    expect(body["warnings"]).toEqual([])
  },
  "§2.2 warnings are never fatal: a swap of HIGH_PRICE_IMPACT settles": async (suite) => {
    const { devnet, first } = suite
    const account = await evmWallet(suite, { USDC: 2_000_000n * usdc })
    const request = evmRequest(suite, account.address, { amount: `${2_000_000n * usdc}` })
    const { body } = await ask(first, "/swap/quote", request)
    expect(body["priceImpactBps"]).toBeLessThan(-300)
    expect(body["warnings"]).toEqual([
      { code: "HIGH_PRICE_IMPACT", message: expect.stringMatching(/% of its value\.$/) as string }
    ])
    const { swap } = await protocol.swapFromEvm(first, account, request, deploymentOf(devnet, devnet.evmA.id))
    expect(swap.status).toBe("settled")
  }
}

const buildRules: Cases = {
  "§2.3, §8 an EVM build returns 32 bytes to sign, a Solana build a v0 transaction without signatures": async (
    suite
  ) => {
    const { owner, payer } = suite
    const { geoOpHash } = await signed(suite, payer, evmRequest(suite, payer.address))
    expect(isHex(geoOpHash) && geoOpHash.length).toBe(2 + 64)
    const quoted = await protocol.quote(suite.first, solanaRequest(suite, owner.address))
    const { body } = await ask(suite.first, "/swap/build-solana-tx", quoted)
    expect(Object.keys(body)).toEqual(["unsignedTransaction", "geoOpToken"])
    const bytes = Buffer.from(String(body["unsignedTransaction"]), "base64")
    expect(bytes.toString("base64")).toBe(body["unsignedTransaction"])
    // Two empty signatures, then a message whose first byte is version 0.
    expect([bytes[0], bytes.subarray(1, 129).every((byte) => byte === 0), bytes[129]]).toEqual([2, true, 0x80])
  },
  "§2.4 an authorization is optional for a delegated wallet": async (suite) => {
    const { devnet, first, payer } = suite
    await settle(suite, payer, [devnet.evmA, "USDC"], 10n * usdc, [devnet.evmB, "WETH"])
    const quoted = await protocol.quote(first, evmRequest(suite, payer.address))
    expect((await ask(first, "/swap/build-geo-op", quoted)).status).toBe(200)
    const { r, s, yParity } = await payer.signAuthorization({ chainId: 1, address: zeroAddress, nonce: 9 })
    const authorization = { chainId: 1, address: zeroAddress, nonce: 9, r, s, yParity }
    expect((await ask(first, "/swap/build-geo-op", { ...quoted, authorization })).status).toBe(200)
  },
  "§4 the tokens of build and submit have a minimum length of 1": async (suite) => {
    const { first, owner, payer } = suite
    const { submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    const two = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const { signature } = submission
    const { signedTransaction: transaction } = two.submission
    for (const token of ["", undefined, null, 7, {}]) {
      const answers = await Promise.all([
        statusAndCode(first, "/swap/build-geo-op", { geoQuoteToken: token }),
        statusAndCode(first, "/swap/build-solana-tx", { geoQuoteToken: token }),
        statusAndCode(first, "/swap/submit", { geoOpToken: token, signature }),
        statusAndCode(first, "/swap/submit-solana", { geoOpToken: token, signedTransaction: transaction })
      ])
      expect(answers).toEqual(Array.from({ length: 4 }, () => [400, "VALIDATION"]))
    }
    expect(await statusAndCode(first, "/swap/build-geo-op", { geoQuoteToken: "x" })).toEqual([401, "INVALID_TOKEN"])
  },
  "§4 build-solana-tx accepts the same shape, including an authorization": async (suite) => {
    const { first, owner, payer } = suite
    const { r, s, yParity } = await payer.signAuthorization({ chainId: 1, address: zeroAddress, nonce: 0 })
    const authorization = { chainId: 1, address: zeroAddress, nonce: 0, r, s, yParity }
    const { geoQuoteToken } = await protocol.quote(first, solanaRequest(suite, owner.address))
    expect((await ask(first, "/swap/build-solana-tx", { geoQuoteToken, authorization })).status).toBe(200)
  },
  "§4, §7 the first swap: 409 NEEDS_DELEGATION, two fields to sign over, and the swap that settles activates the wallet":
    async (suite) => {
      const { devnet, first } = suite
      const account = await evmWallet(suite)
      const request = evmRequest(suite, account.address)
      const quoted = await protocol.quote(first, request)
      expect(await statusAndCode(first, "/swap/build-geo-op", quoted)).toEqual([409, "NEEDS_DELEGATION"])
      const read = (chainId: number) =>
        ask(first, `/swap/delegation?chainId=${chainId}&walletAddress=${account.address}`)
      const unready = { walletAddress: account.address, delegated: false, originReady: false }
      const fields = { delegationTarget: devnet.evmA.contracts.account.toLowerCase(), accountNonce: 0 }
      expect((await read(devnet.evmA.id)).body).toEqual({ chainId: devnet.evmA.id, ...unready, ...fields })
      const { submission } = await signed(suite, account, request)
      // The wallet does not change before a swap is executed.
      expect((await read(devnet.evmA.id)).body).toMatchObject(unready)
      const { swapId } = await submit(suite, submission)
      expect((await protocol.wait(first, swapId)).status).toBe("settled")
      expect((await read(devnet.evmA.id)).body).toEqual({
        chainId: devnet.evmA.id,
        walletAddress: account.address,
        delegated: true,
        originReady: true,
        delegatedTo: fields.delegationTarget,
        // Only for the authorization that removes the delegation. The delegation itself used nonce 0.
        accountNonce: 1
      })
      expect((await signed(suite, account, request)).authorization).toBeUndefined()
      // §5: one-time per wallet and chain.
      expect((await read(devnet.evmB.id)).body).toMatchObject({ delegated: false, accountNonce: 0 })
    }
}

const swapRules: Cases = {
  "§3 only a successful submit creates a swap, which is pending and visible to status": async (suite) => {
    const { devnet, first, payer } = suite
    const { geoOp, submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    expect(await statusAndCode(first, `/swap/status/${geoOp.orderId}`)).toEqual([404, "SWAP_NOT_FOUND"])
    await Effect.runPromise(devnet.evmB.hold)
    const { promised } = protocol.splitReport(await submit(suite, submission))
    const { swapId, ...submitted } = promised
    expect(submitted).toEqual({ status: "pending" })
    // A repeated submit returns the current state; status would be held.
    const now = async () => submit(suite, submission)
    while ((await now()).originTxHash === undefined) expect((await now()).status).toBe("pending")
    const { deliveryTxHash, originTxHash, status } = await now()
    expect([status, originTxHash, deliveryTxHash]).toEqual(["pending", expect.stringMatching(/^0x/), undefined])
    await Effect.runPromise(devnet.evmB.release)
    const settled = await protocol.wait(first, swapId)
    expect(protocol.splitReport(settled).promised).toEqual({
      swapId,
      status: "settled",
      originTxHash,
      deliveryTxHash: expect.stringMatching(/^0x/) as string
    })
    // A terminal state is final.
    expect(await protocol.wait(first, swapId)).toEqual(settled)
  },
  "§4 every success is 200 with JSON": async (suite) => {
    const { devnet, first, owner, payer } = suite
    const ok = async (path: string, body?: object) => {
      const answer = await ask(first, path, body)
      expect([path, answer.status]).toEqual([path, 200])
      return answer.body
    }
    const request = evmRequest(suite, payer.address)
    const authorization = await protocol.authorize(
      first,
      payer,
      request.originChain,
      deploymentOf(devnet, devnet.evmA.id)
    )
    const { geoQuoteToken } = await ok("/swap/quote", request)
    await ok(`/swap/delegation?chainId=${devnet.evmA.id}&walletAddress=${payer.address}`)
    await ok(`/swap/delegation/${devnet.evmA.id}/${payer.address}`)
    expect(await ok(`/swap/delegation/${devnet.solana.id}/${owner.address}`)).toEqual({
      chainId: devnet.solana.id,
      walletAddress: owner.address,
      delegated: true,
      originReady: true
    })
    const { geoOpHash, geoOpToken } = await ok("/swap/build-geo-op", { geoQuoteToken, authorization })
    const signature = await payer.signMessage({ message: { raw: geoOpHash as `0x${string}` } })
    const { swapId } = await ok("/swap/submit", { geoOpToken, signature })
    // On a slow machine, a swap may take longer than its status is held.
    await protocol.wait(first, String(swapId))
    expect(await ok(`/swap/status/${String(swapId)}`)).toMatchObject({ swapId, status: "settled" })
    const two = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    expect(await ok("/swap/submit-solana", two.submission)).toMatchObject({ status: "pending" })
    await ok("/swap/chains")
  },
  "§4 the status of another account's swap is 404 SWAP_NOT_FOUND": async (suite) => {
    const { first, owner, second } = suite
    const { submission } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const { swapId } = await submitSolana(suite, submission)
    expect(await statusAndCode(second, `/swap/status/${swapId}`)).toEqual([404, "SWAP_NOT_FOUND"])
    expect((await protocol.wait(first, swapId)).status).toBe("settled")
    expect(await statusAndCode(second, `/swap/status/${swapId}`)).toEqual([404, "SWAP_NOT_FOUND"])
  },
  "§5 an EVM wallet signs by personal_sign over the raw 32 bytes, a Solana wallet the transaction itself": async (
    suite
  ) => {
    const { first, owner, payer } = suite
    const { geoOpHash, submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    const signature = await payer.signMessage({ message: geoOpHash })
    expect(await statusAndCode(first, "/swap/submit", { ...submission, signature })).toEqual([422, "INVALID_SIGNATURE"])
    expect((await submit(suite, submission)).status).toBe("pending")
    const { quoted, submission: signedOne } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const { unsignedTransaction } = (await ask(first, "/swap/build-solana-tx", quoted)).body
    const unsigned = { ...signedOne, signedTransaction: unsignedTransaction }
    expect(await statusAndCode(first, "/swap/submit-solana", unsigned)).toEqual([
      422,
      expect.stringMatching(/^(INVALID_SIGNATURE|TRANSACTION_MODIFIED)$/)
    ])
    expect((await submitSolana(suite, signedOne)).status).toBe("pending")
  },
  "§8 a new quote starts a new swap": async (suite) => {
    const { owner } = suite
    const one = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const two = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const [first, second] = [await submitSolana(suite, one.submission), await submitSolana(suite, two.submission)]
    expect(first.swapId).not.toBe(second.swapId)
    const ends = await Promise.all([first, second].map(({ swapId }) => protocol.wait(suite.first, swapId)))
    expect(ends.map(({ status }) => status)).toEqual(["settled", "settled"])
  },
  "§8 rate limits apply to every operation, including status, and report when to retry": (suite) =>
    Effect.gen(function* () {
      const { clock, now, set } = yield* stoppedClock
      const limits = {
        quote: bucket,
        delegation: bucket,
        build: bucket,
        submit: bucket,
        status: bucket,
        chains: bucket
      }
      const fixture = yield* at
        .open(suite.devnet, (file) => ({ ...file, limits }))
        .pipe(Effect.provideService(Clock.Clock, clock))
      const operations = new Set(calls.map(([name]) => name))
      yield* Effect.promise(async () => {
        for (const operation of operations) await limited(fixture, operation, (millis) => set(now() + millis))
      })
    }),
  "§8 200 concurrent submissions of 20 quotes create 20 swaps, which all settle, and the vault collects 20 times": (
    suite
  ) =>
    Effect.gen(function* () {
      const { devnet } = suite
      // Polling 20 swaps all the time would slow down the chain too much. All 20 are simulated at once, which takes a busy
      // machine longer than the default timeout: none would be simulated in time, however often it is repeated.
      const calm = eachChain((chain) => ({ ...chain, pollMillis: 500, timeoutMillis: 60_000 }))
      const fixture = yield* at.open(devnet, calm)
      yield* Effect.promise(async () => {
        const account = await evmWallet(suite)
        const request = evmRequest(fixture, account.address)
        const twenty = await Promise.all(Array.from({ length: 20 }, () => signed(fixture, account, request)))
        const submissions = Array.from({ length: 200 }, (_, index) => twenty[index % 20]?.submission ?? {})
        const ids = (await Promise.all(submissions.map((one) => submit(fixture, one)))).map(({ swapId }) => swapId)
        expect(new Set(ids).size).toBe(20)
        expect(ids).toEqual(ids.map((_, index) => ids[index % 20]))
        const swaps = await Promise.all(ids.slice(0, 20).map((id) => protocol.wait(fixture.first, id)))
        expect(swaps.filter(({ status }) => status !== "settled")).toEqual([])
        expect(new Set(swaps.map(({ originTxHash }) => originTxHash)).size).toBe(20)
        expect(await collectedFrom(devnet.evmA, account.address)).toBe(20)
        const left = await evm.balanceOf(devnet.evmA, evm.tokenOf(devnet.evmA, "USDC"), account.address)
        expect(left).toBe(800n * usdc)
      })
    })
}

describe("rules of the interface", () => {
  layer(holdingLayer(at.withoutUsdOfGeo), { timeout: 240_000, excludeTestServices: true })((it) => {
    const add = (rules: Cases) => {
      for (const [title, run] of Object.entries(rules)) it.effect(title, () => running(run), 240_000)
    }
    add(quoteRules)
    add(buildRules)
    // Most of the time that a status is held has passed by now, and the operation is still valid.
    for (const [title, run] of Object.entries(holdingRules)) it.effect(title, () => run, 240_000)
    add(swapRules)
  })
})
