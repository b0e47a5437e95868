/** A conformance suite for signers: ours, and anybody's. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { solanaMainnet } from "../Chain.js"
import type { Authorization } from "../Delegation.js"
import { type Hex, isHex } from "../Hex.js"
import type { Agreement, GeoOp } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import type {
  Abort,
  AuthorizationToSign,
  EvmSigner,
  OperationToSign,
  PromiseEvmSigner,
  PromiseSolanaSigner,
  SolanaSigner,
  TransactionToSign
} from "../Signer.js"
import { isSwapError, type SignError } from "../SwapError.js"
import { ContractViolation, holds, violated } from "./contract.js"
import {
  authorizations,
  evmDeployment,
  evmKey,
  hostileOperations,
  hostileTransactions,
  type OperationCase,
  operations,
  solanaDeployment,
  solanaKey,
  type TransactionCase,
  transactions
} from "./vectors.js"

/** One thing that a signer must do. Give `name` and `run` to a test runner. */
export interface SignerCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/** What the suite needs to know about an EVM signer. */
export interface EvmSignerOptions {
  readonly kind: "evm"
  /** Makes the signer for the suite's wallet, whose key is public. Called once per case. */
  readonly make: (key: typeof evmKey) => EvmSigner | PromiseEvmSigner | Promise<EvmSigner | PromiseEvmSigner>
  /** The address behind a personal_sign over raw bytes, by a library that the signer does not share code with. */
  readonly recoverMessage: (raw: Hex, signature: Hex) => string | Promise<string>
  /** The address behind an EIP-7702 authorization; absent for a signer that declares that it cannot sign one. */
  readonly recoverAuthorization?: ((authorization: Authorization) => string | Promise<string>) | undefined
}

/** What the suite needs to know about a Solana signer. */
export interface SolanaSignerOptions {
  readonly kind: "solana"
  /** Makes the signer for the suite's wallet, whose key is public. Called once per case. */
  readonly make: (
    key: typeof solanaKey
  ) => SolanaSigner | PromiseSolanaSigner | Promise<SolanaSigner | PromiseSolanaSigner>
  /** Whether a base64 transaction holds a valid signature of that address over its message. */
  readonly isSignedBy: (transaction: string, address: string) => boolean | Promise<boolean>
}

type AnySigner = EvmSigner | PromiseEvmSigner | SolanaSigner | PromiseSolanaSigner

type Settled<A> = { readonly value: A } | { readonly error: unknown; readonly died: boolean }

const patience: Abort = { signal: new AbortController().signal }

/** Whether a signer is written in effects: its answer to something good tells, and a blind one has none. */
const inEffects = (signer: AnySigner): boolean | undefined => {
  const verify = "signOperation" in signer ? signer.verifyOperation : signer.verifyTransaction
  if (verify === undefined) return undefined
  try {
    const answer: unknown =
      "signOperation" in signer
        ? signer.verifyOperation?.(operations[0], patience)
        : signer.verifyTransaction?.(transactions[0], patience)
    if (answer instanceof Promise) answer.catch(() => undefined)
    return Effect.isEffect(answer)
  } catch {
    return undefined
  }
}

type Answer<A> = Effect.Effect<A, SignError> | Promise<A> | A

/** Runs a method of either form of signer. */
const settle = async <A>(signer: AnySigner, ask: (abort: Abort) => Answer<A>): Promise<Settled<A>> => {
  let answer: Answer<A>
  try {
    answer = ask(patience)
  } catch (error) {
    return { error, died: inEffects(signer) === true }
  }
  if (Effect.isEffect(answer)) {
    const exit = await Effect.runPromiseExit(answer)
    return Exit.isSuccess(exit)
      ? { value: exit.value }
      : { error: Cause.squash(exit.cause), died: Cause.hasDies(exit.cause) }
  }
  try {
    return { value: await answer }
  } catch (error) {
    return { error, died: false }
  }
}

