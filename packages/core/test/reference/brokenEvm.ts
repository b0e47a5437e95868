/** EVM signers that are broken in one way each. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Hex, parseSignature, recoverMessageAddress, serializeSignature, toHex, zeroAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { hashAuthorization } from "viem/utils"
import { Delegation, Operation, type Quote, type Signer, SwapError } from "../../src/index.js"
import { type EvmSignerOptions, Vectors } from "../../src/testing.js"
import { delegationProblemOf, fromPrivateKey, problemOf, revocationProblemOf } from "./evmSigner.js"
import { type Broken, evmTools } from "./contractFailures.js"
import { hashGeoOp } from "./operations.js"

const { privateKey } = Vectors.evmKey
const account = privateKeyToAccount(privateKey)
const stranger = privateKeyToAccount(toHex(1n, { size: 32 }))
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

type Operated = Signer.OperationToSign & { readonly geoOp: Operation.GeoOp }
type Problem = SwapError.SignError | undefined

const right = fromPrivateKey(privateKey) as Required<Signer.Evm>

const broken = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  change: (signer: Required<Signer.Evm>) => object,
  tools: Partial<EvmSignerOptions> = {}
): Broken<EvmSignerOptions> => ({
  name,
  fails,
  options: {
    ...evmTools,
    make: () => ({ ...right, ...change(right) }),
    ...tools
  }
})

/** A signer that verifies operations differently. It still refuses a bare hash. */
const verifying = (name: string, fails: ReadonlyArray<RegExp>, verify: (operation: Operated, now: number) => Problem) =>
  broken(name, fails, () => ({
    verifyOperation: (operation: Signer.OperationToSign) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { geoOp } = operation
        const problem = geoOp === undefined ? problemOf(operation, now) : verify({ ...operation, geoOp }, now)
        return problem === undefined ? Effect.void : Effect.fail(problem)
      })
  }))

const agreeing = (operation: Operated, request: Partial<Quote.QuoteRequest>): Operated => ({
  ...operation,
  request: { ...operation.request, ...request }
})

const pinning = (operation: Operated, pins: Partial<Operation.Deployment>): Operated => ({
  ...operation,
  deployment: { vault: operation.geoOp.vault, ...operation.deployment, ...pins }
})

/** Trusts one field of the operation. */
const blindTo: Readonly<Record<string, readonly [blind: (operation: Operated) => Operated, fails: RegExp]>> = {
  chainId: [
    (operation) => agreeing(operation, { originChain: operation.geoOp.chainId }),
    /^refuses a different chain than agreed/
  ],
  wallet: [
    (operation) => agreeing(operation, { walletAddress: operation.geoOp.wallet }),
    /^refuses a different wallet than agreed/
  ],
  token: [
    (operation) => agreeing(operation, { inputToken: operation.geoOp.token }),
    /^refuses a different token than agreed/
  ],
  amount: [
    (operation) => agreeing(operation, { amount: operation.geoOp.amount }),
    /^refuses a different amount than agreed/
  ],
  vault: [(operation) => pinning(operation, { vault: operation.geoOp.vault }), /^refuses a vault that is not pinned/],
  delegate: [
    (operation) => pinning(operation, { delegates: [operation.geoOp.delegate] }),
    /^refuses a delegate (that is not pinned|when none is pinned)/
  ]
}

const withDigest = (operation: Operated): Operated => ({ ...operation, geoOpHash: hashGeoOp(operation.geoOp) })
const wrongDigest = /^refuses a different (hash|orderId|nonce|deadline) in an operation/
const wrongTerms = /^refuses (a different (output token|recipient|destination) than agreed|a (lower|higher) minimum)/

const withoutTerms = ({ geoOp, ...operation }: Operated, now: number): Problem =>
  Operation.compare(geoOp, operation, now) ??
  (hashGeoOp(geoOp) === operation.geoOpHash
    ? undefined
    : Operation.unsafe("geoOpHash", hashGeoOp(geoOp), operation.geoOpHash))

const allRefusals = /^refuses (?!a delegation)/
const signs = /^signs (an operation|a bare hash)/
const leadingZeros = /^signs an operation to the wallet itself/

