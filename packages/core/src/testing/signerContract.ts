/** A conformance suite for signers: ours, and anybody's. */
import * as Effect from "effect/Effect"
import { solanaMainnet } from "../Chain.js"
import type { Authorization } from "../Delegation.js"
import { type Hex, isHex } from "../Hex.js"
import type { GeoOp } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import type {
  Abort,
  EvmSigner,
  OperationToSign,
  PromiseEvmSigner,
  PromiseSolanaSigner,
  SolanaSigner,
  TransactionToSign
} from "../Signer.js"
import type { SignError } from "../SwapError.js"
import { holds, violated } from "./contract.js"
import {
  evmDeployment,
  evmKey,
  operations,
  type OperationVector,
  solanaDeployment,
  solanaKey,
  transactions,
  type TransactionVector
} from "./vectors.js"

/** One thing that a signer must do. Give `name` and `run` to a test runner. */
export interface SignerCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/** What the suite needs to know about an EVM signer. */
export interface EvmSignerOptions {
  readonly kind: "evm"
  /** Makes the signer for the suite's wallet, whose key is public. */
  readonly make: (key: typeof evmKey) => EvmSigner | PromiseEvmSigner | Promise<EvmSigner | PromiseEvmSigner>
  /** The address behind a personal_sign over raw bytes, by a library that the signer does not share code with. */
  readonly recoverMessage: (raw: Hex, signature: Hex) => string | Promise<string>
  /** The address behind an EIP-7702 authorization; absent for a signer that declares that it cannot sign one. */
  readonly recoverAuthorization?: ((authorization: Authorization) => string | Promise<string>) | undefined
}

/** What the suite needs to know about a Solana signer. */
export interface SolanaSignerOptions {
  readonly kind: "solana"
  readonly make: (
    key: typeof solanaKey
  ) => SolanaSigner | PromiseSolanaSigner | Promise<SolanaSigner | PromiseSolanaSigner>
  /** Whether a base64 transaction holds a valid signature of that address over its message. */
  readonly isSignedBy: (transaction: string, address: string) => boolean | Promise<boolean>
  /** The message of a base64 transaction, without its signatures, in any form that can be compared. */
  readonly messageOf: (transaction: string) => string
}

type Settled<A> = { readonly value: A } | { readonly error: unknown }

/** Runs a method of either form of signer. */
const settle = async <A>(
  give: (abort: Abort) => Effect.Effect<A, SignError> | Promise<A> | A | undefined
): Promise<Settled<A | undefined>> => {
  try {
    const given = give({ signal: new AbortController().signal })
    return { value: await (Effect.isEffect(given) ? Effect.runPromise(given as Effect.Effect<A, SignError>) : given) }
  } catch (error) {
    return { error }
  }
}

const given = <A>(settled: Settled<A>, what: string): A =>
  "value" in settled ? settled.value : violated(`${what} failed: ${String(settled.error)}`)

/** The refusal must be one of ours, and must not give the secret away. */
const refused = (settled: Settled<unknown>, what: string, tags: ReadonlyArray<string>, secret: string) => {
  if ("value" in settled) return violated(`${what} was not refused.`)
  const { error } = settled
  const tag = typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "no tagged error"
  holds(
    tags.includes(tag),
    `${what} should be refused with ${tags.join(" or ")}, and was with ${tag}: ${String(error)}`
  )
  holds(!shows(error, secret), `the error about ${what} holds the key.`)
}

/** Whether printing a value would show a secret. */
const shows = (value: unknown, secret: string): boolean => {
  const texts = [String(value), value instanceof Error ? `${value.message} ${value.stack}` : ""]
  try {
    texts.push(JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "")
  } catch {
    // What JSON cannot write, it does not show.
  }
  return texts.some((text) => text.toLowerCase().includes(secret.replace(/^0x/, "").toLowerCase()))
}

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