/** The same for a method that signs, which must be of the form that verifying has. */
const settleSigning = <A>(signer: AnySigner, ask: (abort: Abort) => Answer<A>): Promise<Settled<A>> =>
  settle(signer, (abort) => {
    const answer = ask(abort)
    const effects = inEffects(signer)
    if (effects !== undefined && effects !== Effect.isEffect(answer)) {
      if (answer instanceof Promise) answer.catch(() => undefined)
      return Promise.reject(new ContractViolation("the signer mixes effects and promises: it must be written in one."))
    }
    return answer
  })

const given = <A>(settled: Settled<A>, what: string): A =>
  "value" in settled ? settled.value : violated(`${what} failed: ${String(settled.error)}`)

const toolGave = async <A>(tool: string, use: () => A | Promise<A>): Promise<A> => {
  try {
    return await use()
  } catch (error) {
    return violated(`${tool}, which you gave to the suite, failed: ${String(error)}`)
  }
}

/** The texts that would give a key away. */
const secretsOf = (key: Hex, text: string): ReadonlyArray<string> => {
  const hex = key.slice(2)
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  // 30 bytes are 40 characters of base64, whatever follows them.
  const base64 = btoa(String.fromCharCode(...bytes.slice(0, 30)))
  return [text.replace(/^0x/, ""), hex, base64, bytes.join(",")].map((secret) => secret.toLowerCase())
}

const evmSecrets = secretsOf(evmKey.privateKey, evmKey.privateKey)
const solanaSecrets = secretsOf(solanaKey.seed, solanaKey.secretKey)

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256

/** Everything of a value that a console, a log or JSON would print, as texts. */
const printed = (whole: unknown, seen = new Set<unknown>()): ReadonlyArray<string> => {
  const value = whole
  if (typeof value === "bigint") return [value.toString(16)]
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return [String(value)]
  if (seen.has(value) || seen.size > 10_000) return []
  seen.add(value)
  if (value instanceof Uint8Array || (Array.isArray(value) && value.every(isByte))) return [[...value].join(",")]
  const inner = Reflect.ownKeys(value).flatMap((key): ReadonlyArray<unknown> => {
    const field = Object.getOwnPropertyDescriptor(value, key)
    return field?.enumerable === true && "value" in field ? [field.value] : []
  })
  if (value instanceof Map || value instanceof Set) inner.push(...value.keys(), ...value.values())
  if (value instanceof Error) inner.push(value.message, value.stack, value.cause)
  const texts = inner.flatMap((part) => printed(part, seen))
  try {
    const json = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString(16) : part))
    return typeof value === "function" ? texts : [...texts, String(whole), json ?? ""]
  } catch {
    // What has no text is not shown as one.
    return texts
  }
}

const shows = (value: unknown, secrets: ReadonlyArray<string>): boolean => {
  const texts = printed(value).map((text) => text.toLowerCase())
  return secrets.some((secret) => texts.some((text) => text.includes(secret)))
}

/** The refusal must be one of ours, fail instead of crash, and not give the key away. */
const refused = (
  settled: Settled<unknown>,
  what: string,
  tags: ReadonlyArray<SignError["_tag"]>,
  secrets: ReadonlyArray<string>
) => {
  holds("error" in settled, `${what} was not refused.`)
  const { died, error } = settled
  holds(!shows(error, secrets), `the error about ${what} holds the key.`)
  holds(
    isSwapError(error) && tags.some((tag) => tag === error._tag),
    `${what} should be refused with ${tags.join(" or ")} of this package, and was with: ${String(error)}`
  )
  holds(!died, `${what} was refused by a throw or a defect: an effect must fail with the error instead.`)
}

/** A signer that cannot judge may say so, in an error of ours; it may not crash. */
const refusedInWords = (settled: Settled<unknown>, what: string, secrets: ReadonlyArray<string>) =>
  "value" in settled ? undefined : refused(settled, what, ["UnsafeOperation", "SignerError"], secrets)

const bump = (word: Hex): Hex => `0x${word.slice(2, -1)}${word.endsWith("0") ? "1" : "0"}`

type Lie<V> = readonly [name: string, lie: V]

