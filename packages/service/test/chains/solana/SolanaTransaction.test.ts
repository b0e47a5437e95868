import { createHash } from "node:crypto"
import { layer } from "@effect/vitest"
import {
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as SolanaTransaction from "../../../src/chains/solana/SolanaTransaction.js"
import { chainAt, direct, person, relayer, signAs, stranger, Svm, usdc } from "./fixture.js"

const wallet = person(0)
const bytesOf = (text: string) => [...getBase64Encoder().encode(text)]
const textOf = (bytes: ReadonlyArray<number>) => getBase64Decoder().decode(new Uint8Array(bytes))
const messageAt = 1 + 2 * 64

const build = (memo = "geoswap:order:terms", amount = 5_000_000n) =>
  Effect.gen(function* () {
    const { chain } = yield* direct
    const { transaction } = yield* chain.buildCollect({ wallet: wallet.address, token: usdc, amount, memo })
    return transaction
  })

/** The transaction of a build, and what the wallet made of it. */
const both = Effect.gen(function* () {
  const unsigned = yield* build()
  return { unsigned, signed: yield* signAs(wallet, unsigned) }
})

const inspect = (unsigned: string, signed: string, by: string = wallet.address) =>
  SolanaTransaction.inspect(unsigned, signed, by)

/** The same transaction with another encoding of its message. */
const rewritten = (text: string, change: (message: Record<string, unknown>) => Record<string, unknown>) => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(text))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const changed = change(message) as typeof message
  return textOf([...bytesOf(text).slice(0, messageAt), ...getCompiledTransactionMessageEncoder().encode(changed)])
}

