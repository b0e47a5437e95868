import { describe, expect, it } from "@effect/vitest"
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, walletKey } from "./keys.js"
import { neverAborted, rejection, refusal } from "./expectError.js"
import { agreed } from "./transactions.js"
import { signerOf } from "./wallets.js"

const { fromKeyService } = SolanaSigner
const { address } = walletKey()

describe("a key service", () => {
  const key = walletKey()
  const signMessage = async (message: Uint8Array) => key.sign(message)

  it("is refused if something is missing", () => {
    expect(refusal(() => fromKeyService({ address } as never))).toMatchInlineSnapshot(
      `"keyService | keyService: expected signMessage or signTransaction. Add one of them."`
    )
    expect(refusal(() => fromKeyService({ signMessage } as never))).toMatchInlineSnapshot(
      `"address | address: expected the key's Solana address, got undefined."`
    )
    expect(refusal(() => fromKeyService({ address: "0x01", signMessage }))).toMatchInlineSnapshot(
      `"address | address: expected the key's Solana address, got a string of 4 characters."`
    )
    expect(refusal(() => fromKeyService(undefined as never))).toMatchInlineSnapshot(
      `"keyService | keyService: expected { address, signMessage } or { address, signTransaction }, got undefined."`
    )
  })

  it("signs only a copy of the message bytes", async () => {
    const signer = fromKeyService({
      address,
      signMessage: async (message) => {
        const signature = key.sign(message)
        message.fill(0)
        return signature
      }
    })
    expect(isSignedBy(await signer.signTransaction(agreed, neverAborted()), address)).toBe(true)
  })

  it("is called through signMessage if it has both methods", async () => {
    const signTransaction = () => Promise.reject(new Error("not this one"))
    const signer = fromKeyService({ address, signMessage, signTransaction })
    expect(isSignedBy(await signer.signTransaction(agreed, neverAborted()), address)).toBe(true)
  })

  it("cannot change its signature afterwards", async () => {
    const kept: Array<Uint8Array> = []
    const signer = fromKeyService({
      address,
      signMessage: async (message) => {
        const signature = key.sign(message)
        kept.push(signature)
        queueMicrotask(() => queueMicrotask(() => setImmediate(() => signature.fill(0))))
        return signature
      }
    })
    const signed = await signer.signTransaction(agreed, neverAborted())
    await new Promise(setImmediate)
    expect(isSignedBy(signed, address)).toBe(true)
  })

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["an object", { signature: "x" }],
    ["an array of numbers", [...new Uint8Array(64)]],
    ["63 bytes", new Uint8Array(63)],
    ["no such text", "signature"],
    ["hex that is too short", `0x${"ab".repeat(63)}`],
    ["base64 that is too short", Buffer.alloc(61).toString("base64")],
    ["a megabyte of text", "A".repeat(1_000_000)],
    ["zeros", new Uint8Array(64)],
    ["another key's signature", otherKey().sign(new Uint8Array(3))]
  ])("that returns %s gets a clear error", async (_, given) => {
    const signer = fromKeyService({ address, signMessage: async () => given as string }, { name: "Our KMS" })
    const error = await rejection(signer.signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatch(
      /^Our KMS returned (.* instead of a 64-byte signature|a signature that is not .*'s signature over this transaction)\.$/
    )
  })

  it("that rejects for its user is distinguished from one that fails", async () => {
    const of = (thrown: unknown) =>
      rejection(
        fromKeyService({ address, signMessage: () => Promise.reject(thrown) }).signTransaction(agreed, neverAborted())
      )
    expect(await of(new Error("User rejected the request."))).toMatchObject({ reason: "rejected" })
    expect(await of({ code: 4001 })).toMatchObject({ reason: "rejected" })
    expect(await of(new Error("quota exceeded"))).toMatchObject({
      reason: "failed",
      message: "The key service failed: quota exceeded"
    })
    const own = new SwapError.SignerError({ reason: "incapable", message: "no Ed25519 here", cause: { key: 1 } })
    expect(await of(own)).toMatchObject({ reason: "incapable", message: "The key service: no Ed25519 here" })
    expect(await of(own)).not.toHaveProperty("cause")
  })

  it.each<[string, () => unknown]>([
    [
      "whose properties throw",
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error("no")
            },
            has: () => {
              throw new Error("no")
            }
          }
        )
    ],
    [
      "whose cause throws",
      () =>
        Object.defineProperty(new Error("no"), "cause", {
          get: () => {
            throw new Error("no")
          }
        })
    ],
    [
      "that pretends to be ours, with another reason",
      () => Object.assign(new Error("no"), { _tag: "SignerError", retry: "x", reason: "because" })
    ],
    ["that is nothing", () => undefined],
    [
      "that is its own cause",
      () => {
        const error = new Error("no")
        error.cause = error
        return error
      }
    ]
  ])("that throws a value %s fails without a crash", async (_, thrown) => {
    const signer = await signerOf(
      SolanaSigner.layerKeyService({ address, signMessage: () => Promise.reject(thrown()) })
    )
    const exit = await Effect.runPromiseExit(signer.signTransaction(agreed))
    const error = await Effect.runPromise(Effect.flip(exit))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(error.message).toMatch(/^The key service failed: /)
  })

  it.each<[string, () => unknown]>([
    [
      "whose properties throw",
      () =>
        Object.defineProperty(new Uint8Array(64), "length", {
          get: () => {
            throw new Error("no")
          }
        })
    ],
    [
      "that are longer than their length says",
      () => Object.defineProperty(new Uint8Array(500), "length", { value: 64 })
    ]
  ])("that returns bytes %s gets a clear error", async (_, given) => {
    const signer = fromKeyService({ address, signMessage: async () => given() as Uint8Array })
    expect(await rejection(signer.signTransaction(agreed, neverAborted()))).toMatchObject({ reason: "invalid" })
  })

  it("that throws synchronously fails in the same way", async () => {
    const signMessage = () => {
      throw new Error("not ready")
    }
    const error = await rejection(fromKeyService({ address, signMessage }).signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed", message: "The key service failed: not ready" })
  })
})