/** Fields of the operation that are not what was agreed, or do not belong to the hash. */
const fieldLies: ReadonlyArray<readonly [keyof GeoOp, (geoOp: GeoOp) => GeoOp]> = [
  ["chainId", (geoOp) => ({ ...geoOp, chainId: geoOp.chainId + 1 })],
  ["wallet", (geoOp) => ({ ...geoOp, wallet: bump(geoOp.wallet) })],
  ["delegate", (geoOp) => ({ ...geoOp, delegate: bump(geoOp.delegate) })],
  ["token", (geoOp) => ({ ...geoOp, token: bump(geoOp.token) })],
  ["amount", (geoOp) => ({ ...geoOp, amount: geoOp.amount - 1n })],
  ["vault", (geoOp) => ({ ...geoOp, vault: bump(geoOp.vault) })],
  ["orderId", (geoOp) => ({ ...geoOp, orderId: bump(geoOp.orderId) })],
  ["terms", (geoOp) => ({ ...geoOp, terms: bump(geoOp.terms) })],
  ["nonce", (geoOp) => ({ ...geoOp, nonce: geoOp.nonce ^ 1n })],
  ["deadline", (geoOp) => ({ ...geoOp, deadline: geoOp.deadline - 1 })]
]

const stranger = {
  evm: "0x00000000000000000000000000000000000000aa",
  solana: "SysvarC1ock11111111111111111111111111111111"
}

/** A quote that names no minimum: its output is the minimum. */
const withoutMinimum = (quote: Agreement["quote"], output: bigint): Agreement["quote"] => {
  const { minOutput: _, ...rest } = quote
  return { ...rest, output }
}

/** Vectors that are whole in themselves, held against another agreement. */
const agreementLies = <V extends Agreement>(vector: V): ReadonlyArray<Lie<V>> => {
  const { request, quote } = vector
  const minimum = quote.minOutput ?? quote.output
  const toSolana = request.destinationChain === solanaMainnet
  const other = toSolana ? stranger.solana : stranger.evm
  const lies: ReadonlyArray<readonly [name: string, request: Partial<QuoteRequest>, quote?: Agreement["quote"]]> = [
    ["another amount than agreed", { amount: request.amount - 1n }],
    ["another output token than agreed", { outputToken: other }],
    ["another recipient than agreed", { recipient: other }],
    ["a lower minimum than agreed", {}, { ...quote, minOutput: minimum + 1n }],
    ["a higher minimum than agreed", {}, { ...quote, minOutput: minimum - 1n }],
    ["a lower minimum than the output, where no other is agreed,", {}, withoutMinimum(quote, minimum + 1n)],
    ...(toSolana ? [] : [["another destination than agreed", { destinationChain: 10 }] as const])
  ]
  return lies.map(([name, change, agreed]) => [
    name,
    { ...vector, request: { ...request, ...change }, quote: agreed ?? quote }
  ])
}

const operationLies = (vector: OperationCase): ReadonlyArray<Lie<OperationCase>> => {
  const { request, deployment, geoOp, geoOpHash } = vector
  return [
    ["another hash", { ...vector, geoOpHash: bump(geoOpHash) }],
    ...fieldLies.map(([field, lie]): Lie<OperationCase> => [`another ${field}`, { ...vector, geoOp: lie(geoOp) }]),
    ...agreementLies(vector),
    ["another wallet than agreed", { ...vector, request: { ...request, walletAddress: stranger.evm } }],
    ["another token than agreed", { ...vector, request: { ...request, inputToken: stranger.evm } }],
    ["another chain than agreed", { ...vector, request: { ...request, originChain: 10 } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: stranger.evm } }],
    ["a delegate that is not pinned", { ...vector, deployment: { ...deployment, delegates: [stranger.evm] } }],
    ["a delegate where none is pinned", { ...vector, deployment: { vault: deployment.vault } }]
  ]
}

const same = (a: unknown, b: string): boolean => String(a).toLowerCase() === b.toLowerCase()