/** Vectors that are whole in themselves, held against another agreement. */
const agreementLies = <V extends OperationVector | TransactionVector>(vector: V): ReadonlyArray<Lie<V>> => {
  const { request, quote } = vector
  const minimum = quote.minOutput ?? 0n
  const toSolana = request.destinationChain === solanaMainnet
  const stranger = toSolana ? (solanaDeployment.relayer ?? "") : "0x00000000000000000000000000000000000000aa"
  const lies: ReadonlyArray<readonly [name: string, request: Partial<QuoteRequest>, minimum: bigint]> = [
    ["another amount", { amount: request.amount - 1n }, minimum],
    ["another output token", { outputToken: stranger }, minimum],
    ["another recipient", { recipient: stranger }, minimum],
    ["a higher minimum", {}, minimum + 1n],
    ["a lower minimum", {}, minimum - 1n],
    ...(toSolana ? [] : [["another destination", { destinationChain: 10 }, minimum] as const])
  ]
  return lies.map(([name, change, minOutput]) => [
    `${name} than agreed`,
    { ...vector, request: { ...request, ...change }, quote: { ...quote, minOutput } }
  ])
}

const operationLies = (vector: OperationVector): ReadonlyArray<Lie<OperationVector>> => {
  const { request, deployment, geoOp, geoOpHash } = vector
  return [
    ["another hash", { ...vector, geoOpHash: bump(geoOpHash) }],
    ...fieldLies.map(([field, lie]): Lie<OperationVector> => [`another ${field}`, { ...vector, geoOp: lie(geoOp) }]),
    ...agreementLies(vector),
    ["another token than agreed", { ...vector, request: { ...request, inputToken: evmKey.address } }],
    ["another chain than agreed", { ...vector, request: { ...request, originChain: 10 } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: evmKey.address } }],
    ["a delegate that is not pinned", { ...vector, deployment: { ...deployment, delegates: [evmKey.address] } }]
  ]
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const authorizationCases = (
  recover: NonNullable<EvmSignerOptions["recoverAuthorization"]>,
  make: () => Promise<EvmSigner | PromiseEvmSigner>
): ReadonlyArray<SignerCase> => {
  const tuple = {
    chainId: 8453,
    address: evmDeployment.delegates?.[0] as Hex,
    nonce: 7,
    deployment: evmDeployment
  }
  const authorize = async (change: Partial<typeof tuple> = {}) => {
    const signer = await make()
    holds(signer.signAuthorization !== undefined, "signAuthorization is missing.")
    return settle((abort) => signer.signAuthorization?.({ ...tuple, ...change }, abort))
  }
  const refusals = [
    ["for every chain at once", { chainId: 0 }],
    ["to a contract that is not pinned", { address: evmKey.address }]
  ] as const
  return [
    {
      name: "signs a delegation as asked",
      run: async () => {
        const signed = given(await authorize(), "signAuthorization")
        if (signed === undefined) return violated("signAuthorization gave nothing.")
        holds(
          signed.chainId === tuple.chainId && signed.nonce === tuple.nonce && same(signed.address, tuple.address),
          "the authorization must be for the chain, contract and nonce that were asked."
        )
        holds(same(await recover(signed), evmKey.address), "it must recover to the wallet.")
      }
    },
    ...refusals.map(([name, change]): SignerCase => ({
      name: `refuses a delegation ${name}`,
      run: async () =>
        refused(await authorize(change), `a delegation ${name}`, ["UnsafeOperation", "SignerError"], evmKey.privateKey)
    }))
  ]
}