const verifications = [
  ...Object.entries(blindTo).flatMap(([field, [blind, fails]]) => [
    verifying(`does not compare ${field}`, [fails], (operation, now) => problemOf(blind(operation), now)),
    verifying(
      `neither compares ${field} nor computes the digest`,
      [
        fails,
        wrongDigest,
        // An operation to the wallet itself has the wallet in its terms, too.
        new RegExp(`^refuses a different ${field} in an operation ${field === "wallet" ? "(?!to the wallet)" : ""}`)
      ],
      (operation, now) => problemOf(withDigest(blind(operation)), now)
    )
  ]),
  verifying("skips the digest", [wrongDigest], (operation, now) => problemOf(withDigest(operation), now)),
  verifying("skips the terms", [wrongTerms], withoutTerms),
  verifying(
    "skips the terms and the digest",
    [wrongTerms, wrongDigest, /^refuses a different terms/],
    (operation, now) => withoutTerms(withDigest(operation), now)
  ),
  verifying("does not compare the deadline", [/^refuses an operation that stays valid/], (operation) =>
    problemOf(operation, operation.geoOp.deadline * 1000)
  ),
  verifying("refuses a deadline that is past", [/^accepts/], (operation, now) =>
    operation.geoOp.deadline * 1000 < now ? Operation.unsafe("deadline", "later", "past") : problemOf(operation, now)
  ),
  verifying(
    "uses the output as the minimum",
    [
      /^accepts an operation to (a recipient on another EVM chain|Solana)$/,
      /^refuses a (lower|higher) minimum than agreed in an operation to the wallet itself/
    ],
    (operation, now) => {
      const { minOutput: _, ...quote } = operation.quote
      return problemOf({ ...operation, quote }, now)
    }
  ),
  verifying("treats a missing minimum as zero", [/quoted without a minimum$/], (operation, now) =>
    problemOf({ ...operation, quote: { ...operation.quote, minOutput: operation.quote.minOutput ?? 0n } }, now)
  ),
  verifying(
    "does not check the minimum if none is quoted",
    [/^refuses a lower minimum than the output/],
    (operation, now) =>
      operation.quote.minOutput === undefined ? withoutTerms(operation, now) : problemOf(operation, now)
  ),
  verifying(
    "treats a missing recipient as the zero address",
    [/^accepts an operation to the wallet itself/],
    (operation, now) => problemOf(agreeing(operation, { recipient: operation.request.recipient ?? zeroAddress }), now)
  ),
  verifying("is case-sensitive for addresses", [/^accepts an operation to the wallet itself/], (operation, now) =>
    operation.request.inputToken === operation.geoOp.token
      ? problemOf(operation, now)
      : Operation.unsafe("token", operation.request.inputToken, operation.geoOp.token)
  ),
  verifying("knows only the first pinned delegate", [/^accepts an operation to the wallet itself/], (operation, now) =>
    problemOf(pinning(operation, { delegates: operation.deployment?.delegates?.slice(0, 1) ?? [] }), now)
  ),
  verifying(
    "accepts any delegate without a pinned one",
    [/^refuses a delegate when none is pinned/],
    (operation, now) =>
      operation.deployment?.delegates === undefined
        ? problemOf(pinning(operation, { delegates: [operation.geoOp.delegate] }), now)
        : problemOf(operation, now)
  ),
  verifying("refuses everything", [/^accepts/], () => Operation.unsafe("mood", "good", "bad")),
  verifying(
    "refuses with the wrong typed error",
    [/^refuses (?!a delegation|to verify a bare hash)/],
    (operation, now) =>
      problemOf(operation, now) === undefined
        ? undefined
        : new SwapError.SignerError({ reason: "failed", message: "No." })
  ),
  broken("verifies nothing", [allRefusals], () => ({ verifyOperation: () => Effect.void })),
  broken("has no verification", [allRefusals, /^accepts/, /^verifies/], () => ({ verifyOperation: undefined })),
  broken("treats a bare hash as verified", [/^refuses to verify a bare hash/], ({ verifyOperation }) => ({
    verifyOperation: (operation: Signer.OperationToSign) =>
      operation.geoOp === undefined ? Effect.void : verifyOperation(operation)
  })),
  broken("crashes without a deployment", [/^verifies without pinned contracts/], ({ verifyOperation }) => ({
    verifyOperation: (operation: Signer.OperationToSign) =>
      operation.deployment === undefined
        ? Effect.die(new TypeError("Cannot read properties of undefined"))
        : verifyOperation(operation)
  }))
]

/** A signer that refuses with the wrong error. */
const refusing = (name: string, refuse: (problem: SwapError.SignError) => Effect.Effect<never, unknown>) =>
  broken(name, [allRefusals], ({ verifyOperation }) => ({
    verifyOperation: (operation: Signer.OperationToSign) => Effect.catch(verifyOperation(operation), refuse)
  }))

