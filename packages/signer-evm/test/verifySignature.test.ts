import type { SwapError } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import * as Bytes from "ox/Bytes"
import * as Hash from "ox/Hash"
import * as Hexadecimal from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Signature from "ox/Signature"
import { EvmSigner } from "../src/index.js"
import { candidates } from "../src/internal/recoverSignature.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { account, alive, delegate, type Hex, operation, tuple } from "./fixture.js"
import { address, digestService, forms, order, privateKey, sign, stranger } from "./wallets.js"

describe("the answer of a wallet", () => {
  const whole = (payload: Hex, key?: Hex) => Signature.toHex(sign(payload, key))
  const answer = async (answers: unknown, options: EvmSigner.Options = {}) => {
    const service = { address, signMessage: () => answers as string }
    const error = await rejection(EvmSigner.fromKeyService(service, options).signOperation(operation, alive()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    return (error as SwapError.SignerError).message
  }
  const { geoOpHash } = operation
  const message = PersonalMessage.getSignPayload(geoOpHash)
  const text = (content: string) => PersonalMessage.getSignPayload(new TextEncoder().encode(content))

  it("is refused with the name of a common mistake", async () => {
    expect(await answer(whole(message, stranger.privateKey), { name: "MetaMask" })).toMatchInlineSnapshot(
      `"MetaMask signed with a different key: expected 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266, got 0x70997970C51812dc3A010C7d01b50e0d17dc79C8. Select 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 in the wallet, or create the signer with the key's address."`
    )
    expect(await answer(forms["DER in hex"]?.(sign(message, stranger.privateKey)))).toMatchInlineSnapshot(
      `"The key service signed with a different key: expected 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Select 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 in the wallet, or create the signer with the key's address."`
    )
    expect(await answer(whole(text(geoOpHash)))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. Pass the message as raw bytes: { message: { raw } } in viem."`
    )
    expect(await answer(whole(text(geoOpHash.slice(2))))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. Pass the message as raw bytes: { message: { raw } } in viem."`
    )
    expect(await answer(whole(geoOpHash))).toMatchInlineSnapshot(
      `"The key service signed the bare hash, as eth_sign does. Use personal_sign, which adds a prefix (EIP-191)."`
    )
    expect(await answer(whole(PersonalMessage.getSignPayload(message)))).toMatchInlineSnapshot(
      `"The key service added the personal_sign prefix to the digest. signDigest must sign the 32 bytes unchanged."`
    )
    expect(await answer(whole(Hash.keccak256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest again with keccak256. signDigest must sign the 32 bytes unchanged."`
    )
    expect(await answer(whole(Hash.sha256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest again with SHA-256. signDigest must sign the 32 bytes unchanged: with AWS KMS, set MessageType to DIGEST."`
    )
    expect(await answer(`0x${"ab".repeat(130)}`)).toMatchInlineSnapshot(
      `"The key service returned 130 bytes, as contract wallets do. GeoSwap needs a signature by a key. Use a wallet that is not a contract."`
    )
  })

  it("is refused with the account that signed, even if s is high", async () => {
    const high = forms["65 bytes with a high s"]?.(sign(message, stranger.privateKey))
    expect(await answer(high)).toContain(`, got ${stranger.address}.`)
  })

  it("is refused with a description if it is not a signature", async () => {
    expect(await answer(undefined)).toMatchInlineSnapshot(
      `"The key service returned undefined, which is not a signature."`
    )
    expect(await answer(null)).toMatchInlineSnapshot(`"The key service returned null, which is not a signature."`)
    expect(await answer(7)).toMatchInlineSnapshot(`"The key service returned a number, which is not a signature."`)
    expect(await answer(true)).toMatchInlineSnapshot(`"The key service returned a boolean, which is not a signature."`)
    expect(await answer("")).toMatchInlineSnapshot(
      `"The key service returned an empty string, which is not a signature."`
    )
    expect(await answer("0x")).toMatchInlineSnapshot(
      `"The key service returned a string of 2 characters, which is not a signature."`
    )
    expect(await answer("0x123")).toMatchInlineSnapshot(
      `"The key service returned a string of 5 characters, which is not a signature."`
    )
    expect(await answer("signed")).toMatchInlineSnapshot(
      `"The key service returned a string of 6 characters, which is not a signature."`
    )
    expect(await answer(`0x${"ab".repeat(1_000_000)}`)).toMatchInlineSnapshot(
      `"The key service returned 1000000 bytes, as contract wallets do. GeoSwap needs a signature by a key. Use a wallet that is not a contract."`
    )
    expect(await answer(new Uint8Array(1_000_000))).toMatchInlineSnapshot(
      `"The key service returned 1000000 bytes, as contract wallets do. GeoSwap needs a signature by a key. Use a wallet that is not a contract."`
    )
    expect(await answer(new Uint8Array(0))).toMatchInlineSnapshot(
      `"The key service returned 0 bytes, which is not a signature."`
    )
    expect(await answer(`0x${"ab".repeat(63)}`)).toMatchInlineSnapshot(
      `"The key service returned 63 bytes, which is not a signature."`
    )
    expect(await answer(`0x${"00".repeat(65)}`)).toMatchInlineSnapshot(
      `"The key service returned a signature whose r or s is out of range."`
    )
    expect(await answer(`0x${"ff".repeat(64)}1b`)).toMatchInlineSnapshot(
      `"The key service returned a signature whose r or s is out of range."`
    )
    expect(await answer({})).toMatchInlineSnapshot(
      `"The key service returned an object without an r and an s of at most 32 bytes each."`
    )
    expect(await answer({ r: 1n })).toMatchInlineSnapshot(
      `"The key service returned an object without an r and an s of at most 32 bytes each."`
    )
    expect(await answer({ r: "0x", s: "0x" })).toMatchInlineSnapshot(
      `"The key service returned an object without an r and an s of at most 32 bytes each."`
    )
    expect(await answer({ r: -1n, s: 2n ** 300n })).toMatchInlineSnapshot(
      `"The key service returned a signature whose r or s is out of range."`
    )
    expect(await answer({ r: `0x${"1".repeat(66)}`, s: "0x1" })).toMatchInlineSnapshot(
      `"The key service returned an object without an r and an s of at most 32 bytes each."`
    )
    expect(await answer([1, 2, 3])).toMatchInlineSnapshot(
      `"The key service returned an array without an r and an s of at most 32 bytes each."`
    )
    expect(await answer(() => "0x")).toMatchInlineSnapshot(
      `"The key service returned a function, which is not a signature."`
    )
    expect(
      await answer({
        get r() {
          throw new Error("no")
        }
      })
    ).toMatchInlineSnapshot(`"The key service returned an object whose properties throw."`)
  })

  it("is refused if r or s is 0 or the order of the curve", async () => {
    for (const lie of [{ r: order }, { s: order }, { r: 0n }, { s: 0n }]) {
      expect(await answer({ ...sign(message), ...lie })).toBe(
        "The key service returned a signature whose r or s is out of range."
      )
    }
    expect(candidates([{ r: order - 1n, s: order - 1n }])).toHaveLength(2)
  })

  it("may have one leading zero byte in r or s", async () => {
    const { r, s, yParity } = sign(message)
    const padded = (bytes: number) => Bytes.fromHex(Hexadecimal.fromNumber(r, { size: bytes }))
    const long = "The key service returned an object without an r and an s of at most 32 bytes each."
    for (const bytes of [34, 35, 48, 64, 65, 98, 99]) {
      expect(await answer({ r: padded(bytes), s, yParity })).toBe(long)
      expect(await answer({ r: Hexadecimal.fromNumber(r, { size: bytes }), s, yParity })).toBe(long)
    }
    const service = { address, signMessage: () => ({ r: padded(33), s, yParity }) }
    expect(await EvmSigner.fromKeyService(service).signOperation(operation, alive())).toBe(whole(message))
  })

  it("keeps an s of up to half of the order and flips a higher one", () => {
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

  it("is refused if it is a different delegation", async () => {
    const answering = async (answers: unknown) => {
      const service = { address, signMessage: () => "0x", signAuthorization: () => answers as string }
      const error = await rejection(
        Promise.resolve(EvmSigner.fromKeyService(service).signAuthorization?.(tuple, alive()))
      )
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      return (error as SwapError.SignerError).message
    }
    const signed = { r: 1n, s: 1n }
    expect(await answering({ ...signed, chainId: 0 })).toMatchInlineSnapshot(
      `"The key service returned a delegation for chain 0 instead of 8453. Do not use this delegation."`
    )
    expect(await answering({ ...signed, chainId: "0x1" })).toMatchInlineSnapshot(
      `"The key service returned a delegation for chain 1 instead of 8453. Do not use this delegation."`
    )
    expect(await answering({ ...signed, chainId: BigInt(privateKey) })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a chain other than 8453. Do not use this delegation."`
    )
    expect(await answering({ ...signed, chainId: privateKey })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a chain other than 8453. Do not use this delegation."`
    )
    expect(await answering({ ...signed, nonce: "soon" })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a nonce other than 1. Do not use this delegation."`
    )
    expect(await answering({ ...signed, nonce: 2n ** 53n })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a nonce other than 1. Do not use this delegation."`
    )
    expect(await answering({ ...signed, nonce: 2n })).toMatchInlineSnapshot(
      `"The key service returned a delegation for nonce 2 instead of 1. Do not use this delegation."`
    )
    expect(await answering({ ...signed, address: stranger.address })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a contract other than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use this delegation."`
    )
    expect(await answering({ ...signed, contractAddress: 7 })).toMatchInlineSnapshot(
      `"The key service returned a delegation for a contract other than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use this delegation."`
    )
    expect(await answering({ ...signed, chainId: Symbol("no") })).toMatchInlineSnapshot(
      `"The key service returned a delegation for an object whose properties throw. Do not use this delegation."`
    )
    expect(await answering(undefined)).toMatchInlineSnapshot(
      `"The key service returned undefined, which is not a signature."`
    )
    expect(await answering("0x")).toMatchInlineSnapshot(
      `"The key service returned a string of 2 characters, which is not a signature."`
    )
  })

  it("becomes an authorization of exactly six fields, with the requested address", async () => {
    const spelt = "0x9a1fc8C0369D49f3040bF49c1490E7006657ea56"
    for (const signer of [EvmSigner.fromAccount(account), EvmSigner.fromKeyService(digestService())]) {
      const signed = await signer.signAuthorization?.({ ...tuple, address: spelt }, alive())
      expect(Object.keys(signed ?? {}).toSorted()).toStrictEqual(["address", "chainId", "nonce", "r", "s", "yParity"])
      expect(signed?.address).toBe(spelt)
    }
  })

  it("may repeat the delegation with the field names of viem and numbers in any format", async () => {
    const named = { chainId: "0x2105", contractAddress: delegate.toUpperCase().replace("0X", "0x"), nonce: 1n }
    const service = {
      address,
      signMessage: () => "0x",
      signAuthorization: async (requested: { chainId: number; address: Hex; nonce: number }) => {
        const { r, s, yParity = 0 } = await account.signAuthorization(requested)
        return { ...named, r, s, v: 27 + yParity }
      }
    }
    const signed = await EvmSigner.fromKeyService(service).signAuthorization?.(tuple, alive())
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
  })
})