layer(Svm.layer)("SolanaTransaction.inspect", (it) => {
  it.effect("returns the transaction with only the wallet's signature, and the hash of its message", () =>
    Effect.gen(function* () {
      const { signed, unsigned } = yield* both
      const relayerToo = yield* signAs(relayer, signed)
      const noise = bytesOf(signed).map((byte, index) => (index > 0 && index <= 64 ? index : byte))
      const expected = {
        transaction: signed,
        messageHash: `0x${createHash("sha256")
          .update(new Uint8Array(bytesOf(unsigned).slice(messageAt)))
          .digest("hex")}`
      }
      expect(signed).not.toBe(unsigned)
      for (const given of [signed, relayerToo, textOf(noise)]) {
        expect(yield* inspect(unsigned, given)).toEqual(expected)
      }
      expect(yield* SolanaTransaction.messageHash(unsigned)).toBe(expected.messageHash)
      expect(yield* SolanaTransaction.messageHash(signed)).toBe(expected.messageHash)
    })
  )

  const refused = Effect.fnUntraced(function* (unsigned: string, given: string, by?: string) {
    return (yield* Effect.flip(inspect(unsigned, given, by)))._tag
  })

  it.effect("refuses a transaction that is truncated, has extra bytes, or a wrong signature count", () =>
    Effect.gen(function* () {
      const { signed, unsigned } = yield* both
      const bytes = bytesOf(signed)
      const given = {
        empty: "",
        words: "signed, as you wished",
        hex: Buffer.from(bytes).toString("hex"),
        cut: textOf(bytes.slice(0, -1)),
        "the count alone": textOf([2]),
        "no message": textOf(bytes.slice(0, messageAt)),
        "a byte behind it": textOf([...bytes, 0]),
        "itself behind it": textOf([...bytes, ...bytes]),
        "a kilobyte behind it": textOf([...bytes, ...Array.from({ length: 1_000 }, () => 0)]),
        "far too long": "A".repeat(1_000_000),
        "no signatures": textOf([0, ...bytes.slice(messageAt)]),
        "one signature": textOf([1, ...bytes.slice(65)]),
        "three signatures": textOf([3, ...bytes.slice(1, messageAt), ...bytes.slice(1, 65), ...bytes.slice(messageAt)]),
        "127 signatures": textOf([127, ...bytes.slice(1)]),
        "255 signatures": textOf([255, ...bytes.slice(1)]),
        "a count in two bytes": textOf([0x82, 0, ...bytes.slice(1)])
      }
      for (const [name, text] of Object.entries(given)) {
        expect([name, yield* refused(unsigned, text)]).toEqual([name, "Malformed"])
      }
    })
  )

  it.effect("accepts only the canonical encoding", () =>
    Effect.gen(function* () {
      let padded = 0
      for (const memo of ["a", "ab", "abc"]) {
        const unsigned = yield* build(memo)
        const signed = yield* signAs(wallet, unsigned)
        yield* inspect(unsigned, signed)
        const others = [`${signed}=`, ` ${signed}`, `${signed}\n`, signed.replaceAll("+", "-").replaceAll("/", "_")]
        const [, last, padding] = /(.)(=+)$/.exec(signed) ?? []
        if (last !== undefined && padding !== undefined) {
          padded += 1
          const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
          // The last character has bits that say nothing.
          const sibling = alphabet[alphabet.indexOf(last) + 1]
          others.push(signed.slice(0, -padding.length), signed.slice(0, -padding.length - 1) + sibling + padding)
        }
        for (const other of others.filter((text) => text !== signed)) {
          expect([other, yield* refused(unsigned, other)]).toEqual([other, "Malformed"])
        }
      }
      expect(padded).toBe(2)
    })
  )

  it.effect("refuses another message, and names the setting to turn off", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const { unsigned } = yield* both
      const dearer = yield* chainAt([svm.rpcUrl], { computeUnitPrice: { floor: "1001" } })
      const price = yield* dearer.buildCollect({
        wallet: wallet.address,
        token: usdc,
        amount: 5_000_000n,
        memo: "geoswap:order:terms"
      })
      const others = {
        price: price.transaction,
        amount: yield* build(undefined, 5_000_001n),
        memo: yield* build("geoswap:order:other"),
        blockhash: rewritten(unsigned, (message) => ({ ...message, lifetimeToken: usdc })),
        version: rewritten(unsigned, (message) => ({ ...message, version: "legacy" })),
        instructions: rewritten(unsigned, (message) => ({
          ...message,
          instructions: (message["instructions"] as ReadonlyArray<unknown>).slice(1)
        }))
      }
      for (const [name, other] of Object.entries(others)) {
        const signed = yield* signAs(wallet, other)
        const error = yield* Effect.flip(inspect(unsigned, signed))
        expect([name, error._tag]).toEqual([name, "TransactionModified"])
        expect(error.message).toMatch(/automatic priority fees.*compute unit price/)
      }
    })
  )

  it.effect("refuses a transaction without a valid signature of the wallet", () =>
    Effect.gen(function* () {
      const { signed, unsigned } = yield* both
      const bytes = bytesOf(signed)
      const [count, first, second, message] = [
        bytes.slice(0, 1),
        bytes.slice(1, 65),
        bytes.slice(65, messageAt),
        bytes.slice(messageAt)
      ]
      const other = bytesOf(yield* signAs(wallet, yield* build("geoswap:another")))
      const relayers = bytesOf(yield* signAs(relayer, unsigned)).slice(1, 65)
      const given = {
        missing: unsigned,
        swapped: textOf([...count, ...second, ...first, ...message]),
        "in both places, changed": textOf([...count, ...second, ...second.toReversed(), ...message]),
        "over another message": textOf([...count, ...first, ...other.slice(65, messageAt), ...message]),
        "the relayer's": textOf([...count, ...first, ...relayers, ...message]),
        "with one bit changed": textOf([
          ...count,
          ...first,
          ...second.map((byte, at) => (at === 9 ? byte ^ 1 : byte)),
          ...message
        ])
      }
      for (const [name, text] of Object.entries(given)) {
        expect([name, yield* refused(unsigned, text)]).toEqual([name, "InvalidSignature"])
      }
      expect(yield* refused(unsigned, signed, stranger("signer").address)).toBe("InvalidSignature")
      // An account of the message that is not a signer.
      expect(yield* refused(unsigned, signed, usdc)).toBe("InvalidSignature")
    })
  )
})
