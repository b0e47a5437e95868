/** Answers of every kind of wallet: only the signature is used, and later changes have no effect. */
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import type { Address, SignatureBytes } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, signWire, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { against, agreed, bytesOf, relayer, stranger, textOf } from "./transactions.js"
import { standardWallet } from "./wallets.js"

const { fromKitSigner, fromKeyService, fromWalletStandard } = SolanaSigner
const key = walletKey()
const { address } = key

afterEach(() => vi.restoreAllMocks())

/** Wallets that return the result of `give` for an encoded transaction. */
const transactionForms: Readonly<Record<string, (give: (bytes: Uint8Array) => unknown) => Signer.PromiseSolanaSigner>> =
  {
    "a Wallet Standard wallet": (give) => fromWalletStandard(standardWallet(key, give)),
    "a remote signer": (give) =>
      fromKeyService({ address, signTransaction: async (transaction) => give(bytesOf(transaction)) as Uint8Array })
  }

/** Changes an array of the wallet as late as possible: after its signature was verified. */
const changingLate = (change: () => void) => {
  const verify = crypto.subtle.verify.bind(crypto.subtle)
  const spy = vi.spyOn(crypto.subtle, "verify").mockImplementation(async (...input) => {
    const isRight = await verify(...input)
    change()
    return isRight
  })
  return () => spy.mock.calls.length
}

/** Expects the requested transaction with only the wallet's signature added. */
const isRight = (signed: string, requested = agreed.unsignedTransaction) => {
  expect(isSignedBy(signed, address)).toBe(true)
  expect(textOf(bytesOf(signed).fill(0, 65, 129))).toBe(requested)
}

