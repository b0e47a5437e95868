/** Reads the state of a signed operation or payment at a finalized block. */
import { type ChainReader, Payment } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { finalizedBlock, parseQuantity } from "./block.js"
import { keccak256 } from "./hash.js"

type State = ChainReader.SignedState

/** The ERC-7201 slot for `geoswap.account`: `mapping(uint256 word => uint256 bits)` in every account version. */
const base = "863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (nonce: bigint) => keccak256(`0x${(nonce >> 8n).toString(16).padStart(64, "0")}${base}`)

/**
 * Reads an operation's state from one node. The nonce and the timestamp are read from the same block. The nonce is in
 * the wallet's storage, which outlives the wallet's delegation. The account rejects an operation in any block after the
 * operation's deadline.
 */
export const readOperationState = Effect.fnUntraced(function* (
  call: RpcCall,
  { deadline, nonce, wallet }: ChainReader.OperationQuery
): Effect.fn.Return<State, NodeError> {
  const { hash, timestamp } = yield* finalizedBlock(call)
  const block = { blockHash: hash, requireCanonical: true }
  const method = "eth_getStorageAt"
  const bits = yield* parseQuantity(method, yield* call(method, [wallet, slotOf(nonce), block]))
  if (((bits >> (nonce & 255n)) & 1n) === 1n) return "used"
  return timestamp > deadline ? "expired" : "open"
})

/** Encodes a call to a view function with two arguments: an address and a number. */
const encodeCall = (selector: string, address: string, value: bigint): string =>
  `${selector}${address.slice(2).toLowerCase().padStart(64, "0")}${value.toString(16).padStart(64, "0")}`

/** The call that returns whether a payment's nonce is used, and how to read its result. */
const nonceCall = ({ method, nonce, token, wallet }: ChainReader.PaymentQuery) =>
  method === "eip3009"
    ? // authorizationState(address,bytes32)
      { to: token, data: encodeCall("0xe94a0102", wallet, nonce), isUsed: (answer: bigint) => answer !== 0n }
    : {
        to: Payment.permit2Address,
        // nonceBitmap(address,uint256)
        data: encodeCall("0x4fe02b44", wallet, nonce >> 8n),
        isUsed: (answer: bigint) => ((answer >> (nonce & 255n)) & 1n) === 1n
      }

/**
 * Reads a payment's state from one node: whether the token or Permit2 has recorded the nonce as used. The holder can
 * also use up a nonce by canceling. The nonce and the timestamp are read from the same block.
 */
export const readPaymentState = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PaymentQuery
): Effect.fn.Return<State, NodeError> {
  const { hash, timestamp } = yield* finalizedBlock(call)
  const { data, isUsed, to } = nonceCall(query)
  const method = "eth_call"
  const answer = yield* call(method, [
    { to, data },
    { blockHash: hash, requireCanonical: true }
  ])
  // A contract that does not have the function, or does not exist, may return nothing or too little.
  if (typeof answer !== "string" || answer.length !== 66) {
    return yield* Effect.fail(new NodeError(`returned no nonce for ${method}`))
  }
  if (isUsed(yield* parseQuantity(method, answer))) return "used"
  return timestamp > query.deadline ? "expired" : "open"
})
