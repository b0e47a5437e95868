/** The data that identifies a built operation or payment on its chain. */
import { hashOrder } from "../adapters/hashes.js"
import { keccak256 } from "../adapters/keccak256.js"
import { sameAddress } from "../Chain.js"
import { compact } from "../codecs/compact.js"
import type { OrderId } from "../Id.js"
import type { Identity, Signed } from "../store/flow.js"
import { asPayment, type Built } from "./endpoints.js"

/** The memo of a Solana transaction that pays a vault: the order's id and the hash of its terms. */
const memo = /geoswap:(0x[0-9a-f]{64}):0x[0-9a-f]{64}/

/** Returns the id of the order that is signed, if the service sent what is signed. */
export const orderIdOf = (built: Built): OrderId | undefined =>
  built.family === "evm"
    ? (built.payment ?? built.geoOp)?.orderId
    : (memo.exec(atob(built.unsignedTransaction))?.[1] as OrderId | undefined)

/** Returns the order that a signer has verified, with the minimum output that it guarantees. */
export const orderOf = (built: Built, minOutput: bigint): Identity["order"] => {
  const id = orderIdOf(built)
  return id && { id, minOutput }
}

/** Returns the identity of an operation or payment that the signer has verified. */
export const identityOf = (built: Built): Pick<Identity, "operation" | "payment"> => {
  const payment = asPayment(built)?.payment
  if (payment) {
    const { method, token, vault, deadline } = payment
    const nonce = payment.method === "eip3009" ? BigInt(hashOrder(payment, keccak256)) : payment.nonce
    return { payment: { method, token, vault, nonce, deadline } }
  }
  const geoOp = built.family === "evm" ? built.geoOp : undefined
  return compact({
    operation: geoOp && { delegate: geoOp.delegate, nonce: geoOp.nonce, deadline: geoOp.deadline }
  })
}

/**
 * Whether a new signature can be made with the same nonce, so that the chain executes at most one of the two. With
 * `erc2612`, the two payments exclude each other, but the new permit would approve Permit2 once more.
 */
export const hasReusableNonce = ({ operation, payment }: Pick<Identity, "operation" | "payment">): boolean =>
  payment ? payment.method === "permit2" : operation !== undefined

/**
 * Whether the chain can execute at most one of two signatures of a wallet: both use the same record of used nonces, and
 * the same nonce in it.
 */
export const excludes = (
  { operation, payment }: Pick<Signed, "operation" | "payment">,
  other: Pick<Identity, "operation" | "payment">
): boolean => {
  if (payment) {
    return (
      payment.method !== "erc2612" &&
      other.payment !== undefined &&
      other.payment.nonce === payment.nonce &&
      other.payment.method === payment.method &&
      sameAddress("evm", other.payment.token, payment.token)
    )
  }
  return (
    operation !== undefined &&
    other.operation !== undefined &&
    operation.nonce === other.operation.nonce &&
    sameAddress("evm", operation.delegate, other.operation.delegate)
  )
}
