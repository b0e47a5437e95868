/** Signatures: by the wallet, over the built operation, in one format; all others are refused. */
import { getBase64Decoder, getBase64Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { parseSignature, serializeCompactSignature, serializeSignature, signatureToCompactSignature } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import * as protocol from "../client.js"
import { evmRequest, solanaRequest, solanaWallet, statusAndCode } from "../fixture.js"
import { highS, resigned, signed, signedBy, signedTransaction, submit, submitSolana } from "../operations.js"
import type { Cases } from "./suite.js"

const invalidSignature = [422, "INVALID_SIGNATURE"]
const modified = [422, "TRANSACTION_MODIFIED"]
const validation = [400, "VALIDATION"]

/** The offset of the blockhash: after the prefix, the header, and the accounts with their count. */
const blockhashAt = 1 + 3 + 1 + 8 * 32

const flipped = (index: number) => (message: Uint8Array) => message.map((byte, at) => (at === index ? byte ^ 1 : byte))

export const signatureCases: Cases = {
  "is refused a signature that is not the wallet's, of the operation's hash": async (suite) => {
    const { first, payer } = suite
    const { geoOpHash, submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    const { signature } = submission
    const parsed = parseSignature(signature)
    const stranger = privateKeyToAccount(generatePrivateKey())
    const refused: Readonly<Record<string, string>> = {
      "a high s": serializeSignature(highS({ r: parsed.r, s: parsed.s }, parsed.yParity)),
      "the other parity": serializeSignature({ ...parsed, yParity: 1 - parsed.yParity }),
      "another wallet's": await stranger.signMessage({ message: { raw: geoOpHash } }),
      "over the hex text": await payer.signMessage({ message: geoOpHash }),
      "over another hash without a prefix": await payer.sign({ hash: `0x${"11".repeat(32)}` }),
      "over another hash": await payer.signMessage({ message: { raw: `0x${"11".repeat(32)}` } }),
      "all zero": `0x${"00".repeat(65)}`,
      "all ones": `0x${"ff".repeat(65)}`,
      "zero with a v": `0x${"00".repeat(64)}1b`,
      "a v of 29": `${signature.slice(0, -2)}1d`,
      "r above the curve": `0x${"ff".repeat(32)}${signature.slice(66)}`
    }
    for (const [name, given] of Object.entries(refused)) {
      const answer = await statusAndCode(first, "/swap/submit", { ...submission, signature: given })
      expect([name, ...answer]).toEqual([name, ...invalidSignature])
    }
    const malformed: Readonly<Record<string, unknown>> = {
      "64 bytes": serializeCompactSignature(signatureToCompactSignature(parsed)),
      "66 bytes": `${signature}00`,
      "an odd digit": signature.slice(0, -1),
      "no prefix": signature.slice(2),
      "no hex": `0x${"zz".repeat(65)}`,
      nothing: "",
      null: null,
      "an object": { r: parsed.r, s: parsed.s }
    }
    for (const [name, given] of Object.entries(malformed)) {
      const answer = await statusAndCode(first, "/swap/submit", { ...submission, signature: given })
      expect([name, ...answer]).toEqual([name, ...validation])
    }
    const { swapId } = await submit(suite, submission)
    expect((await protocol.wait(first, swapId)).status).toBe("settled")
  },
  "is refused a transaction that differs from the built one": async (suite) => {
    const { first, owner } = suite
    const { submission } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const { signedTransaction: good } = submission
    const other = await solanaWallet(suite, {})
    const { submission: another } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    const bytes = Uint8Array.from(getBase64Encoder().encode(good))
    const base64 = (more: ReadonlyArray<number>, count = bytes.length) =>
      getBase64Decoder().decode(new Uint8Array([...bytes.slice(0, count), ...more]))
    const change = (given: Parameters<typeof resigned>[2]) => resigned(good, owner.address, given)
    const sent: Readonly<Record<string, readonly [string, ReadonlyArray<unknown>]>> = {
      "a changed message": [await change({ message: flipped(blockhashAt), signature: signedBy(owner) }), modified],
      "another quote's transaction": [another.signedTransaction, modified],
      "no signature": [await change({ signature: async () => null }), invalidSignature],
      "another wallet's signature": [await change({ signature: signedBy(other) }), invalidSignature],
      "a signature over something else": [
        await change({ signature: (message) => signedBy(owner)(flipped(9)(message)) }),
        invalidSignature
      ],
      "a byte too many": [base64([0]), validation],
      "a second transaction": [base64([...bytes]), validation],
      "a byte too few": [base64([], bytes.length - 1), validation],
      "no transaction": ["AAAA", validation],
      "no base64": ["💥", validation],
      "url-safe base64": [good.replaceAll("+", "-").replaceAll("/", "_").replace(/^A/, "_"), validation],
      nothing: ["", validation]
    }
    for (const [name, [given, answer]] of Object.entries(sent)) {
      const answered = await statusAndCode(first, "/swap/submit-solana", { ...submission, signedTransaction: given })
      expect([name, ...answered]).toEqual([name, ...answer])
    }
    const { swapId } = await submitSolana(suite, submission)
    expect((await protocol.wait(first, swapId)).status).toBe("settled")
  }
}

export const expiryCases: Cases = {
  "sees the swap fail without a transfer if the blockhash expired": async (suite) => {
    const { devnet, first } = suite
    const owner = await solanaWallet(suite)
    const { submission } = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
    await Effect.runPromise(devnet.solana.expireBlockhashes)
    const { swapId } = await submitSolana(suite, submission)
    const { promised } = protocol.splitReport(await protocol.wait(first, swapId))
    expect(promised).toEqual({ swapId, status: "failed", failureCode: "OPERATION_EXPIRED" })
  }
}
