/** The removal of a delegation: an authorization to the zero address, which only `signRevocation` signs. */
import { describe, expect, it } from "@effect/vitest"
import { Delegation, type Signer } from "@geoswap/core"
import { authorizationSigner, tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive, tuple } from "./fixture.js"
import { address, BrowserWallet, digestService, RemoteSigner } from "./wallets.js"

const { zeroAddress } = Delegation
const revocation = { chainId: 8453, nonce: 7 }

describe.each([
  ["a local account", () => EvmSigner.fromAccount(account)],
  ["a key service that signs digests", () => EvmSigner.fromKeyService(digestService())],
  ["a key service that signs authorizations", () => EvmSigner.fromKeyService(new RemoteSigner())]
] as const)("%s", (_, make) => {
  it("signs the removal of a delegation for exactly one chain and nonce", async () => {
    const signed = await make().signRevocation?.(revocation, alive())
    expect(signed).toMatchObject({ ...revocation, address: zeroAddress })
    expect(authorizationSigner(signed as Delegation.Authorization).toLowerCase()).toBe(address)
  })

  it("never signs a delegation to the zero address, even if it is pinned", async () => {
    const deployment = { ...tuple.deployment, vault: address, delegates: [zeroAddress] }
    const asked = { ...tuple, address: zeroAddress, deployment }
    const error = await rejection(Promise.resolve(make().signAuthorization?.(asked, alive())))
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "delegate" })
  })
})

it.each([
  ["every chain", { chainId: 0, nonce: 7 }, "chainId"],
  ["no chain", { nonce: 7 }, "chainId"],
  ["a negative nonce", { chainId: 8453, nonce: -1 }, "nonce"],
  ["a fractional nonce", { chainId: 8453, nonce: 0.5 }, "nonce"]
])("refuses to remove a delegation for %s", async (_, asked, field) => {
  const service = digestService()
  const { signRevocation } = EvmSigner.fromKeyService(service)
  const error = await rejection(Promise.resolve(signRevocation?.(asked as Signer.RevocationToSign, alive())))
  expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
  expect(service.requested).toEqual([])
})

it("asks a key service for the hash of the zero address alone", async () => {
  const service = digestService()
  const extra = { ...revocation, address: tuple.address }
  await EvmSigner.fromKeyService(service).signRevocation?.(extra, alive())
  expect(service.requested).toEqual([tupleHash({ ...revocation, address: zeroAddress })])
})

it("rejects a removal that a key service signed for another nonce", async () => {
  const signRevocation = EvmSigner.fromKeyService({
    address,
    signMessage: () => Promise.reject(new Error("unused")),
    signAuthorization: ({ address: target, chainId, nonce }) =>
      account.signAuthorization({ address: target, chainId, nonce: nonce + 1 })
  }).signRevocation
  const error = await rejection(Promise.resolve(signRevocation?.(revocation, alive())))
  expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
})

it("is not offered for a browser wallet", () => {
  const signer = EvmSigner.fromProvider(new BrowserWallet(), address)
  expect(signer).not.toHaveProperty("signRevocation")
  expect(signer.capabilities).toEqual({ authorization: false, typedData: true })
})
