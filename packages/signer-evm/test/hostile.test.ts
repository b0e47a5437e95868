/** A service that lies about everything it can, consistently. Nothing of it is signed, and the wallet is never asked. */
import { Signer, SwapError } from "@geoswap/core"
import { createClient, type EvmSigner as PromiseSigner } from "@geoswap/core/promise"
import { Fault, ScriptedTransport, Vectors } from "@geoswap/core/testing"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EvmSigner } from "../src/index.js"
import { digestOf, library, tupleHash, typedDataHash } from "./chainLibrary.js"
import { rejection } from "../../../tooling/testing/failure.ts"
import { agreement, built, type Claim } from "./operations.js"
import { address, BrowserWallet, digestService, forms, sign, stranger } from "./wallets.js"

type Hex = `0x${string}`

const alive = () => ({ signal: new AbortController().signal })
const now = () => Math.floor(Date.now() / 1000)
const other: Hex = "0x00000000000000000000000000000000000000aa"
const zero: Hex = `0x${"00".repeat(20)}`
const { deployment, quote, request } = agreement
const honest = built(agreement)

const chainId = request.originChain
const token = request.inputToken as Hex
const uint = (name: string) => ({ name, type: "uint256" })
const addr = (name: string) => ({ name, type: "address" })

const permit = typedDataHash({
  domain: { name: "USD Coin", version: "2", chainId, verifyingContract: token },
  types: { Permit: [addr("owner"), addr("spender"), uint("value"), uint("nonce"), uint("deadline")] },
  primaryType: "Permit",
  message: { owner: address, spender: other, value: 2n ** 256n - 1n, nonce: 0n, deadline: 2n ** 256n - 1n }
})

const permit2 = typedDataHash({
  domain: { name: "Permit2", chainId, verifyingContract: "0x000000000022D473030F116dDEE9F6B43aC78BA3" },
  types: {
    PermitTransferFrom: [
      { name: "permitted", type: "TokenPermissions" },
      addr("spender"),
      uint("nonce"),
      uint("deadline")
    ],
    TokenPermissions: [addr("token"), uint("amount")]
  },
  primaryType: "PermitTransferFrom",
  message: { permitted: { token, amount: 2n ** 256n - 1n }, spender: other, nonce: 0n, deadline: 2n ** 256n - 1n }
})

const transfer = typedDataHash({
  domain: { name: "USD Coin", version: "2", chainId, verifyingContract: token },
  types: {
    TransferWithAuthorization: [addr("from"), addr("to"), uint("value"), uint("validAfter"), uint("validBefore")]
  },
  primaryType: "TransferWithAuthorization",
  message: { from: address, to: other, value: 10_000_000n, validAfter: 0n, validBefore: 2n ** 64n }
})

const delegation = tupleHash({ chainId, address: other, nonce: 0 })