/** Half the order of the curve: a signature with a larger s has a twin with a smaller one, and chains take only that. */
const isLow = (s: string): boolean => BigInt(s) <= 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const authorizationCases = (
  recover: NonNullable<EvmSignerOptions["recoverAuthorization"]>,
  make: () => Promise<EvmSigner | PromiseEvmSigner>
): ReadonlyArray<SignerCase> => {
  const pinned: AuthorizationToSign = { ...authorizations[0], deployment: evmDeployment }
  const authorize = async ({ chainId, address, nonce, deployment }: AuthorizationToSign) => {
    const signer = await make()
    holds(signer.signAuthorization !== undefined, "signAuthorization is missing.")
    return settleSigning(signer, (abort) =>
      signer.signAuthorization?.({ chainId, address, nonce, ...(deployment && { deployment }) }, abort)
    )
  }
  const recovered = (authorization: Authorization) => toolGave("recoverAuthorization", () => recover(authorization))
  const { deployment: _, ...unpinned } = pinned
  const refusals: ReadonlyArray<Lie<AuthorizationToSign>> = [
    ["for every chain at once", { ...pinned, chainId: 0 }],
    ["to a contract that is not pinned", { ...pinned, address: stranger.evm as Hex }],
    ["where no contract is pinned", unpinned]
  ]
  return [
    {
      name: "is tested with a recoverAuthorization that works",
      run: async () => {
        for (const authorization of authorizations) {
          const right = await recovered(authorization)
          holds(same(right, evmKey.address), `recoverAuthorization should give ${evmKey.address} and gives ${right}.`)
          const wrong = await recovered({ ...authorization, nonce: authorization.nonce + 1 })
          holds(!same(wrong, evmKey.address), "recoverAuthorization must give another address for another nonce.")
        }
      }
    },
    ...authorizations.map(({ chainId, address, nonce }): SignerCase => ({
      name: `signs a delegation at nonce ${nonce}`,
      run: async () => {
        const signed = given(await authorize({ ...pinned, chainId, address, nonce }), "signAuthorization")
        holds(signed !== undefined, "signAuthorization gave nothing.")
        holds(
          signed.chainId === chainId && signed.nonce === nonce && same(signed.address, address),
          "the authorization must be for the chain, contract and nonce that were asked."
        )
        holds(signed.yParity === 0 || signed.yParity === 1, "yParity must be the number 0 or 1.")
        holds(isHex(signed.r, 32) && isHex(signed.s, 32), "r and s must be 32 bytes in hex each, zeros ahead included.")
        holds(isLow(signed.s), "s must be low.")
        holds(same(await recovered(signed), evmKey.address), "the authorization is not signed by the wallet.")
      }
    })),
    ...refusals.map(([name, lie]): SignerCase => ({
      name: `refuses a delegation ${name}`,
      run: async () => {
        const settled = await authorize(lie)
        refused(settled, `a delegation ${name}`, ["UnsafeOperation", "SignerError"], evmSecrets)
      }
    }))
  ]
}

