import { describe, expect, it, vi } from "@effect/vitest"
import { createKeyPairFromPrivateKeyBytes, generateKeyPair } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { agreed } from "./transactions.js"

const { fromKeyPair } = SolanaSigner
const { address } = walletKey()

describe("a key pair", () => {
  const messageOf = async (keyPair: unknown, options?: SolanaSigner.Options) => {
    const error = await rejection(fromKeyPair(keyPair as CryptoKeyPair, options))
    expect(error).toMatchObject({ _tag: "InvalidInput" })
    const built = Effect.scoped(Layer.build(SolanaSigner.layerKeyPair(keyPair as CryptoKeyPair, options)))
    const layered = await Effect.runPromise(Effect.flip(built))
    expect(layered.message).toBe(error.message)
    return error.message
  }

  it("is refused if it is missing", async () => {
    expect(await messageOf(undefined)).toMatchInlineSnapshot(
      `"keyPair: publicKey is not a CryptoKey. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
    expect(await messageOf({ publicKey: "a", privateKey: "b" })).toMatchInlineSnapshot(
      `"keyPair: publicKey is not a CryptoKey. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
  })

  it("is refused if it is not for Ed25519", async () => {
    const ecdsa = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
    expect(await messageOf(ecdsa)).toMatchInlineSnapshot(
      `"keyPair: publicKey: expected an Ed25519 key, got one for ECDSA. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
  })

  it("is refused if its two keys do not belong together", async () => {
    const [one, other] = [await generateKeyPair(), await generateKeyPair()]
    expect(await messageOf({ publicKey: one.publicKey, privateKey: other.privateKey })).toMatchInlineSnapshot(
      `"keyPair: the two keys do not belong together. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
  })

  it("is refused if it must not sign", async () => {
    const { publicKey } = await generateKeyPair()
    expect(await messageOf({ publicKey, privateKey: publicKey })).toMatchInlineSnapshot(
      `"keyPair: privateKey is not allowed to sign. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
  })

  it("is refused if the public key cannot be exported", async () => {
    const keyPair = await createKeyPairFromPrivateKeyBytes(walletKey().seed)
    const kept = vi.spyOn(crypto.subtle, "exportKey").mockRejectedValue(new DOMException("", "InvalidAccessError"))
    const message = await messageOf(keyPair)
    kept.mockRestore()
    expect(message).toMatchInlineSnapshot(
      `"keyPair: the public key cannot be exported, or the private key cannot sign. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
    expect((await fromKeyPair(keyPair)).address).toBe(address)
  })

  it("is refused if its public key must not verify", async () => {
    const { privateKey, publicKey } = await generateKeyPair()
    const raw = await crypto.subtle.exportKey("raw", publicKey)
    const mute = await crypto.subtle.importKey("raw", raw, "Ed25519", true, [])
    expect(await messageOf({ publicKey: mute, privateKey })).toMatchInlineSnapshot(
      `"keyPair: the public key is not allowed to verify. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit."`
    )
  })

  it("is read once, and signs with the first keys if it changes them", async () => {
    const [pair, other] = [await createKeyPairFromPrivateKeyBytes(walletKey().seed), await generateKeyPair()]
    const reads = { publicKey: 0, privateKey: 0 }
    const flipping = {
      get publicKey() {
        return (reads.publicKey++ === 0 ? pair : other).publicKey
      },
      get privateKey() {
        return (reads.privateKey++ === 0 ? pair : other).privateKey
      }
    }
    const signer = await fromKeyPair(flipping)
    expect(isSignedBy(await signer.signTransaction(agreed, neverAborted()), address)).toBe(true)
    expect(reads).toStrictEqual({ publicKey: 1, privateKey: 1 })
  })

  it("may have a private key that cannot be exported", async () => {
    const keyPair = await createKeyPairFromPrivateKeyBytes(walletKey().seed)
    expect(keyPair.privateKey.extractable).toBe(false)
    expect((await fromKeyPair(keyPair)).address).toBe(address)
  })
})
