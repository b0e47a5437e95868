/** A service that lies consistently about everything it can. Nothing is signed, and the wallet is never called. */
import { describe, expect, it } from "@effect/vitest"
import { Payment, Signer, SwapError } from "@geoswap/core"
import { createClient, type PromiseEvmSigner } from "@geoswap/core/promise"
import { Fault, ScriptedTransport, Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { digestOf, library, tupleHash, typedDataHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
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

/** What the service claims instead of the agreement, and the field of the refusal. */
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
    { geoOpHash: digestOf({ ...honest.geoOp, orderId: `0x${"b2".repeat(32)}` as const }) }
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

/** The service has moved to another vault, and the wallet is still delegated to the previous account. */
const older = {
  delegates: [other],
  vault: other,
  older: [{ delegate: honest.geoOp.delegate, vault: honest.geoOp.vault }]
}

/** The same operation compared with another agreement, which the service does not know. */
const agreements: ReadonlyArray<readonly [name: string, field: string, lie: Signer.OperationToSign]> = [
  ["a smaller amount was requested", "amount", { ...honest, request: { ...request, amount: 1n } }],
  ["another token was requested", "token", { ...honest, request: { ...request, inputToken: other } }],
  ["another recipient was requested", "terms", { ...honest, request: { ...request, recipient: other } }],
  ["another output was requested", "terms", { ...honest, request: { ...request, outputToken: other } }],
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
  ["the older vaults are not an array", "older", { ...honest, deployment: { ...older, older: {} as never } }],
  [
    "an older vault has no delegate",
    "older",
    { ...honest, deployment: { ...older, older: [{ vault: other }] as never } }
  ],
  [
    "the recipient is not an address",
    "recipient",
    built({ ...agreement, request: { ...request, recipient: `${address}00` } })
  ],
  [
    "the output token is not an address",
    "outputToken",
    built({ ...agreement, request: { ...request, outputToken: "0x" + "0".repeat(63) } })
  ],
  [
    "the destination is not a chain id",
    "destinationChain",
    built({ ...agreement, request: { ...request, destinationChain: 0 } })
  ],
  ["the operation is null", "geoOp", { ...honest, geoOp: null as never }],
  ["the operation lacks its fields", "chainId", { ...honest, geoOp: {} as never }],
  ["the amount is a text", "amount", { ...honest, geoOp: { ...honest.geoOp, amount: "10000000" as never } }],
  ["the nonce cannot be hashed", "nonce", { ...honest, geoOp: { ...honest.geoOp, nonce: -1n } }],
  [
    "the operation changes after the first read",
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

/** Signers of a wallet that would sign anything, and the number of its calls. */
const signersOfWallet = () => {
  const service = digestService()
  const promise = EvmSigner.fromKeyService(service)
  const effect = Effect.map(Signer.Signers, ({ evm }) => evm as Signer.Evm).pipe(
    Effect.provide(EvmSigner.layerKeyService(service)),
    Effect.runSync
  )
  return { service, promise, effect }
}

/** Expects every signer to refuse, with promises and with effects. */
const expectRefused = async (lie: Signer.OperationToSign, field: string) => {
  const { effect, promise, service } = signersOfWallet()
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
  expect(service.requested).toHaveLength(0)
}

describe("a hostile service", () => {
  it("gets an honest operation signed, so the lies below are the reason for refusals", async () => {
    const { promise, service } = signersOfWallet()
    await promise.verifyOperation?.(honest, alive())
    await promise.signOperation(honest, alive())
    expect(service.requested).toHaveLength(1)
  })

  it("gets an operation signed for an older pinned vault", async () => {
    const { promise, service } = signersOfWallet()
    await promise.verifyOperation?.({ ...honest, deployment: older }, alive())
    await promise.signOperation({ ...honest, deployment: older }, alive())
    expect(service.requested).toHaveLength(1)
  })

  it("tries at least forty different lies", () => {
    const operations = claims.map(([, , claim]) => built(agreement, claim, 0))
    const texts = operations.map((lie) =>
      JSON.stringify(lie, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
    )
    expect(new Set([...claims, ...agreements].map(([name]) => name)).size).toBeGreaterThanOrEqual(40)
    expect(new Set(texts).size).toBe(claims.length)
  })

  it.each(claims)("gets nothing signed with %s", async (_, field, claim) => {
    await expectRefused(built(agreement, claim), field)
  })

  it.each(agreements)("gets nothing signed if %s", async (_, field, lie) => {
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
  ["to an invalid address", "delegate", { ...tuple, address: "0x" }],
  ["to nothing", "delegate", { ...tuple, address: undefined }],
  ["if nothing is pinned", "delegate", unpinned],
  ["if no delegate is pinned", "delegate", { ...tuple, deployment: { vault: deployment.vault } }],
  ["to the delegate of an older vault", "delegate", { ...tuple, deployment: older }],
  ["if the list of delegates is empty", "delegate", { ...tuple, deployment: { ...deployment, delegates: [] } }],
  ["that cannot be read", "authorization", null]
]

describe("a delegation", () => {
  it("is signed for a pinned contract, so the lies below are the reason for refusals", async () => {
    const { promise, service } = signersOfWallet()
    await promise.signAuthorization?.(tuple, alive())
    expect(service.requested).toStrictEqual([tupleHash(tuple)])
  })

  it.each(delegations)("is refused %s", async (_, field, lie) => {
    const { effect, promise, service } = signersOfWallet()
    const requested = lie as Signer.AuthorizationToSign
    const refusals = [
      await rejection(Promise.resolve(promise.signAuthorization?.(requested, alive()))),
      await Effect.runPromise(Effect.flip(effect.signAuthorization?.(requested) ?? Effect.void))
    ]
    for (const refusal of refusals) expect(refusal).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(service.requested).toHaveLength(0)
  })

  /** A wallet that signs one authorization and claims another. */
  const lying = (signed: Partial<typeof unpinned>, said: object = {}): EvmSigner.MessageService => ({
    address,
    signMessage: () => "0x",
    signAuthorization: (requested) => {
      const { r, s, yParity } = sign(tupleHash({ ...requested, ...signed }))
      return { ...requested, ...said, r, s, yParity }
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
    ["correctly but claims that it is for every chain", lying({}, { chainId: 0 })],
    ["correctly but claims that it is to another contract", lying({}, { contractAddress: other })]
  ])("is refused from a wallet that signs it %s", async (_, wallet) => {
    const { signAuthorization } = EvmSigner.fromKeyService(wallet)
    const error = await rejection(Promise.resolve(signAuthorization?.(tuple, alive())))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
  })
})

describe("a complete swap", () => {
  const lied = (claim: Claim) =>
    Fault.alter((answer) => {
      const { geoOp } = built({ ...agreement, request: evmRequest, quote: agreed }, claim)
      return { ...answer, ...honestly(geoOp, claim) }
    })
  const evmRequest = ScriptedTransport.evmRequest
  const agreed = { ...quote, output: 10_000_000n, minOutput: 9_950_000n }
  /** An operation as sent by the service. */
  const honestly = (geoOp: typeof honest.geoOp, claim: Claim) => ({
    geoOpHash: claim.geoOpHash ?? digestOf(geoOp, claim.domain),
    geoOp: { ...geoOp, amount: `${geoOp.amount}`, nonce: `${geoOp.nonce}` }
  })

  const start = (evm: PromiseEvmSigner) => {
    const service = ScriptedTransport.make({ library })
    service.ends("settled", 20)
    const client = createClient({
      transport: { send: (sent, { signal }) => Effect.runPromise(service.send(sent), { signal }) },
      signers: { evm },
      network: service.network
    })
    return { client, service }
  }

  it("settles with a real signature and a real delegation", async () => {
    const { client, service } = start(EvmSigner.fromKeyService(digestService(forms["DER in bytes with a high s"])))
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(service.seen("submit")).toHaveLength(1)
  })

  it("settles without the lies below", async () => {
    const { promise } = signersOfWallet()
    const { client, service } = start(promise)
    service.delegate(chainId, address)
    const seen: Array<string> = []
    service.always("build-geo-op", lied({}))
    // The service has no operation with that hash, so its refusal of the signature proves that one was made.
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
  ])("submits nothing if the service builds %s", async (_, field, claim) => {
    const { promise, service: wallet } = signersOfWallet()
    const { client, service } = start(promise)
    service.delegate(chainId, address)
    service.always("build-geo-op", lied(claim))
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(wallet.requested).toHaveLength(0)
    expect(service.seen("submit")).toHaveLength(0)
  })

  it.each<[string, object]>([
    ["to another contract", { delegationTarget: other }],
    ["for every chain", { chainId: 0 }]
  ])("signs no delegation if the service requests one %s", async (_, lie) => {
    const { promise, service: wallet } = signersOfWallet()
    const { client, service } = start(promise)
    service.always(
      "delegation",
      Fault.alter((answer) => ({ ...answer, ...lie }))
    )
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "UnsafeOperation" })
    expect(wallet.requested).toHaveLength(0)
    expect(service.seen("submit")).toHaveLength(0)
  })

  it("submits nothing that a wallet signed with a different key", async () => {
    const { client, service } = start(EvmSigner.fromKeyService(digestService(forms["DER in hex"], stranger.privateKey)))
    service.delegate(chainId, address)
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(service.seen("submit")).toHaveLength(0)
  })

  it("is not built if a browser wallet would have to sign a delegation", async () => {
    const wallet = new BrowserWallet()
    const { client, service } = start(EvmSigner.fromProvider(wallet, address))
    const error = await rejection(client.execute(evmRequest, { acceptQuote: () => expect.fail("asked") }))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "incapable" })
    expect(service.seen("build-geo-op")).toHaveLength(0)
    expect(wallet.requested).toHaveLength(0)
  })

  it.each(Payment.methods)("settles with a browser wallet that pays with %s", async (method) => {
    const wallet = new BrowserWallet()
    const { client, service } = start(EvmSigner.fromProvider(wallet, address))
    service.paymentMethods("delegation", method)
    expect((await client.execute(evmRequest)).status).toBe("settled")
    const signatures = wallet.requested.filter(({ method: asked }) => asked === "eth_signTypedData_v4")
    expect(signatures).toHaveLength(method === "erc2612" ? 2 : 1)
  })

  it("settles with a browser wallet that is already delegated", async () => {
    const wallet = new BrowserWallet()
    const { client, service } = start(EvmSigner.fromProvider(wallet, address))
    service.delegate(chainId, address)
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(wallet.requested.map(({ method }) => method)).toStrictEqual([
      "eth_chainId",
      "eth_signTypedData_v4",
      "eth_chainId"
    ])
  })
})