const evmCases = (options: EvmSignerOptions): ReadonlyArray<SignerCase> => {
  const make = async () => options.make(evmKey)
  const verified = async (operation: OperationToSign) => {
    const signer = await make()
    holds(signer.verifyOperation !== undefined, "without verifyOperation a signer is blind.")
    return settle<void>(signer, (abort) => signer.verifyOperation?.(operation, abort))
  }
  const signed = async (operation: OperationToSign) => {
    const signer = await make()
    return settleSigning<Hex>(signer, (abort) => signer.signOperation(operation, abort))
  }
  const recovered = (raw: Hex, signature: Hex) =>
    toolGave("recoverMessage", () => options.recoverMessage(raw, signature))
  const checkSignature = async (raw: Hex, signature: unknown) => {
    holds(isHex(signature, 65), "a signature is 65 bytes in hex, zeros ahead included.")
    holds(/1[bc]$/i.test(signature), "v must be 27 or 28.")
    holds(isLow(`0x${signature.slice(66, 130)}`), "s must be low.")
    holds(
      same(await recovered(raw, signature), evmKey.address),
      "the signature is not personal_sign over the 32 raw bytes by the wallet."
    )
  }
  const refusal = (name: string, lie: OperationToSign): SignerCase => ({
    name: `refuses ${name}`,
    run: async () => refused(await verified(lie), name, ["UnsafeOperation"], evmSecrets)
  })
  const { geoOp: _, ...bare } = operations[0]
  const { deployment: __, ...unpinned } = operations[0]
  return [
    {
      name: "is tested with a recoverMessage that works",
      run: async () => {
        for (const { geoOpHash, signature } of operations) {
          const right = await recovered(geoOpHash, signature)
          holds(
            same(right, evmKey.address),
            `recoverMessage should give ${evmKey.address} and gives ${right}: it is to take the hash as 32 raw bytes.`
          )
          const wrong = await recovered(bump(geoOpHash), signature)
          holds(!same(wrong, evmKey.address), "recoverMessage must give another address for another hash.")
        }
      }
    },
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(same(address, evmKey.address), `address should be ${evmKey.address} and is ${address}.`)
      }
    },
    {
      name: "declares whether it can sign a delegation",
      run: async () => {
        const signer = await make()
        const declared: unknown = signer.capabilities?.authorization
        const able = signer.signAuthorization !== undefined
        holds(
          declared === able,
          `capabilities.authorization is ${String(declared)}, and signAuthorization is ${able ? "there" : "absent"}.`
        )
        holds(
          able === (options.recoverAuthorization !== undefined),
          able
            ? "the signer can sign a delegation: give the suite recoverAuthorization, so that it can check that."
            : "the suite was given recoverAuthorization, and the signer cannot sign a delegation."
        )
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), evmSecrets), "the signer shows its key when printed.")
    },
    ...operations.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name, quote, geoOpHash } = vector
      return [
        {
          name: `accepts an operation ${name}`,
          run: async () => given(await verified(vector), "verifyOperation")
        },
        {
          name: `accepts an operation ${name}, quoted without a minimum`,
          run: async () => {
            const agreed = withoutMinimum(quote, quote.minOutput ?? quote.output)
            given(await verified({ ...vector, quote: agreed }), "verifyOperation")
          }
        },
        {
          name: `signs the raw bytes of an operation ${name}`,
          run: async () => checkSignature(geoOpHash, given(await signed(vector), "signOperation"))
        },
        ...operationLies(vector).map(([lie, operation]) => refusal(`${lie} in an operation ${name}`, operation))
      ]
    }),
    ...hostileOperations.map((operation) => refusal(`an operation ${operation.name}`, operation)),
    refusal("to verify a bare hash", bare),
    {
      name: "signs a bare hash, or says that it does not",
      run: async () => {
        const settled = await signed(bare)
        refusedInWords(settled, "a bare hash", evmSecrets)
        if ("value" in settled) await checkSignature(bare.geoOpHash, settled.value)
      }
    },
    {
      name: "verifies without pinned contracts, or says that it does not",
      run: async () => refusedInWords(await verified(unpinned), "an operation without pinned contracts", evmSecrets)
    },
    ...(options.recoverAuthorization === undefined ? [] : authorizationCases(options.recoverAuthorization, make))
  ]
}

/** Changes one byte of what is behind a base64 text. */
const damage = (base64: string, at: (length: number) => number): string => {
  const bytes = atob(base64).split("")
  const index = at(bytes.length)
  bytes[index] = String.fromCharCode((bytes[index]?.charCodeAt(0) ?? 0) ^ 1)
  return btoa(bytes.join(""))
}

const transactionLies = (vector: TransactionCase): ReadonlyArray<Lie<TransactionCase>> => {
  const { request, deployment, unsignedTransaction: wire } = vector
  return [
    ...agreementLies(vector),
    ["another wallet than agreed", { ...vector, request: { ...request, walletAddress: stranger.solana } }],
    ["another token than agreed", { ...vector, request: { ...request, inputToken: stranger.solana } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: stranger.solana } }],
    ["a fee payer that is not pinned", { ...vector, deployment: { ...deployment, relayer: stranger.solana } }],
    ["a changed memo", { ...vector, unsignedTransaction: damage(wire, (length) => length - 2) }],
    ["a changed header", { ...vector, unsignedTransaction: damage(wire, () => 130) }],
    ["trailing bytes", { ...vector, unsignedTransaction: btoa(`${atob(wire)}\0`) }],
    ["no transaction", { ...vector, unsignedTransaction: "AAAA" }]
  ]
}