const unsafe = Operation.unsafe("token", "this", "that")

const refusals = [
  refusing("refuses with an untagged error", () => Effect.fail(new Error("no"))),
  refusing("refuses with a plain object with the fields of a typed error", ({ _tag, message }) =>
    Effect.fail({ _tag, message })
  ),
  refusing("dies instead of failing", (problem) => Effect.die(problem)),
  refusing("has its key in the message of its errors", () =>
    Effect.fail(Operation.unsafe("key", "secret", privateKey.toUpperCase()))
  ),
  refusing("has its key in the cause of its errors", () =>
    Effect.fail(Object.assign(Operation.unsafe("token", "this", "that"), { cause: new Error(privateKey) }))
  ),
  refusing("has the bytes of its key in its errors", () =>
    Effect.fail(Object.assign(Operation.unsafe("token", "this", "that"), { context: new Map([["key", bytes]]) }))
  ),
  broken("throws instead of returning an effect that fails", [allRefusals], ({ verifyOperation }) => ({
    verifyOperation: (operation: Signer.OperationToSign) => {
      const problem = problemOf(operation, Date.now())
      if (problem !== undefined) throw problem
      return verifyOperation(operation)
    }
  })),
  broken("returns promises and rejects with an untagged error", [allRefusals], () => ({
    ...inPromises,
    verifyOperation: async (operation: Signer.OperationToSign) => {
      if (problemOf(operation, Date.now()) !== undefined) throw new Error("no")
    }
  })),
  broken(
    "returns promises and sometimes effects",
    [signs, /^signs a delegation/, /^if it can remove a delegation/, /^refuses a delegation/],
    () => ({ verifyOperation: inPromises.verifyOperation })
  )
]

const bytes = Uint8Array.from(privateKey.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const inPromises: Signer.PromiseEvmSigner = {
  address: account.address,
  capabilities: { authorization: true },
  verifyOperation: (operation) => {
    const problem = problemOf(operation, Date.now())
    if (problem !== undefined) throw problem
  },
  signOperation: ({ geoOpHash }) => account.signMessage({ message: { raw: geoOpHash } }),
  signAuthorization: async (tuple) => {
    const problem = delegationProblemOf(tuple)
    if (problem !== undefined) throw problem
    return authorized(tuple)
  },
  signRevocation: async (revocation) => {
    const problem = revocationProblemOf(revocation)
    if (problem !== undefined) throw problem
    return authorized({ ...revocation, address: Delegation.zeroAddress })
  }
}

const signing = (name: string, fails: ReadonlyArray<RegExp>, sign: (hash: Hex) => Promise<unknown>) =>
  broken(name, fails, () => ({
    signOperation: ({ geoOpHash }: Signer.OperationToSign) => Effect.promise(() => sign(geoOpHash))
  }))

const signed = (raw: Hex) => account.signMessage({ message: { raw } })
const flipped = (s: Hex): Hex => toHex(order - BigInt(s), { size: 32 })

const signatures = [
  signing("signs the hex string", [signs], (hash) => account.signMessage({ message: hash })),
  signing("signs the hash without the prefix", [signs], (hash) => account.sign({ hash })),
  signing("signs with another key", [signs], (raw) => stranger.signMessage({ message: { raw } })),
  signing("returns a high s", [signs], async (hash) => {
    const { r, s, yParity } = parseSignature(await signed(hash))
    return serializeSignature({ r, s: flipped(s), yParity: 1 - yParity })
  }),
  signing("returns v as 0 or 1", [signs], async (hash) => {
    const signature = await signed(hash)
    return `${signature.slice(0, -2)}${signature.endsWith("1b") ? "00" : "01"}`
  }),
  signing(
    "always returns v 27",
    [/^signs an operation to the wallet itself/],
    async (hash) => `${(await signed(hash)).slice(0, -2)}1b`
  ),
  signing("drops leading zeros", [leadingZeros], async (hash) => {
    const { r, s, yParity } = parseSignature(await signed(hash))
    return `${toHex(BigInt(r))}${toHex(BigInt(s)).slice(2)}${yParity === 0 ? "1b" : "1c"}`
  }),
  signing("returns the compact form", [signs], async (hash) => (await signed(hash)).slice(0, -2)),
  signing("returns nothing", [signs], async () => undefined),
  signing("cannot be reached", [signs], async () => Promise.reject(new Error("unplugged"))),
  broken("crashes when it signs a bare hash", [/^signs a bare hash/], ({ signOperation }) => ({
    signOperation: (operation: Signer.OperationToSign) => {
      if (operation.geoOp === undefined) throw new TypeError("Cannot read properties of undefined")
      return signOperation(operation)
    }
  })),
  broken("signs a bare hash as a string", [/^signs a bare hash/], ({ signOperation }) => ({
    signOperation: (operation: Signer.OperationToSign) =>
      operation.geoOp === undefined
        ? Effect.promise(() => account.signMessage({ message: operation.geoOpHash }))
        : signOperation(operation)
  })),
  broken("signs with promises and verifies with effects", [signs], () => ({ signOperation: inPromises.signOperation }))
]

const delegations = /^signs a delegation/

const authorized = async ({
  chainId,
  address,
  nonce
}: Signer.AuthorizationToSign): Promise<Delegation.Authorization> => {
  const { r, s, yParity } = await account.signAuthorization({ chainId, address, nonce })
  return { chainId, address, nonce, yParity: yParity === 0 ? 0 : 1, r, s }
}

/** A signer that signs delegations differently; `verify` returns what it refuses. */
const delegating = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  sign: (tuple: Signer.AuthorizationToSign) => Promise<unknown>,
  verify: (tuple: Signer.AuthorizationToSign) => Problem = delegationProblemOf
) =>
  broken(name, fails, () => ({
    signAuthorization: (tuple: Signer.AuthorizationToSign) => {
      const problem = verify(tuple)
      return problem === undefined ? Effect.promise(() => sign(tuple)) : Effect.fail(problem)
    }
  }))