describe.each(Object.entries(transactionForms))("%s", (_, form) => {
  it.each<[string, (bytes: Uint8Array) => unknown]>([
    ["zeroes", (bytes) => bytes.fill(0)],
    ["changes the message of", (bytes) => bytes.fill(7, 129)],
    ["fills the fee payer's place of", (bytes) => bytes.fill(7, 1, 65)]
  ])("that %s its answer after the verification has no effect", async (_, change) => {
    let kept: Uint8Array | undefined
    const checks = changingLate(() => kept && change(kept))
    isRight(await form((bytes) => (kept = signWire(key, bytes))).signTransaction(agreed, neverAborted()))
    expect(kept).not.toStrictEqual(bytesOf(agreed.unsignedTransaction))
    expect(checks()).toBe(1)
  })

  it("with shared memory has no effect either", async () => {
    let kept: Uint8Array | undefined
    changingLate(() => kept?.fill(0))
    const signer = form((bytes) => {
      const signed = signWire(key, bytes)
      kept = new Uint8Array(new SharedArrayBuffer(signed.length))
      kept.set(signed)
      return kept
    })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })

  it.each<[string, (array: { readonly prototype: object }) => unknown]>([
    [
      "an iterator",
      ({ prototype }) =>
        Object.defineProperty(prototype, Symbol.iterator, {
          value: () => {
            throw new Error("this code is not to run")
          }
        })
    ],
    ["a length", ({ prototype }) => Object.defineProperty(prototype, "length", { get: () => 3 })],
    ["a name", ({ prototype }) => Object.defineProperty(prototype, Symbol.toStringTag, { get: () => "Other" })]
  ])("may return bytes with another %s, which is ignored", async (_, change) => {
    class Own extends Uint8Array {}
    const signer = form((bytes) => {
      const signed = signWire(key, bytes)
      const own = new Own(signed.length)
      own.set(signed)
      change(Own)
      return own
    })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })

  it("may remove the signature of the fee payer, since only its own is used", async () => {
    const prefilled = textOf(bytesOf(agreed.unsignedTransaction).fill(7, 1, 65))
    const emptied = form((bytes) => signWire(key, bytes).fill(0, 1, 65))
    isRight(await emptied.signTransaction(against(prefilled), neverAborted()), prefilled)
    const kept = form((bytes) => signWire(key, bytes))
    isRight(await kept.signTransaction(against(prefilled), neverAborted()), prefilled)
  })

  it("must not add a signature for the fee payer", async () => {
    for (const before of [0, 7]) {
      const requested = textOf(bytesOf(agreed.unsignedTransaction).fill(before, 1, 65))
      const signer = form((bytes) => signWire(key, bytes).fill(8, 1, 65))
      const error = await rejection(signer.signTransaction(against(requested), neverAborted()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      expect(error.message).toContain("added a signature for the fee payer")
    }
  })
})

describe("a remote signer that answers in base64", () => {
  const written = (write: (text: string) => string) =>
    fromKeyService({ address, signTransaction: async (text) => write(textOf(signWire(key, bytesOf(text)))) })

  it.each<[string, (text: string) => string]>([
    ["with a line break", (text) => `${text}\n`],
    ["with a space in it", (text) => `${text.slice(0, 80)} ${text.slice(80)}`],
    ["for URLs", (text) => text.replaceAll("+", "-").replaceAll("/", "_")],
    ["with padding that is not needed", (text) => `${text}====`]
  ])("%s gets an error that it is not a transaction", async (_, write) => {
    isRight(await written((text) => text).signTransaction(agreed, neverAborted()))
    const error = await rejection(written(write).signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatch(/, which cannot be decoded, instead of a signed transaction\.$/)
  })
})

describe("a key service that signs bytes", () => {
  it("cannot change its signature after the verification", async () => {
    let kept: Uint8Array | undefined
    changingLate(() => kept?.fill(0))
    const signer = fromKeyService({ address, signMessage: async (message) => (kept = key.sign(message)) })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })

  it("may return bytes with their own iterator and length, which are ignored", async () => {
    class Endless extends Uint8Array {
      override get length() {
        return 3
      }
      override *[Symbol.iterator](): ArrayIterator<number> {
        for (;;) yield 1
      }
    }
    const signMessage = async (message: Uint8Array) => {
      const signature = new Endless(64)
      Buffer.from(signature.buffer).set(key.sign(message))
      return signature
    }
    isRight(await fromKeyService({ address, signMessage }).signTransaction(agreed, neverAborted()))
  })
})

describe("a kit signer", () => {
  it("that signs for several addresses has only its own signature used", async () => {
    const signer = fromKitSigner({
      address: address as Address,
      signTransactions: async (transactions) =>
        transactions.map(({ messageBytes }) => ({
          [relayer]: otherKey().sign(Uint8Array.from(messageBytes)) as SignatureBytes,
          [stranger]: new Uint8Array(64).fill(9) as SignatureBytes,
          [address as Address]: key.sign(Uint8Array.from(messageBytes)) as SignatureBytes
        }))
    })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })

  it("that modifies cannot change its answer after the verification", async () => {
    const kept: Array<Uint8Array> = []
    changingLate(() => kept.forEach((bytes) => bytes.fill(0)))
    const signer = fromKitSigner({
      address: address as Address,
      modifyAndSignTransactions: async (transactions) =>
        transactions.map(({ messageBytes, ...rest }) => {
          const [copy, signature] = [Uint8Array.from(messageBytes), key.sign(Uint8Array.from(messageBytes))]
          kept.push(copy, signature)
          return { ...rest, messageBytes: copy, signatures: { [address]: signature } }
        }) as never
    })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })
})

describe("an error describes a wallet that does not return an array:", () => {
  const feature = standardWallet(key).features["solana:signTransaction"]
  const forms: Readonly<Record<string, (answer: () => Promise<never>) => Signer.PromiseSolanaSigner>> = {
    "a Wallet Standard wallet": (signTransaction) =>
      fromWalletStandard({
        ...standardWallet(key),
        features: { "solana:signTransaction": { ...feature, signTransaction } }
      }),
    "a partial signer": (signTransactions) => fromKitSigner({ address: address as Address, signTransactions }),
    "a modifying signer": (modifyAndSignTransactions) =>
      fromKitSigner({ address: address as Address, modifyAndSignTransactions })
  }
  const answers: ReadonlyArray<readonly [found: string, answer: unknown]> = [
    ["undefined", undefined],
    ["an object", { signedTransaction: signWire(key, bytesOf(agreed.unsignedTransaction)) }],
    ["a number", 5],
    ["64 bytes", key.sign(bytesOf(agreed.unsignedTransaction).slice(129))]
  ]

  it.each(Object.entries(forms))("%s", async (_, form) => {
    for (const [found, answer] of answers) {
      const signer = form(async () => answer as never)
      const error = await rejection(signer.signTransaction(agreed, neverAborted()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      expect(error.message).toMatch(/^(Test Wallet|The signer) returned .* instead of an array of results\.$/)
      expect(error.message).toContain(`returned ${found} instead`)
    }
  })
})