/** What the service says in place of what was agreed, and the field that must be refused. */
const claims: ReadonlyArray<readonly [name: string, field: string, claim: Claim]> = [
  ["the digest of an EIP-2612 permit as the hash", "geoOpHash", { geoOpHash: permit }],
  ["the digest of a Permit2 permit as the hash", "geoOpHash", { geoOpHash: permit2 }],
  ["the digest of a token transfer as the hash", "geoOpHash", { geoOpHash: transfer }],
  ["the hash of a delegation as the hash", "geoOpHash", { geoOpHash: delegation }],
  ["a hash of nothing known", "geoOpHash", { geoOpHash: `0x${"5".repeat(64)}` }],
  ["a hash of 31 bytes", "geoOpHash", { geoOpHash: `0x${"5".repeat(62)}` }],
  ["a hash that is a text", "geoOpHash", { geoOpHash: "Pay me everything." as Hex }],
  ["the salt of another delegate in the domain", "geoOpHash", { domain: { delegate: other } }],
  ["another wallet in the domain", "geoOpHash", { domain: { wallet: other } }],
  ["another chain in the domain", "geoOpHash", { domain: { chainId: 1 } }],
  [
    "the hash of another order",
    "geoOpHash",
    { geoOpHash: digestOf({ ...honest.geoOp, orderId: `0x${"b2".repeat(32)}` }) }
  ],
  ["the hash of another nonce", "geoOpHash", { geoOpHash: digestOf({ ...honest.geoOp, nonce: 8n }) }],
  ["one unit more", "amount", { geoOp: { amount: request.amount + 1n } }],
  ["one unit less", "amount", { geoOp: { amount: request.amount - 1n } }],
  ["everything that a token can hold", "amount", { geoOp: { amount: 2n ** 256n - 1n } }],
  [
    "the largest amount under the hash of the right one",
    "amount",
    { geoOp: { amount: 2n ** 256n - 1n }, geoOpHash: honest.geoOpHash }
  ],
  ["nothing at all", "amount", { geoOp: { amount: 0n } }],
  ["another token", "token", { geoOp: { token: other } }],
  ["the native token", "token", { geoOp: { token: zero } }],
  ["the output token in place of the input", "token", { geoOp: { token: request.outputToken as Hex } }],
  ["another vault", "vault", { geoOp: { vault: other } }],
  ["the service's own address as vault", "vault", { geoOp: { vault: stranger.address.toLowerCase() as Hex } }],
  ["the wallet as vault", "vault", { geoOp: { vault: address } }],
  ["the delegate as vault", "vault", { geoOp: { vault: deployment.delegates?.[0] as Hex } }],
  ["another delegate", "delegate", { geoOp: { delegate: other } }],
  ["the zero address as delegate", "delegate", { geoOp: { delegate: zero } }],
  ["the wallet as its own delegate", "delegate", { geoOp: { delegate: address } }],
  ["another wallet", "wallet", { geoOp: { wallet: stranger.address.toLowerCase() as Hex } }],
  ["another chain, hashed for it", "chainId", { geoOp: { chainId: 1 } }],
  ["the destination's chain as origin", "chainId", { geoOp: { chainId: request.destinationChain } }],
  ["chain 0", "chainId", { geoOp: { chainId: 0 } }],
  ["a deadline in a thousand seconds", "deadline", { geoOp: { deadline: now() + 1_000 } }],
  ["a deadline in decades", "deadline", { geoOp: { deadline: 4_102_444_800 } }],
  ["a deadline in milliseconds", "deadline", { geoOp: { deadline: Date.now() } }],
  ["the last deadline there is", "deadline", { geoOp: { deadline: Number.MAX_SAFE_INTEGER } }],
  ["deadline 0", "deadline", { geoOp: { deadline: 0 } }],
  ["a minimum lower by one", "terms", { terms: { minOutput: (quote.minOutput ?? 0n) - 1n } }],
  ["no minimum", "terms", { terms: { minOutput: 0n } }],
  ["the output as minimum", "terms", { terms: { minOutput: quote.output } }],
  ["another recipient", "terms", { terms: { recipient: other } }],
  ["the wallet in place of the recipient", "terms", { terms: { recipient: address } }],
  ["a recipient on Solana", "terms", { terms: { recipient: Vectors.solanaKey.address } }],
  ["another destination", "terms", { terms: { destinationChain: 10 } }],
  ["the origin as destination", "terms", { terms: { destinationChain: chainId } }],
  ["another output token", "terms", { terms: { outputToken: other } }],
  ["the native token as output", "terms", { terms: { outputToken: zero } }],
  ["terms of nothing", "terms", { geoOp: { terms: `0x${"00".repeat(32)}` } }],
  ["several lies at once", "token", { geoOp: { token: other, amount: 1n, vault: other }, terms: { recipient: other } }]
]

/** The service has moved to another vault, and the wallet is delegated to the account of the one before. */
const older = {
  delegates: [other],
  vault: other,
  older: [{ delegate: honest.geoOp.delegate, vault: honest.geoOp.vault }]
}