const authorizations = [
  delegating("delegates on every chain", [/^refuses a delegation for every chain/], authorized, (tuple) =>
    delegationProblemOf({ ...tuple, chainId: 1 })
  ),
  delegating(
    "delegates to anyone",
    [/^refuses a delegation (to a contract that is not pinned|without a pinned contract|to the zero address)/],
    authorized,
    ({ chainId }) => (chainId === 0 ? unsafe : undefined)
  ),
  delegating(
    "delegates to anyone if nothing is pinned",
    [/^refuses a delegation without a pinned contract/],
    authorized,
    (tuple) => (tuple.deployment === undefined && tuple.chainId !== 0 ? undefined : delegationProblemOf(tuple))
  ),
  delegating("refuses to delegate", [delegations], authorized, () => unsafe),
  delegating("refuses to delegate with an untagged error", [/^refuses a delegation/], authorized, (tuple) =>
    delegationProblemOf(tuple) === undefined ? undefined : (new Error("no") as never)
  ),
  delegating("has its key in its errors about delegations", [/^refuses a delegation/], authorized, (tuple) =>
    delegationProblemOf(tuple) === undefined ? undefined : Operation.unsafe("key", "secret", privateKey)
  ),
  delegating("treats nonce 0 as missing", [/^signs a delegation at nonce 0$/], (tuple) =>
    authorized({ ...tuple, nonce: tuple.nonce || 1 })
  ),
  delegating("returns another nonce than it signed", [delegations], async (tuple) => ({
    ...(await authorized({ ...tuple, nonce: tuple.nonce + 1 })),
    nonce: tuple.nonce
  })),
  delegating("delegates on another chain", [delegations], (tuple) => authorized({ ...tuple, chainId: 1 })),
  delegating("delegates to another contract", [delegations], (tuple) =>
    authorized({ ...tuple, address: stranger.address })
  ),
  delegating("delegates with personal_sign", [delegations], async ({ address, chainId, nonce }) => {
    const { r, s, yParity } = parseSignature(await signed(hashAuthorization({ address, chainId, nonce })))
    return { address, chainId, nonce, r, s, yParity }
  }),
  delegating("delegates with another key", [delegations], async ({ address, chainId, nonce }) => {
    const { r, s, yParity } = await stranger.signAuthorization({ address, chainId, nonce })
    return { address, chainId, nonce, r, s, yParity }
  }),
  delegating("delegates with a high s", [delegations], async (tuple) => {
    const { s, yParity, ...rest } = await authorized(tuple)
    return { ...rest, s: flipped(s), yParity: 1 - yParity }
  }),
  delegating("returns v for yParity", [delegations], async (tuple) => {
    const { yParity, ...rest } = await authorized(tuple)
    return { ...rest, yParity: yParity + 27 }
  }),
  delegating("drops leading zeros in a delegation", [/^signs a delegation at nonce (188|642)$/], async (tuple) => {
    const { r, s, ...rest } = await authorized(tuple)
    return { ...rest, r: toHex(BigInt(r)), s: toHex(BigInt(s)) }
  }),
  delegating("returns nothing for a delegation", [delegations], async () => undefined)
]

