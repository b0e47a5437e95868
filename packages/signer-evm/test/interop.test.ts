/** Signatures of other libraries are accepted, they accept ours, and published vectors match. */
import { describe, expect, it } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Hexadecimal from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Signature from "ox/Signature"
import { hashMessage, recoverMessageAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { recoverAuthorizationAddress } from "viem/utils"
import { authorizationSigner, messageSigner, tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { isChosen, isWhole } from "../../../tooling/testing/matrix.ts"
import { EvmSigner } from "../src/index.js"
import { parseSignature } from "../src/internal/parseSignature.js"
import { verifySignature } from "../src/internal/verifySignature.js"
import { agreement } from "./operations.js"
import { address, digestService, forms, privateKey, sign, twin } from "./wallets.js"

type Hex = `0x${string}`

const alive = () => ({ signal: new AbortController().signal })
const account = privateKeyToAccount(privateKey)

/** A bare hash to sign for a wallet. */
const bare = (geoOpHash: Hex, walletAddress: string = address): Signer.OperationToSign => ({
  ...agreement,
  request: { ...agreement.request, walletAddress },
  geoOpHash
})

/** A wallet that always returns the same signature. */
const answering = (signature: EvmSigner.SignatureForm, walletAddress: string = address) =>
  EvmSigner.fromKeyService({ address: walletAddress, signMessage: () => signature })

/** A sequence of different hashes. */
const hashes = function* () {
  for (let index = 1n; ; index++) yield Hexadecimal.fromNumber(index * 0x9e3779b97f4a7c15n, { size: 32 })
}

describe("published vectors", () => {
  // The test of ethers for 32 raw bytes (ethers-io/ethers.js, issue 80).
  const ethers = {
    address: "0xD351c7c627ad5531Edb9587f4150CaF393c33E87",
    privateKey: "0x51d1d6047622bca92272d36b297799ecc152dc2ef91b229debf84fc41e8c73ee",
    raw: "0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad",
    signature:
      "0x546f0c996fa4cfbf2b68fd413bfb477f05e44e66545d7782d87d52305831cd055fc9943e513297d0f6755ad1590a5476bf7d1761d4f9dc07dfe473824bbdec751b"
  } as const

  it("of ethers: personal_sign over 32 raw bytes", async () => {
    const operation = bare(ethers.raw, ethers.address)
    const ours = EvmSigner.fromAccount(privateKeyToAccount(ethers.privateKey))
    expect(await ours.signOperation(operation, alive())).toBe(ethers.signature)
    const theirs = answering(ethers.signature, ethers.address)
    expect(await theirs.signOperation(operation, alive())).toBe(ethers.signature)
  })

  it("of Trust Wallet: an EIP-7702 authorization", async () => {
    const delegate = "0xB91aaa96B138A1B1D94c9df4628187132c5F2bf1"
    const tuple = { chainId: 1, address: delegate, nonce: 1 } as const
    const key = "0x947dd69af402e7f48da1b845dfc1df6be593d01a0d8274bd03ec56712e7164e8"
    const { signAuthorization } = EvmSigner.fromAccount(privateKeyToAccount(key))
    const deployment = { delegates: [delegate], vault: delegate }
    expect(tupleHash(tuple)).toBe("0x3ae543b2fa103a39a6985d964a67caed05f6b9bb2430ad6d498cda743fe911d9")
    expect(await signAuthorization?.({ ...tuple, deployment }, alive())).toStrictEqual({
      ...tuple,
      yParity: 1,
      r: "0x2c39f2f64441dd38c364ee175dc6b9a87f34ca330bce968f6c8e22811e3bb710",
      s: "0x5f1bcde93dee4b214e60bc0e63babcc13e4fecb8a23c4098fd89844762aa012c"
    })
  })

  it.each([
    {
      message: "Hello World",
      r: "68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90",
      s: "7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
      yParity: 0,
      compact: "7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064"
    },
    {
      message: "It's a small(er) world",
      r: "9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76",
      s: "139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
      yParity: 1,
      compact: "939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793"
    }
  ])("of EIP-2098: the compact signature of $message", async ({ compact, message, r, s, yParity }) => {
    const signer = privateKeyToAccount(`0x${"1234567890".repeat(6)}1234`)
    const requested = { who: "The wallet", address: signer.address }
    const accepted = (answer: unknown) =>
      Effect.runPromise(verifySignature(requested, hashMessage(message), answer, Effect.succeed([])))
    const expected = { r: `0x${r}`, s: `0x${s}`, yParity }
    expect(await accepted(`0x${r}${compact}`)).toStrictEqual(expected)
    expect(await accepted(`0x${r}${s}${yParity === 0 ? "1b" : "1c"}`)).toStrictEqual(expected)
    expect(await accepted(`0x${r}${s}`)).toStrictEqual(expected)
  })

  it.each(Vectors.operations)("of core: an operation $name", async (vector) => {
    expect(await EvmSigner.fromAccount(account).signOperation(vector, alive())).toBe(vector.typedSignature)
    expect(await answering(vector.signature).signOperation(vector, alive())).toBe(vector.signature)
  })

  it.each(Vectors.authorizations)("of core: a delegation at nonce $nonce", async (vector) => {
    const { r: _, s: __, yParity: ___, ...tuple } = vector
    const { signAuthorization } = EvmSigner.fromKeyService({
      address,
      signMessage: () => "0x",
      signAuthorization: () => vector
    })
    expect(await signAuthorization?.({ ...tuple, deployment: agreement.deployment }, alive())).toStrictEqual(vector)
  })
})

describe("interoperability", () => {
  it("our signatures verify in ox and viem, and theirs verify here", async () => {
    let tried = 0
    for (const hash of hashes()) {
      if (tried++ === (isWhole ? 24 : 8)) break
      const byOx = Signature.toHex(sign(PersonalMessage.getSignPayload(hash)))
      const byViem = await account.signMessage({ message: { raw: hash } })
      const ours = await EvmSigner.fromKeyService(digestService()).signOperation(bare(hash), alive())
      expect([byOx, byViem]).toStrictEqual([ours, ours])
      expect(await answering(byOx).signOperation(bare(hash), alive())).toBe(ours)
      expect(messageSigner(hash, ours).toLowerCase()).toBe(address)
      expect(await recoverMessageAddress({ message: { raw: hash }, signature: ours })).toBe(account.address)
    }
  })

  it("our delegations verify in ox and viem, and theirs verify here", async () => {
    const [delegate] = agreement.deployment.delegates ?? []
    for (const [row, nonce] of [0, 1, 127, 128, 255, 256, 2 ** 32, Number.MAX_SAFE_INTEGER].entries()) {
      for (const [column, chainId] of [1, 128, 8453, 2 ** 40].entries()) {
        if (!isChosen(row, column, 4)) continue
        const tuple = { chainId, address: delegate as Hex, nonce }
        const requested = { ...tuple, deployment: agreement.deployment }
        const ours = await EvmSigner.fromKeyService(digestService()).signAuthorization?.(requested, alive())
        const byViem = await EvmSigner.fromAccount(account).signAuthorization?.(requested, alive())
        if (ours === undefined) throw new Error("there is no delegation")
        expect(byViem).toStrictEqual(ours)
        expect(authorizationSigner(ours).toLowerCase()).toBe(address)
        expect(await recoverAuthorizationAddress({ authorization: ours })).toBe(account.address)
      }
    }
  })
})

describe("numbers with leading zeros", () => {
  const short = 2n ** 247n
  /** The first hash whose signature meets the condition. */
  const first = (wanted: (signature: Signature.Signature) => boolean) => {
    for (const hash of hashes()) {
      const signature = sign(PersonalMessage.getSignPayload(hash))
      if (wanted(signature)) return { hash, signature }
    }
    throw new Error("unreachable")
  }
  const found = [
    { what: "a short r", ...first(({ r }) => r < short) },
    { what: "a short s", ...first(({ s }) => s < short) },
    { what: "an r that DER writes with a zero ahead", ...first(({ r }) => r >= 2n ** 255n) },
    { what: "an odd parity", ...first(({ yParity }) => yParity === 1) }
  ]
  const cases = found.flatMap((one) => Object.entries(forms).map(([form, write]) => ({ ...one, form, write })))

  it("occur in these cases", () => {
    expect(found[0]?.signature.r).toBeLessThan(short)
    expect(Signature.toDerBytes(found[0]?.signature as Signature.Signature)[3]).toBe(31)
  })

  it.each(cases)("become 65 bytes from $form with $what", async ({ hash, signature, write }) => {
    const whole = Signature.toHex(signature)
    expect(await answering(write(signature)).signOperation(bare(hash), alive())).toBe(whole)
  })
})

describe("parseSignature", () => {
  it("parses DER numbers of any length", () => {
    for (const [r, s] of [
      [1n, 1n],
      [0x80n, 1n],
      [1n, 2n ** 255n],
      [2n ** 200n + 1n, 2n ** 250n],
      [2n ** 223n, 2n ** 239n - 1n],
      [2n ** 231n, 2n ** 239n - 1n]
    ] as const) {
      for (const der of [Signature.toDerHex({ r, s }), Signature.toDerBytes({ r, s })]) {
        expect(parseSignature(der)).toContainEqual({ r, s })
      }
    }
  })

  it("returns every interpretation of DER with 64 or 65 bytes", () => {
    for (const [r, length] of [
      [2n ** 223n - 1n, 64],
      [2n ** 231n - 1n, 65]
    ] as const) {
      const der = Signature.toDerBytes({ r, s: 2n ** 239n - 1n })
      expect(der).toHaveLength(length)
      expect(parseSignature(der)).toContainEqual({ r, s: 2n ** 239n - 1n })
      expect(parseSignature(der).length).toBeGreaterThan(1)
    }
  })

  it("refuses DER with missing, additional or misplaced bytes", () => {
    const der = Signature.toDerBytes(twin(sign(`0x${"11".repeat(32)}`)))
    expect(parseSignature(der)).toHaveLength(1)
    const broken = [
      der.slice(0, -1),
      Uint8Array.from([...der.slice(0, 70), ...der.slice(0, 4)]),
      der.with(0, 0x31),
      der.with(1, 0x80),
      der.with(2, 3),
      der.with(3, 0x10),
      der.with(3, 0xff),
      der.with(5 + (der[3] ?? 0), 0)
    ]
    for (const bytes of broken) expect(parseSignature(bytes)).toBeTypeOf("string")
  })
})
