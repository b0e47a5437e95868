/** The relayer's transactions: signing new ones and parsing stored ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  type Address,
  type Hex,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializedEIP1559,
  type TransactionSerializedEIP7702
} from "viem"
import type * as Config from "../../../config/Config.js"
import { recover } from "../../../crypto/Recovery.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { EvmKey } from "../../Keys.js"
import { unavailable } from "../../quorum.js"
import { halfOrder } from "../accounts/secp256k1.js"
import type { Fees } from "../fees/gasFees.js"
import { addressOf, type Call } from "./vaultCalls.js"

type Serialized = TransactionSerializedEIP1559 | TransactionSerializedEIP7702

/** The gas of a transaction without data. */
export const transactionGas = 21_000n

/** EIP-7825: the maximum gas limit of a transaction. */
export const maxTransactionGas = 16_777_216n

/** A transaction without a nonce or signature. */
export interface Transaction extends Call, Fees {
  readonly gas: bigint
}

/** Uses transaction type 4 only if there is an authorization, because nodes reject an empty authorization list. */
const typed = ({ authorizationList, ...transaction }: Transaction, chainId: number, nonce: number) =>
  authorizationList === undefined
    ? ({ ...transaction, chainId, nonce, type: "eip1559" } as const)
    : ({ ...transaction, authorizationList, chainId, nonce, type: "eip7702" } as const)

/** Signs a transaction with a relayer's key. */
export const sign = Effect.fnUntraced(function* (
  { config, keys }: { readonly config: Config.EvmChain; readonly keys: ReadonlyMap<Address, EvmKey> },
  relayer: string,
  transaction: Transaction,
  nonce: number,
  cancels: boolean
) {
  const key = keys.get(addressOf(relayer))
  if (key === undefined) {
    return yield* Effect.die(new TypeError(`${relayer} is not a relayer of chain ${config.id}.`))
  }
  const unsigned = typed(transaction, config.id, nonce)
  const digest = keccak256(serializeTransaction(unsigned))
  const signature = yield* Effect.mapError(key.signDigest(digest), ({ message }) =>
    unavailable(config, `The relayer's key cannot sign: ${message}`)
  )
  // A transaction with a wrong signature would be rejected or attributed to another account.
  const signer = yield* recover(digest, signature)
  if (signer === undefined) return yield* unavailable(config, "The relayer's key returned an invalid signature.")
  if (signer !== addressOf(key.address) || BigInt(signature.s) > halfOrder) {
    return yield* unavailable(
      config,
      `The relayer's key returned a signature that was not made by ${key.address} or has a high s value.`
    )
  }
  const raw = serializeTransaction(unsigned, signature)
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const createdAt = yield* Clock.currentTimeMillis
  return {
    raw,
    hash: keccak256(raw),
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
    // Our transactions send no native tokens.
    maxCost: gas * maxFeePerGas,
    cancels,
    createdAt
  } satisfies Attempt
})

/** Recovers the address that signed a transaction. Returns `undefined` if the transaction is malformed. */
export const recoverSigner = (raw: string): Effect.Effect<Address | undefined> =>
  Effect.suspend(() => {
    try {
      const { r, s, yParity, ...unsigned } = parseTransaction(raw as Serialized)
      if (r === undefined || s === undefined || yParity === undefined) return Effect.undefined
      const digest = keccak256(serializeTransaction(unsigned as Parameters<typeof serializeTransaction>[0]))
      return Effect.map(recover(digest, { r, s, yParity }), (signer) =>
        signer === undefined ? undefined : addressOf(signer)
      )
    } catch {
      return Effect.undefined
    }
  })

/** Parses an attempt's transaction. Throws if the transaction is malformed or has no recipient. */
export const parse = ({ raw }: Attempt): Transaction & { readonly nonce: number } => {
  const parsed = parseTransaction(raw as Serialized)
  const { data = "0x", gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce = 0, to } = parsed
  if (typeof to !== "string") throw new TypeError("The transaction has no recipient.")
  const [authorization] = ("authorizationList" in parsed && parsed.authorizationList) || []
  return {
    to: addressOf(to),
    data,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce,
    ...(authorization !== undefined && { authorizationList: [authorization] as const })
  }
}

/** Returns an attempt's transaction without its signature. */
export const unsignedOf = (attempt: Attempt, chainId: number): Hex => {
  const { nonce, ...transaction } = parse(attempt)
  return serializeTransaction(typed(transaction, chainId, nonce))
}