/** A signer that removes delegations differently; `verify` returns what it refuses. */
const revoking = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  sign: (tuple: Signer.AuthorizationToSign) => Promise<unknown>,
  verify: (revocation: Signer.RevocationToSign) => Problem = revocationProblemOf
) =>
  broken(name, fails, () => ({
    signRevocation: (revocation: Signer.RevocationToSign) => {
      const problem = verify(revocation)
      const tuple = { ...revocation, address: Delegation.zeroAddress }
      return problem === undefined ? Effect.promise(() => sign(tuple)) : Effect.fail(problem)
    }
  }))

const removals = /^if it can remove a delegation, signs/

const revocations = [
  delegating(
    "removes a delegation instead of setting one",
    [/^refuses a delegation to the zero address/],
    authorized,
    (tuple) => (Delegation.isZeroAddress(tuple.address) ? undefined : delegationProblemOf(tuple))
  ),
  revoking(
    "removes its delegations on every chain",
    [/^if it can remove a delegation, does not do so on every chain/],
    authorized,
    () => undefined
  ),
  revoking("removes a delegation at another nonce", [removals], (tuple) =>
    authorized({ ...tuple, nonce: tuple.nonce + 1 })
  ),
  revoking("delegates when it should remove a delegation", [removals], (tuple) =>
    authorized({ ...tuple, address: stranger.address })
  ),
  revoking("removes nothing", [removals], async () => undefined)
]

const others = [
  ...revocations,
  broken("is another wallet", [/^is the wallet/, signs, delegations, removals], () =>
    fromPrivateKey(toHex(1n, { size: 32 }))
  ),
  broken("has no address", [/^is the wallet/], () => ({ address: undefined })),
  broken("can delegate but does not declare it", [/^declares whether it can sign a delegation/], () => ({
    capabilities: { authorization: false }
  })),
  broken("does not declare its capabilities", [/^declares whether it can sign a delegation/], () => ({
    capabilities: undefined
  })),
  broken(
    "declares that it can delegate but cannot",
    [/^declares whether it can sign a delegation/, /^(signs|refuses) a delegation/],
    () => ({
      signAuthorization: undefined
    })
  ),
  broken(
    "declares that it can delegate but cannot, in a suite that does not check it",
    [/^declares whether it can sign a delegation/],
    () => ({ signAuthorization: undefined }),
    { recoverAuthorization: undefined }
  ),
  broken("delegates in a suite that cannot check it", [/^declares whether it can sign a delegation/], () => ({}), {
    recoverAuthorization: undefined
  }),
  broken("has its key in a field", [/^does not show/], () => ({ options: { key: privateKey } })),
  broken("has the bytes of its key in a field", [/^does not show/], () => ({ inner: [{ bytes }] })),
  broken("has its key as a number", [/^does not show/], () => ({ inner: new Set([BigInt(privateKey)]) })),
  broken("has its key under a symbol", [/^does not show/], () => ({ [Symbol("key")]: privateKey })),
  broken("reveals its key as JSON", [/^does not show/], () => ({ toJSON: () => privateKey })),
  broken("reveals its key as a string", [/^does not show/], () => ({ toString: () => privateKey })),
  broken(
    "signs the hex string, and also recovers from it",
    [/^is tested with a recoverMessage/],
    () => ({
      signOperation: ({ geoOpHash }: Signer.OperationToSign) =>
        Effect.promise(() => account.signMessage({ message: geoOpHash }))
    }),
    { recoverMessage: (hash, signature) => recoverMessageAddress({ message: hash, signature }) }
  ),
  broken("is tested with a recoverMessage that always succeeds", [/^is tested with a recoverMessage/], () => ({}), {
    recoverMessage: () => account.address
  }),
  broken("is tested with a recoverMessage that fails", [/^is tested with a recoverMessage/, signs], () => ({}), {
    recoverMessage: () => Promise.reject(new Error("this tool is broken"))
  }),
  broken(
    "is tested with a recoverAuthorization that always succeeds",
    [/^is tested with a recoverAuthorization/],
    () => ({}),
    { recoverAuthorization: () => account.address }
  ),
  broken(
    "is tested with a recoverAuthorization that fails",
    [/^is tested with a recoverAuthorization/, delegations, removals],
    () => ({}),
    { recoverAuthorization: () => Promise.reject(new Error("this tool is broken")) }
  )
]

export const brokenEvm = [...verifications, ...refusals, ...signatures, ...authorizations, ...others]
