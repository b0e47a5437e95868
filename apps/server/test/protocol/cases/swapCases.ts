/** Whole swaps: executed once for any number of submits, every direction to the smallest unit, and only as quoted. */
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import * as protocol from "../client.js"
import { deploymentOf, evmRequest, solanaRequest, statusAndCode, usdc } from "../fixture.js"
import { collectedFrom, settle, signed, signedTransaction, submit, submitSolana } from "../operations.js"
import type { Cases } from "./suite.js"

const alreadyUsed = [409, "QUOTE_ALREADY_USED"]

export const repeatedSubmits: Cases = {
  "gets the same swap for the same operation at once, signed again, and after it settled": async (suite) => {
    const { devnet, first, payer } = suite
    const { build, sign, submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    const other = await build()
    const before = await collectedFrom(devnet.evmA, payer.address)
    const swaps = await Promise.all(Array.from({ length: 10 }, () => submit(suite, submission)))
    const ids = new Set(swaps.map(({ swapId }) => swapId))
    expect(ids.size).toBe(1)

    const again = { ...submission, signature: await sign() }
    expect(again.signature).not.toBe(submission.signature)
    expect([...ids]).toEqual([(await submit(suite, again)).swapId])
    expect(await statusAndCode(first, "/swap/submit", other.submission)).toEqual(alreadyUsed)

    const settled = await protocol.wait(first, [...ids].join())
    expect(settled.status).toBe("settled")
    expect(await submit(suite, submission)).toEqual(settled)
    expect(await submit(suite, again)).toEqual(settled)
    expect(await statusAndCode(first, "/swap/submit", other.submission)).toEqual(alreadyUsed)
    expect(await statusAndCode(first, "/swap/submit", (await build()).submission)).toEqual(alreadyUsed)
    expect(await collectedFrom(devnet.evmA, payer.address)).toBe(before + 1)
  }
}

export const swapCases: Cases = {
  "swaps from Solana into ETH": (suite) => {
    const { devnet, owner } = suite
    return settle(suite, owner, [devnet.solana, "USDC"], 10n * usdc, [devnet.evmB, "native"])
  },
  "swaps on Solana": (suite) => {
    const { devnet, owner } = suite
    return settle(suite, owner, [devnet.solana, "USDC"], 10n * usdc, [devnet.solana, "WETH"])
  },
  "swaps on Solana into SOL": (suite) => {
    const { devnet, owner } = suite
    return settle(suite, owner, [devnet.solana, "USDC"], 10n * usdc, [devnet.solana, "native"])
  },

  "does not sign an operation that differs from its request": async (suite) => {
    const { devnet, first, owner, payer } = suite
    const { evmA, evmB } = devnet
    const request = evmRequest(suite, payer.address)
    const { authorization, quoted } = await signed(suite, payer, request)
    const pinned = deploymentOf(devnet, evmA.id)
    const build = (lie: Partial<protocol.QuoteRequest>, deployment = pinned) =>
      protocol.buildOperation(first, { ...request, ...lie }, quoted, deployment, authorization)
    await expect(build({ amount: `${11n * usdc}` })).rejects.toThrow("amount is not")
    await expect(build({ inputToken: evm.tokenOf(evmA, "WETH") })).rejects.toThrow("token is not")
    await expect(build({ walletAddress: evmA.contracts.vault })).rejects.toThrow("wallet is not")
    await expect(build({ recipient: owner.address })).rejects.toThrow("terms is not")
    await expect(build({ outputToken: evm.tokenOf(evmB, "GEO") })).rejects.toThrow("terms is not")
    await expect(build({ destinationChain: evmA.id })).rejects.toThrow("terms is not")
    await expect(build({}, { ...pinned, vault: payer.address })).rejects.toThrow("vault is not")
    await expect(build({}, { ...pinned, delegate: payer.address })).rejects.toThrow("delegate is not")
    expect((await build({})).geoOpHash).toMatch(/^0x[0-9a-f]{64}$/)
  },
  "does not sign a transaction that differs from its request": async (suite) => {
    const { devnet, first, owner, payer } = suite
    const request = solanaRequest(suite, owner.address)
    const quoted = await protocol.quote(first, request)
    const pinned = deploymentOf(devnet, devnet.solana.id)
    const build = (lie: Partial<protocol.QuoteRequest>, deployment = pinned) =>
      protocol.buildTransaction(first, owner.keyPair, { ...request, ...lie }, quoted, deployment)
    await expect(build({ amount: "1" })).rejects.toThrow("the amount is another")
    await expect(build({ inputToken: evm.tokenOf(devnet.solana, "GEO") })).rejects.toThrow("the transfer is another")
    await expect(build({ recipient: payer.address })).rejects.toThrow("the terms are others")
    await expect(build({}, { ...pinned, vault: owner.address })).rejects.toThrow("the transfer is another")
    await expect(build({}, { ...pinned, relayer: pinned.vault })).rejects.toThrow("the signers are not")
  },

  "gets the same swap for the same transaction, and none for another of that quote": async (suite) => {
    const { first, owner } = suite
    const { build, submission } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const swaps = await Promise.all(Array.from({ length: 10 }, () => submitSolana(suite, submission)))
    const ids = new Set(swaps.map(({ swapId }) => swapId))
    expect(ids.size).toBe(1)
    const settled = await protocol.wait(first, [...ids].join())
    expect(settled.status).toBe("settled")
    expect(await submitSolana(suite, submission)).toEqual(settled)
    // The blockhash has changed since the first build, and so has the message.
    const other = await build()
    expect(other.signedTransaction).not.toBe(submission.signedTransaction)
    expect(await statusAndCode(first, "/swap/submit-solana", other)).toEqual(alreadyUsed)
  }
}
