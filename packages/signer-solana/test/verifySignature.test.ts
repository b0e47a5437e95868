/** What wallets of every kind give back, and when: only a signature is taken, and nothing that is changed afterwards. */
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import type { Address, SignatureBytes } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, signWire, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { against, agreed, bytesOf, relayer, stranger, textOf } from "./transactions.js"
import { standardWallet } from "./wallets.js"

const { fromKitSigner, fromPromise, fromWalletStandard } = SolanaSigner
const key = walletKey()
const { address } = key

afterEach(() => vi.restoreAllMocks())

/** Wallets that give back whatever `give` makes of a transaction in the form of the wire. */
const transactionForms: Readonly<Record<string, (give: (bytes: Uint8Array) => unknown) => Signer.PromiseSolanaSigner>> =
  {
    "a wallet of the wallet standard": (give) => fromWalletStandard(standardWallet(key, give)),
    "a remote signer": (give) =>
      fromPromise({ address, signTransaction: async (transaction) => give(bytesOf(transaction)) as Uint8Array })
  }

/** Changes an array of the wallet as late as a wallet can: after its signature was checked. */
const changingLate = (change: () => void) => {
  const verify = crypto.subtle.verify.bind(crypto.subtle)
  const spy = vi.spyOn(crypto.subtle, "verify").mockImplementation(async (...input) => {
    const isRight = await verify(...input)
    change()
    return isRight
  })
  return () => spy.mock.calls.length
}

/** The transaction as it was asked, with nothing but the wallet's signature in it. */
const isRight = (signed: string, asked = agreed.unsignedTransaction) => {
  expect(isSignedBy(signed, address)).toBe(true)
  expect(textOf(bytesOf(signed).fill(0, 65, 129))).toBe(asked)
}

describe.each(Object.entries(transactionForms))("%s", (_, form) => {
  it.each<[string, (bytes: Uint8Array) => unknown]>([
    ["zeroes", (bytes) => bytes.fill(0)],
    ["changes the message of", (bytes) => bytes.fill(7, 129)],
    ["fills the fee payer's place of", (bytes) => bytes.fill(7, 1, 65)]
  ])("that %s what it gave back once it was checked changes nothing of ours", async (_, change) => {
    let kept: Uint8Array | undefined
    const checks = changingLate(() => kept && change(kept))
    isRight(await form((bytes) => (kept = signWire(key, bytes))).signTransaction(agreed, neverAborted()))
    expect(kept).not.toStrictEqual(bytesOf(agreed.unsignedTransaction))
    expect(checks()).toBe(1)
  })

  it("that shares memory with us cannot change it either", async () => {
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
  ])("may give back bytes that have %s of their own, which is not looked at", async (_, change) => {
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

  it("may empty the fee payer's place, since only its own signature is taken", async () => {
    const prefilled = textOf(bytesOf(agreed.unsignedTransaction).fill(7, 1, 65))
    const emptied = form((bytes) => signWire(key, bytes).fill(0, 1, 65))
    isRight(await emptied.signTransaction(against(prefilled), neverAborted()), prefilled)
    const kept = form((bytes) => signWire(key, bytes))
    isRight(await kept.signTransaction(against(prefilled), neverAborted()), prefilled)
  })

  it("must not fill the fee payer's place with something else", async () => {
    for (const before of [0, 7]) {
      const asked = textOf(bytesOf(agreed.unsignedTransaction).fill(before, 1, 65))
      const signer = form((bytes) => signWire(key, bytes).fill(8, 1, 65))
      const error = await rejection(signer.signTransaction(against(asked), neverAborted()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      expect(error.message).toContain("filled in the signature of the fee payer")
    }
  })
})

describe("a remote signer that answers in base64", () => {
  const written = (write: (text: string) => string) =>
    fromPromise({ address, signTransaction: async (text) => write(textOf(signWire(key, bytesOf(text)))) })

  it.each<[string, (text: string) => string]>([
    ["with a line break", (text) => `${text}\n`],
    ["with a blank in it", (text) => `${text.slice(0, 80)} ${text.slice(80)}`],
    ["for URLs", (text) => text.replaceAll("+", "-").replaceAll("/", "_")],
    ["with padding that is not needed", (text) => `${text}====`]
  ])("%s is told that this is no transaction", async (_, write) => {
    isRight(await written((text) => text).signTransaction(agreed, neverAborted()))
    const error = await rejection(written(write).signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatch(/ that are no transaction in place of a signed transaction\.$/)
  })
})

describe("a key service that signs bytes", () => {
  it("gives a signature that it cannot change once it was checked", async () => {
    let kept: Uint8Array | undefined
    changingLate(() => kept?.fill(0))
    const signer = fromPromise({ address, signMessage: async (message) => (kept = key.sign(message)) })
    isRight(await signer.signTransaction(agreed, neverAborted()))
  })

  it("may give bytes whose own iterator and length are never asked", async () => {
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
    isRight(await fromPromise({ address, signMessage }).signTransaction(agreed, neverAborted()))
  })
})

describe("a signer of kit", () => {
  it("that signs for several addresses has its own signature taken", async () => {
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

  it("that modifies cannot change what it gave back once it was checked", async () => {
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

describe("a wallet that gives back no list is told so:", () => {
  const feature = standardWallet(key).features["solana:signTransaction"]
  const forms: Readonly<Record<string, (answer: () => Promise<never>) => Signer.PromiseSolanaSigner>> = {
    "a wallet of the wallet standard": (signTransaction) =>
      fromWalletStandard({
        ...standardWallet(key),
        features: { "solana:signTransaction": { ...feature, signTransaction } }
      }),
    "a partial signer": (signTransactions) => fromKitSigner({ address: address as Address, signTransactions }),
    "a modifying signer": (modifyAndSignTransactions) =>
      fromKitSigner({ address: address as Address, modifyAndSignTransactions })
  }
  const answers: ReadonlyArray<readonly [found: string, answer: unknown]> = [
    ["nothing", undefined],
    ["an object", { signedTransaction: signWire(key, bytesOf(agreed.unsignedTransaction)) }],
    ["a number", 5],
    ["64 bytes", key.sign(bytesOf(agreed.unsignedTransaction).slice(129))]
  ]

  it.each(Object.entries(forms))("%s", async (_, form) => {
    for (const [found, answer] of answers) {
      const signer = form(async () => answer as never)
      const error = await rejection(signer.signTransaction(agreed, neverAborted()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      expect(error.message).toMatch(/^(Test Wallet|The signer) gave back .* in place of a list of what it signed\.$/)
      expect(error.message).toContain(`gave back ${found} in place`)
    }
  })
})
