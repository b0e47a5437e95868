import type { SwapError } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import * as Bytes from "ox/Bytes"
import * as Hash from "ox/Hash"
import * as Hexadecimal from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Signature from "ox/Signature"
import { EvmSigner } from "../src/index.js"
import { candidates } from "../src/internal/recoverSignature.js"
import { rejection } from "../../../tooling/testing/failure.ts"
import { account, alive, delegate, type Hex, operation, tuple } from "./fixture.js"
import { address, digestService, forms, order, privateKey, sign, stranger } from "./wallets.js"

describe("what a wallet answers", () => {
  const whole = (payload: Hex, key?: Hex) => Signature.toHex(sign(payload, key))
  const answer = async (answers: unknown, options: EvmSigner.Options = {}) => {
    const service = { address, signMessage: () => answers as string }
    const error = await rejection(EvmSigner.fromPromise(service, options).signOperation(operation, alive()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    return (error as SwapError.SignerError).message
  }
  const { geoOpHash } = operation
  const message = PersonalMessage.getSignPayload(geoOpHash)
  const text = (words: string) => PersonalMessage.getSignPayload(new TextEncoder().encode(words))

  it("is named where it is a common mistake", async () => {
    expect(await answer(whole(message, stranger.privateKey), { name: "MetaMask" })).toMatchInlineSnapshot(
      `"MetaMask signed with another key than that of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266: the signature is by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8. Select the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 there, or make the signer with the address that the key belongs to."`
    )
    expect(await answer(forms["DER in hex"]?.(sign(message, stranger.privateKey)))).toMatchInlineSnapshot(
      `"The key service signed with another key than that of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Select the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 there, or make the signer with the address that the key belongs to."`
    )
    expect(await answer(whole(text(geoOpHash)))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. It has to take the message as raw bytes: with viem that is { message: { raw } }."`
    )
    expect(await answer(whole(text(geoOpHash.slice(2))))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. It has to take the message as raw bytes: with viem that is { message: { raw } }."`
    )
    expect(await answer(whole(geoOpHash))).toMatchInlineSnapshot(
      `"The key service signed the bare hash, as eth_sign does. It has to sign with personal_sign, which puts a prefix ahead (EIP-191)."`
    )
    expect(await answer(whole(PersonalMessage.getSignPayload(message)))).toMatchInlineSnapshot(
      `"The key service put the prefix of personal_sign around the digest. signDigest has to sign the 32 bytes as they are."`
    )
    expect(await answer(whole(Hash.keccak256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest once more with keccak256. signDigest has to sign the 32 bytes as they are."`
    )
    expect(await answer(whole(Hash.sha256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest once more with SHA-256. signDigest has to sign the 32 bytes as they are: with AWS KMS that is MessageType DIGEST."`
    )
    expect(await answer(`0x${"ab".repeat(130)}`)).toMatchInlineSnapshot(
      `"The key service gave back 130 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
  })

  it("is named with the account that made it, also where its s is high", async () => {
    const high = forms["65 bytes with a high s"]?.(sign(message, stranger.privateKey))
    expect(await answer(high)).toContain(`the signature is by ${stranger.address}.`)
  })

  it("is named where it is garbage", async () => {
    expect(await answer(undefined)).toMatchInlineSnapshot(
      `"The key service gave back undefined, which is no signature."`
    )
    expect(await answer(null)).toMatchInlineSnapshot(`"The key service gave back null, which is no signature."`)
    expect(await answer(7)).toMatchInlineSnapshot(`"The key service gave back a number, which is no signature."`)
    expect(await answer(true)).toMatchInlineSnapshot(`"The key service gave back a boolean, which is no signature."`)
    expect(await answer("")).toMatchInlineSnapshot(`"The key service gave back an empty text, which is no signature."`)
    expect(await answer("0x")).toMatchInlineSnapshot(
      `"The key service gave back a text of 2 characters, which is no signature."`
    )
    expect(await answer("0x123")).toMatchInlineSnapshot(
      `"The key service gave back a text of 5 characters, which is no signature."`
    )
    expect(await answer("signed")).toMatchInlineSnapshot(
      `"The key service gave back a text of 6 characters, which is no signature."`
    )
    expect(await answer(`0x${"ab".repeat(1_000_000)}`)).toMatchInlineSnapshot(
      `"The key service gave back 1000000 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
    expect(await answer(new Uint8Array(1_000_000))).toMatchInlineSnapshot(
      `"The key service gave back 1000000 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
    expect(await answer(new Uint8Array(0))).toMatchInlineSnapshot(
      `"The key service gave back 0 bytes, which are no signature."`
    )
    expect(await answer(`0x${"ab".repeat(63)}`)).toMatchInlineSnapshot(
      `"The key service gave back 63 bytes, which are no signature."`
    )
    expect(await answer(`0x${"00".repeat(65)}`)).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer(`0x${"ff".repeat(64)}1b`)).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer({})).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: 1n })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: "0x", s: "0x" })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: -1n, s: 2n ** 300n })).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer({ r: `0x${"1".repeat(66)}`, s: "0x1" })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer([1, 2, 3])).toMatchInlineSnapshot(
      `"The key service gave back a list without an r and an s of up to 32 bytes."`
    )
    expect(await answer(() => "0x")).toMatchInlineSnapshot(
      `"The key service gave back a function, which is no signature."`
    )
    expect(
      await answer({
        get r() {
          throw new Error("no")
        }
      })
    ).toMatchInlineSnapshot(`"The key service gave back something that cannot be read."`)
  })

  it("is no signature where r or s is the order of the curve, or 0", async () => {
    for (const lie of [{ r: order }, { s: order }, { r: 0n }, { s: 0n }]) {
      expect(await answer({ ...sign(message), ...lie })).toBe(
        "The key service gave back a signature whose r or s no key can make."
      )
    }
    expect(candidates([{ r: order - 1n, s: order - 1n }])).toHaveLength(2)
  })

  it("may have a zero ahead of a number, and no more than that", async () => {
    const { r, s, yParity } = sign(message)
    const padded = (bytes: number) => Bytes.fromHex(Hexadecimal.fromNumber(r, { size: bytes }))
    const long = "The key service gave back an object without an r and an s of up to 32 bytes."
    for (const bytes of [34, 35, 48, 64, 65, 98, 99]) {
      expect(await answer({ r: padded(bytes), s, yParity })).toBe(long)
      expect(await answer({ r: Hexadecimal.fromNumber(r, { size: bytes }), s, yParity })).toBe(long)
    }
    const service = { address, signMessage: () => ({ r: padded(33), s, yParity }) }
    expect(await EvmSigner.fromPromise(service).signOperation(operation, alive())).toBe(whole(message))
  })

  it("keeps an s of up to half of the order, and turns over the next", () => {
    const half = (order - 1n) / 2n
    const word = (value: bigint) => Hexadecimal.fromNumber(value, { size: 32 })
    const r = 5n
    expect(candidates([{ r, s: half, yParity: 0 }])[0]).toStrictEqual({ r: word(r), s: word(half), yParity: 0 })
    expect(candidates([{ r, s: half + 1n, yParity: 0 }])[0]).toStrictEqual({ r: word(r), s: word(half), yParity: 1 })
    expect(candidates([{ r, s: half + 2n, yParity: 1 }])[0]).toStrictEqual({
      r: word(r),
      s: word(half - 1n),
      yParity: 0
    })
  })

  it("is named where it is another delegation", async () => {
    const answering = async (answers: unknown) => {
      const service = { address, signMessage: () => "0x", signAuthorization: () => answers as string }
      const error = await rejection(Promise.resolve(EvmSigner.fromPromise(service).signAuthorization?.(tuple, alive())))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      return (error as SwapError.SignerError).message
    }
    const signed = { r: 1n, s: 1n }
    expect(await answering({ ...signed, chainId: 0 })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for chain 0 instead of 8453. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: "0x1" })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for chain 1 instead of 8453. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: BigInt(privateKey) })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another chain than 8453. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: privateKey })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another chain than 8453. Do not use it."`
    )
    expect(await answering({ ...signed, nonce: "soon" })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another nonce than 1. Do not use it."`
    )
    expect(await answering({ ...signed, nonce: 2n ** 53n })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another nonce than 1. Do not use it."`
    )
    expect(await answering({ ...signed, nonce: 2n })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for nonce 2 instead of 1. Do not use it."`
    )
    expect(await answering({ ...signed, address: stranger.address })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another contract than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use it."`
    )
    expect(await answering({ ...signed, contractAddress: 7 })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another contract than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: Symbol("no") })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for something that cannot be read. Do not use it."`
    )
    expect(await answering(undefined)).toMatchInlineSnapshot(
      `"The key service gave back undefined, which is no signature."`
    )
    expect(await answering("0x")).toMatchInlineSnapshot(
      `"The key service gave back a text of 2 characters, which is no signature."`
    )
  })

  it("gives exactly the six members of a delegation, with the address as it was asked for", async () => {
    const spelt = "0x9a1fc8C0369D49f3040bF49c1490E7006657ea56"
    for (const signer of [EvmSigner.fromAccount(account), EvmSigner.fromPromise(digestService())]) {
      const signed = await signer.signAuthorization?.({ ...tuple, address: spelt }, alive())
      expect(Object.keys(signed ?? {}).toSorted()).toStrictEqual(["address", "chainId", "nonce", "r", "s", "yParity"])
      expect(signed?.address).toBe(spelt)
    }
  })

  it("may name the delegation in viem's words, with numbers in any form", async () => {
    const named = { chainId: "0x2105", contractAddress: delegate.toUpperCase().replace("0X", "0x"), nonce: 1n }
    const service = {
      address,
      signMessage: () => "0x",
      signAuthorization: async (asked: { chainId: number; address: Hex; nonce: number }) => {
        const { r, s, yParity = 0 } = await account.signAuthorization(asked)
        return { ...named, r, s, v: 27 + yParity }
      }
    }
    const signed = await EvmSigner.fromPromise(service).signAuthorization?.(tuple, alive())
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
  })
})