/** The same operation held against another agreement, which the service did not hear of. */
const agreements: ReadonlyArray<readonly [name: string, field: string, lie: Signer.OperationToSign]> = [
  ["a smaller amount was asked for", "amount", { ...honest, request: { ...request, amount: 1n } }],
  ["another token was asked for", "token", { ...honest, request: { ...request, inputToken: other } }],
  ["another recipient was asked for", "terms", { ...honest, request: { ...request, recipient: other } }],
  ["another output was asked for", "terms", { ...honest, request: { ...request, outputToken: other } }],
  ["a higher minimum was quoted", "terms", { ...honest, quote: { ...quote, minOutput: quote.output } }],
  ["the wallet is another", "walletAddress", built({ ...agreement, request: { ...request, walletAddress: other } })],
  ["another vault is pinned", "vault", { ...honest, deployment: { ...deployment, vault: other } }],
  ["another delegate is pinned", "delegate", { ...honest, deployment: { ...deployment, delegates: [other] } }],
  ["no delegate is pinned", "delegate", { ...honest, deployment: { vault: deployment.vault } }],
  [
    "its older delegate pays another vault",
    "vault",
    { ...honest, deployment: { ...older, older: [{ delegate: honest.geoOp.delegate, vault: other }] } }
  ],
  ["no older delegate is pinned", "delegate", { ...honest, deployment: { ...older, older: [] } }],
  ["the older vaults are not a list", "older", { ...honest, deployment: { ...older, older: {} as never } }],
  [
    "an older vault has no delegate",
    "older",
    { ...honest, deployment: { ...older, older: [{ vault: other }] as never } }
  ],
  [
    "the recipient is no address",
    "recipient",
    built({ ...agreement, request: { ...request, recipient: `${address}00` } })
  ],
  [
    "the output token is no address",
    "outputToken",
    built({ ...agreement, request: { ...request, outputToken: "0x" + "0".repeat(63) } })
  ],
  [
    "the destination is no chain",
    "destinationChain",
    built({ ...agreement, request: { ...request, destinationChain: 0 } })
  ],
  ["the operation is null", "geoOp", { ...honest, geoOp: null as never }],
  ["the operation lacks its fields", "chainId", { ...honest, geoOp: {} as never }],
  ["the amount is a text", "amount", { ...honest, geoOp: { ...honest.geoOp, amount: "10000000" as never } }],
  ["the nonce cannot be hashed", "nonce", { ...honest, geoOp: { ...honest.geoOp, nonce: -1n } }],
  [
    "the operation changes once it was read",
    "geoOpHash",
    {
      ...built(agreement, { geoOp: { amount: 2n ** 255n } }),
      get geoOp() {
        let reads = 0
        const amount = { enumerable: true, get: () => (reads++ === 0 ? request.amount : 2n ** 255n) }
        return Object.defineProperty({ ...honest.geoOp }, "amount", amount)
      }
    }
  ]
]

/** Signers around a wallet that would sign anything, and how often it was asked. */
const world = () => {
  const service = digestService()
  const promise = EvmSigner.fromPromise(service)
  const effect = Effect.map(Signer.Signers, ({ evm }) => evm as Signer.EvmSigner).pipe(
    Effect.provide(EvmSigner.layerPromise(service)),
    Effect.runSync
  )
  return { service, promise, effect }
}

/** Everybody who could be talked into signing it refuses, in promises and in effects. */
const expectRefused = async (lie: Signer.OperationToSign, field: string) => {
  const { effect, promise, service } = world()
  const refusals = [
    await rejection(Promise.resolve(promise.verifyOperation?.(lie, alive()))),
    await rejection(promise.signOperation(lie, alive())),
    await Effect.runPromise(Effect.flip(effect.verifyOperation?.(lie) ?? Effect.void)),
    await Effect.runPromise(Effect.flip(effect.signOperation(lie)))
  ]
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(SwapError.UnsafeOperation)
    expect(refusal).toMatchObject({ _tag: "UnsafeOperation", field })
  }
  expect(service.asked).toHaveLength(0)
}