/** Where the wallet's signature is in the vectors: behind the count and the fee payer's. */
const walletSlot = [1 + 64, 1 + 64 + 64] as const

const aroundSlot = (transaction: string): string => {
  const bytes = atob(transaction)
  return btoa(bytes.slice(0, walletSlot[0]) + bytes.slice(walletSlot[1]))
}

const isBase64 = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

const solanaCases = (options: SolanaSignerOptions): ReadonlyArray<SignerCase> => {
  const { address: wallet } = solanaKey
  const make = async () => options.make(solanaKey)
  const verified = async (transaction: TransactionToSign) => {
    const signer = await make()
    holds(signer.verifyTransaction !== undefined, "without verifyTransaction a signer is blind.")
    return settle<void>(signer, (abort) => signer.verifyTransaction?.(transaction, abort))
  }
  const isSigned = (transaction: string) => toolGave("isSignedBy", () => options.isSignedBy(transaction, wallet))
  const refusal = (name: string, lie: TransactionToSign): SignerCase => ({
    name: `refuses ${name}`,
    run: async () => refused(await verified(lie), name, ["UnsafeOperation"], solanaSecrets)
  })
  const { deployment: _, ...unpinned } = transactions[0]
  return [
    {
      name: "is tested with an isSignedBy that works",
      run: async () => {
        for (const { signedTransaction, unsignedTransaction } of transactions) {
          holds(await isSigned(signedTransaction), "isSignedBy must say yes to a transaction that the wallet signed.")
          const wrong = [unsignedTransaction, damage(signedTransaction, (length) => length - 2)]
          for (const transaction of wrong) {
            holds(!(await isSigned(transaction)), "isSignedBy must say no where the wallet did not sign the message.")
          }
        }
      }
    },
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(address === wallet, `address should be ${wallet} and is ${address}.`)
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), solanaSecrets), "the signer shows its key when printed.")
    },
    ...transactions.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name, quote, unsignedTransaction } = vector
      return [
        {
          name: `accepts a transaction ${name}`,
          run: async () => given(await verified(vector), "verifyTransaction")
        },
        {
          name: `accepts a transaction ${name}, quoted without a minimum`,
          run: async () => {
            const agreed = withoutMinimum(quote, quote.minOutput ?? quote.output)
            given(await verified({ ...vector, quote: agreed }), "verifyTransaction")
          }
        },
        {
          name: `signs a transaction ${name}, and changes nothing else in it`,
          run: async () => {
            const signer = await make()
            const settled = await settleSigning<string>(signer, (abort) => signer.signTransaction(vector, abort))
            const signed: unknown = given(settled, "signTransaction")
            holds(isBase64(signed), "a signed transaction is base64 text.")
            holds(
              aroundSlot(signed) === aroundSlot(unsignedTransaction),
              "signing changed more than the wallet's signature: the message or the other signature is not what it was."
            )
            holds(await isSigned(signed), "the wallet's signature is not valid.")
          }
        },
        ...transactionLies(vector).map(([lie, transaction]) => refusal(`${lie} in a transaction ${name}`, transaction))
      ]
    }),
    ...hostileTransactions.map((transaction) => refusal(`a transaction with ${transaction.name}`, transaction)),
    ...hostileTransactions
      .filter(({ name }) => name === "the wallet as fee payer")
      .map((transaction) =>
        refusal(`a transaction with ${transaction.name}, where no relayer is pinned`, {
          ...transaction,
          deployment: { vault: solanaDeployment.vault }
        })
      ),
    {
      name: "verifies without pinned accounts, or says that it does not",
      run: async () => refusedInWords(await verified(unpinned), "a transaction without pinned accounts", solanaSecrets)
    }
  ]
}

/**
 * The cases that a signer must pass, for any test runner.
 *
 * @example
 * ```ts
 * for (const { name, run } of signerContract({ kind: "evm", make, recoverMessage, recoverAuthorization })) {
 *   it(name, run)
 * }
 * ```
 */
export const signerContract = (options: EvmSignerOptions | SolanaSignerOptions): ReadonlyArray<SignerCase> =>
  options.kind === "evm" ? evmCases(options) : solanaCases(options)
