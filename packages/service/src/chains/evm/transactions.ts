/** Transactions of the relayer: made, signed through its key, and read back from what is stored. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  type Hex,
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializedEIP1559,
  type TransactionSerializedEIP7702
} from "viem"
import { ChainUnavailable } from "../Chains.js"
import type { EvmKey } from "../Keys.js"
import type { Attempt } from "../../store/SwapRecord.js"
import type { Fees } from "./fees.js"
import { addressOf, type Call } from "./jobs.js"
import { halfOrder } from "./secp256k1.js"

/** All but the nonce and the signature. */
export interface Transaction extends Call, Fees {
  readonly gas: bigint
}

/** Type 4 only with an authorization: nodes refuse an empty list. */
const typed = ({ authorizationList, ...transaction }: Transaction, chainId: number, nonce: number) =>
  authorizationList === undefined
    ? ({ ...transaction, chainId, nonce, type: "eip1559" } as const)
    : ({ ...transaction, authorizationList, chainId, nonce, type: "eip7702" } as const)

/** Signs a transaction. */
export const sign = Effect.fnUntraced(function* (
  { chainId, key }: { readonly chainId: number; readonly key: EvmKey },
  transaction: Transaction,
  { cancels, nonce }: { readonly cancels: boolean; readonly nonce: number }
) {
  const unavailable = (message: string) => new ChainUnavailable({ chainId, message, timeout: false })
  const unsigned = typed(transaction, chainId, nonce)
  const digest = keccak256(serializeTransaction(unsigned))
  const signature = yield* Effect.mapError(key.signDigest(digest), ({ message }) =>
    unavailable(`The relayer's key does not sign: ${message}`)
  )
  // Otherwise the node would refuse it, or it would be the transaction of somebody else.
  const signer = yield* Effect.tryPromise({
    try: () => recoverAddress({ hash: digest, signature }),
    catch: () => unavailable("The relayer's key gave no signature.")
  })
  if (!isAddressEqual(signer, key.address) || BigInt(signature.s) > halfOrder) {
    return yield* unavailable(`The relayer's key did not sign for ${key.address}, or not with a low s.`)
  }
  const raw = serializeTransaction(unsigned, signature)
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  const createdAt = yield* Clock.currentTimeMillis
  return {
    raw,
    hash: keccak256(raw),
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
    cancels,
    createdAt
  } satisfies Attempt
})

/** The transaction of an attempt, with what it offers. Throws where it is none of ours. */
export const parse = ({ raw }: Attempt): Transaction & { readonly nonce: number } => {
  const {
    data = "0x",
    gas = 0n,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
    nonce = 0,
    ...rest
  } = parseTransaction(raw as TransactionSerializedEIP1559 | TransactionSerializedEIP7702)
  const { to } = rest
  if (typeof to !== "string") throw new TypeError("A transaction of the relayer has a recipient.")
  const [authorization] = "authorizationList" in rest ? (rest.authorizationList ?? []) : []
  return {
    to: addressOf(to),
    data: data satisfies Hex,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce,
    ...(authorization !== undefined && { authorizationList: [authorization] as const })
  }
}