describe("a hostile service", () => {
  it("could get an honest operation signed, so that the lies are what is refused", async () => {
    const { promise, service } = world()
    await promise.verifyOperation?.(honest, alive())
    await promise.signOperation(honest, alive())
    expect(service.asked).toHaveLength(1)
  })

  it("could get one signed for an older vault that is pinned", async () => {
    const { promise, service } = world()
    await promise.verifyOperation?.({ ...honest, deployment: older }, alive())
    await promise.signOperation({ ...honest, deployment: older }, alive())
    expect(service.asked).toHaveLength(1)
  })

  it("has at least forty lies here, no two of them alike", () => {
    const told = claims.map(([, , claim]) => built(agreement, claim, 0))
    const texts = told.map((lie) =>
      JSON.stringify(lie, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
    )
    expect(new Set([...claims, ...agreements].map(([name]) => name)).size).toBeGreaterThanOrEqual(40)
    expect(new Set(texts).size).toBe(claims.length)
  })

  it.each(claims)("gets nothing signed with %s", async (_, field, claim) => {
    await expectRefused(built(agreement, claim), field)
  })

  it.each(agreements)("gets nothing signed where %s", async (_, field, lie) => {
    await expectRefused(lie, field)
  })
})

const tuple: Signer.AuthorizationToSign = { chainId, address: deployment.delegates?.[0] as Hex, nonce: 3, deployment }
const { deployment: _, ...unpinned } = tuple

const delegations: ReadonlyArray<readonly [name: string, field: string, lie: unknown]> = [
  ["for chain 0, which is every chain", "chainId", { ...tuple, chainId: 0 }],
  ["for a negative chain", "chainId", { ...tuple, chainId: -1 }],
  ["for half a chain", "chainId", { ...tuple, chainId: 0.5 }],
  ["for a chain beyond all numbers", "chainId", { ...tuple, chainId: 2 ** 60 }],
  ["for a chain that is not a number", "chainId", { ...tuple, chainId: "8453" }],
  ["for no chain", "chainId", { ...tuple, chainId: undefined }],
  ["at a negative nonce", "nonce", { ...tuple, nonce: -1 }],
  ["at a fractional nonce", "nonce", { ...tuple, nonce: 1.5 }],
  ["at a nonce beyond all numbers", "nonce", { ...tuple, nonce: 2 ** 64 }],
  ["at a nonce that is not a number", "nonce", { ...tuple, nonce: Number.NaN }],
  ["to another contract", "delegate", { ...tuple, address: other }],
  ["to the zero address", "delegate", { ...tuple, address: zero }],
  ["to the wallet itself", "delegate", { ...tuple, address }],
  ["to the vault", "delegate", { ...tuple, address: deployment.vault }],
  ["to what is no address", "delegate", { ...tuple, address: "0x" }],
  ["to nothing", "delegate", { ...tuple, address: undefined }],
  ["where nothing is pinned", "delegate", unpinned],
  ["where no delegate is pinned", "delegate", { ...tuple, deployment: { vault: deployment.vault } }],
  ["to the delegate of an older vault", "delegate", { ...tuple, deployment: older }],
  ["where the list of delegates is empty", "delegate", { ...tuple, deployment: { ...deployment, delegates: [] } }],
  ["that cannot be read", "authorization", null]
]

describe("a delegation", () => {
  it("is signed where it is to a pinned contract, so that the lies are what is refused", async () => {
    const { promise, service } = world()
    await promise.signAuthorization?.(tuple, alive())
    expect(service.asked).toStrictEqual([tupleHash(tuple)])
  })

  it.each(delegations)("is not signed %s", async (_, field, lie) => {
    const { effect, promise, service } = world()
    const asked = lie as Signer.AuthorizationToSign
    const refusals = [
      await rejection(Promise.resolve(promise.signAuthorization?.(asked, alive()))),
      await Effect.runPromise(Effect.flip(effect.signAuthorization?.(asked) ?? Effect.void))
    ]
    for (const refusal of refusals) expect(refusal).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(service.asked).toHaveLength(0)
  })

  /** A wallet that signs one authorization and says that it is another. */
  const lying = (signed: Partial<typeof unpinned>, said: object = {}): EvmSigner.MessageService => ({
    address,
    signMessage: () => "0x",
    signAuthorization: (asked) => {
      const { r, s, yParity } = sign(tupleHash({ ...asked, ...signed }))
      return { ...asked, ...said, r, s, yParity }
    }
  })

  it.each<[string, EvmSigner.MessageService]>([
    ["for every chain and says so", lying({ chainId: 0 }, { chainId: 0 })],
    ["for every chain and hides it", lying({ chainId: 0 })],
    ["for another chain and says so", lying({ chainId: 1 }, { chainId: 1 })],
    ["for another chain and hides it", lying({ chainId: 1 })],
    ["to another contract and says so", lying({ address: other }, { address: other })],
    [
      "to another contract in viem's older word",
      lying({ address: other }, { address: undefined, contractAddress: other })
    ],
    ["to another contract and hides it", lying({ address: other })],
    ["at another nonce and says so", lying({ nonce: 4 }, { nonce: 4 })],
    ["at another nonce and hides it", lying({ nonce: 4 })],
    ["rightly and says that it is for every chain", lying({}, { chainId: 0 })],
    ["rightly and says that it is to another contract", lying({}, { contractAddress: other })]
  ])("is not accepted from a wallet that signs it %s", async (_, wallet) => {
    const { signAuthorization } = EvmSigner.fromPromise(wallet)
    const error = await rejection(Promise.resolve(signAuthorization?.(tuple, alive())))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
  })
})

describe("a whole swap", () => {
  const lied = (claim: Claim) =>
    Fault.alter((answer) => {
      const { geoOp } = built({ ...agreement, request: evmRequest, quote: agreed }, claim)
      return { ...answer, ...honestly(geoOp, claim) }
    })
  const evmRequest = ScriptedTransport.evmRequest
  const agreed = { ...quote, output: 10_000_000n, minOutput: 9_950_000n }
  /** An operation as it is sent. */
  const honestly = (geoOp: typeof honest.geoOp, claim: Claim) => ({
    geoOpHash: claim.geoOpHash ?? digestOf(geoOp, claim.domain),
    geoOp: { ...geoOp, amount: `${geoOp.amount}`, nonce: `${geoOp.nonce}` }
  })

  const start = (evm: PromiseSigner) => {
    const service = ScriptedTransport.make({ library })
    service.ends("settled", 20)
    const client = createClient({
      transport: { send: (sent, { signal }) => Effect.runPromise(service.send(sent), { signal }) },
      signers: { evm },
      policy: { deployments: service.deployments }
    })
    return { client, service }
  }

  it("settles with a real signature and a real delegation", async () => {
    const { client, service } = start(EvmSigner.fromPromise(digestService(forms["DER in bytes with a high s"])))
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(service.seen("submit")).toHaveLength(1)
  })

  it("settles with what the lies below are made from", async () => {
    const { promise } = world()
    const { client, service } = start(promise)
    service.delegate(chainId, address)
    const seen: Array<string> = []
    service.always("build-geo-op", lied({}))
    // The service has no operation of that hash, so that its refusal of the signature is the proof that one was given.
    const error = await rejection(client.execute(evmRequest, { onProgress: ({ type }) => void seen.push(type) }))
    expect(error).toMatchObject({ _tag: "OutcomeUnknown", code: "INVALID_SIGNATURE" })
    expect(seen).toContain("signed")
  })

  it.each<[string, string, Claim]>([
    ["a Permit2 digest", "geoOpHash", { geoOpHash: permit2 }],
    ["an EIP-2612 permit", "geoOpHash", { geoOpHash: permit }],
    ["another domain", "geoOpHash", { domain: { delegate: other } }],
    ["a larger amount", "amount", { geoOp: { amount: 10_000_001n } }],
    ["another vault", "vault", { geoOp: { vault: other } }],
    ["another recipient", "terms", { terms: { recipient: other } }],
    ["a lower minimum", "terms", { terms: { minOutput: 1n } }],
    ["another chain", "chainId", { geoOp: { chainId: 1 } }],
    ["a far deadline", "deadline", { geoOp: { deadline: 4_102_444_800 } }]
  ])("submits nothing where the service builds %s", async (_, field, claim) => {
    const { promise, service: wallet } = world()
    const { client, service } = start(promise)
    service.delegate(chainId, address)
    service.always("build-geo-op", lied(claim))
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(wallet.asked).toHaveLength(0)
    expect(service.seen("submit")).toHaveLength(0)
  })

  it.each<[string, object]>([
    ["to another contract", { delegationTarget: other }],
    ["for every chain", { chainId: 0 }]
  ])("signs no delegation where the service asks for one %s", async (_, lie) => {
    const { promise, service: wallet } = world()
    const { client, service } = start(promise)
    service.always(
      "delegation",
      Fault.alter((answer) => ({ ...answer, ...lie }))
    )
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "UnsafeOperation" })
    expect(wallet.asked).toHaveLength(0)
    expect(service.seen("submit")).toHaveLength(0)
  })

  it("submits nothing that a wallet signed with another key", async () => {
    const { client, service } = start(EvmSigner.fromPromise(digestService(forms["DER in hex"], stranger.privateKey)))
    service.delegate(chainId, address)
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(service.seen("submit")).toHaveLength(0)
  })

  it("is not even quoted where a browser wallet would have to sign a delegation", async () => {
    const wallet = new BrowserWallet()
    const { client, service } = start(EvmSigner.fromProvider(wallet, address))
    const error = await rejection(client.execute(evmRequest))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "incapable" })
    expect(service.seen("quote")).toHaveLength(0)
    expect(wallet.asked).toHaveLength(0)
  })

  it("settles with a browser wallet that is delegated already", async () => {
    const wallet = new BrowserWallet()
    const { client, service } = start(EvmSigner.fromProvider(wallet, address))
    service.delegate(chainId, address)
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(wallet.asked.map(({ method }) => method)).toStrictEqual(["personal_sign"])
  })
})