const evmCases = (options: EvmSignerOptions): ReadonlyArray<SignerCase> => {
  const secret = evmKey.privateKey
  const make = async () => options.make(evmKey)
  return [
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
        const { capabilities, signAuthorization } = await make()
        const can = options.recoverAuthorization !== undefined
        holds(
          capabilities.authorization === can && (signAuthorization !== undefined) === can,
          `capabilities.authorization must be ${can}, and signAuthorization ${can ? "there" : "absent"}.`
        )
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), secret), "the signer shows its key when printed.")
    },
    ...operations.flatMap((vector): ReadonlyArray<SignerCase> => {
      const operation: OperationToSign = vector
      return [
        {
          name: `accepts an operation ${vector.name}`,
          run: async () => {
            const signer = await make()
            holds(signer.verifyOperation !== undefined, "without verifyOperation a signer is blind.")
            given(await settle((abort) => signer.verifyOperation?.(operation, abort)), "verifyOperation")
          }
        },
        {
          name: `signs the raw bytes of an operation ${vector.name}`,
          run: async () => {
            const signer = await make()
            const signature = given(await settle((abort) => signer.signOperation(operation, abort)), "signOperation")
            if (!isHex(signature, 65)) return violated("a signature is 65 bytes in hex.")
            const recovered = await options.recoverMessage(vector.geoOpHash, signature)
            holds(
              same(recovered, evmKey.address),
              "the signature is not personal_sign over the 32 raw bytes by the wallet."
            )
            holds(/1[bc]$/.test(signature), "v must be 27 or 28.")
            const s = BigInt(`0x${signature.slice(66, 130)}`)
            holds(s <= 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n, "s must be low.")
          }
        },
        ...operationLies(vector).map(([name, lie]): SignerCase => ({
          name: `refuses ${name} in an operation ${vector.name}`,
          run: async () => {
            const signer = await make()
            holds(signer.verifyOperation !== undefined, "without verifyOperation a signer is blind.")
            refused(await settle((abort) => signer.verifyOperation?.(lie, abort)), name, ["UnsafeOperation"], secret)
          }
        }))
      ]
    }),
    ...(options.recoverAuthorization === undefined ? [] : authorizationCases(options.recoverAuthorization, make))
  ]
}

/** Changes one byte of what is behind a base64 text. */
const damage = (base64: string, at: (length: number) => number): string => {
  const bytes = [...atob(base64)]
  const index = at(bytes.length)
  bytes[index] = String.fromCharCode((bytes[index]?.charCodeAt(0) ?? 0) ^ 1)
  return btoa(bytes.join(""))
}

const transactionLies = (vector: TransactionVector): ReadonlyArray<Lie<TransactionVector>> => {
  const { request, deployment, unsignedTransaction: wire } = vector
  return [
    ...agreementLies(vector),
    ["another token than agreed", { ...vector, request: { ...request, inputToken: solanaKey.address } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: solanaKey.address } }],
    ["a fee payer that is not pinned", { ...vector, deployment: { ...deployment, relayer: deployment.vault } }],
    ["a changed memo", { ...vector, unsignedTransaction: damage(wire, (length) => length - 2) }],
    ["a changed header", { ...vector, unsignedTransaction: damage(wire, () => 130) }],
    ["trailing bytes", { ...vector, unsignedTransaction: btoa(`${atob(wire)}\0`) }],
    ["no transaction", { ...vector, unsignedTransaction: "AAAA" }]
  ]
}

const solanaCases = (options: SolanaSignerOptions): ReadonlyArray<SignerCase> => {
  const secret = solanaKey.secretKey
  const make = async () => options.make(solanaKey)
  return [
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(address === solanaKey.address, `address should be ${solanaKey.address} and is ${address}.`)
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), secret), "the signer shows its key when printed.")
    },
    ...transactions.flatMap((vector): ReadonlyArray<SignerCase> => {
      const transaction: TransactionToSign = vector
      return [
        {
          name: `accepts a transaction ${vector.name}`,
          run: async () => {
            const signer = await make()
            holds(signer.verifyTransaction !== undefined, "without verifyTransaction a signer is blind.")
            given(await settle((abort) => signer.verifyTransaction?.(transaction, abort)), "verifyTransaction")
          }
        },
        {
          name: `signs a transaction ${vector.name}, and nothing else in it`,
          run: async () => {
            const signer = await make()
            const signed = given(await settle((abort) => signer.signTransaction(transaction, abort)), "signTransaction")
            if (typeof signed !== "string") return violated("a signed transaction is base64 text.")
            holds(await options.isSignedBy(signed, solanaKey.address), "the wallet's signature is not valid.")
            holds(
              options.messageOf(signed) === options.messageOf(vector.unsignedTransaction),
              "the message was changed by signing."
            )
          }
        },
        ...transactionLies(vector).map(([name, lie]): SignerCase => ({
          name: `refuses ${name} in a transaction ${vector.name}`,
          run: async () => {
            const signer = await make()
            holds(signer.verifyTransaction !== undefined, "without verifyTransaction a signer is blind.")
            refused(await settle((abort) => signer.verifyTransaction?.(lie, abort)), name, ["UnsafeOperation"], secret)
          }
        }))
      ]
    })
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
