/** Whether a payment's signature has been used or canceled. */
import { Permit2, TokenAbi } from "@geoswap/contracts"
import { hashOrder } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { type Hex, keccak256 } from "viem"
import type { CollectJob } from "../../../domain/Job.js"
import type { EvmOperation } from "../../../domain/SwapRecord.js"
import type { EvmContext } from "../context.js"
import type { At, Reads } from "../nodes/reads.js"
import { addressOf, permit2Index } from "../transactions/vaultCalls.js"

/** The word of Permit2's bitmap that contains our first nonce. */
const firstWord = Permit2.firstNonce >> 8n

/** The call that reads a word of Permit2's bitmap for our indices. */
export const bitmapCall = (wallet: string, word: bigint) =>
  ({
    abi: Permit2.abi,
    address: addressOf(Permit2.address),
    functionName: "nonceBitmap",
    args: [addressOf(wallet), firstWord + word]
  }) as const

const readAt = ({ read }: Reads, chainId: number, job: CollectJob, operation: EvmOperation, at: At) => {
  const wallet = addressOf(job.wallet)
  if (operation.method === "eip3009") {
    const order = { chainId, orderId: job.orderId as Hex, terms: job.terms as Hex, wallet }
    const args = [wallet, hashOrder(order, keccak256)] as const
    const address = addressOf(job.token)
    return read({ abi: TokenAbi.eip3009, address, functionName: "authorizationState", args }, at)
  }
  const index = permit2Index(operation)
  return Effect.map(read(bitmapCall(wallet, index >> 8n), at), (bits) => ((bits >> (index & 0xffn)) & 1n) === 1n)
}

/**
 * Whether the payment is used or canceled at the latest block or in the pending state, in which a transaction may collect
 * it, according to one node. Some nodes have no pending state.
 */
export const isSpent = Effect.fnUntraced(function* (
  { config, quorum: { first } }: EvmContext,
  job: CollectJob,
  operation: EvmOperation
) {
  if (yield* readAt(first, config.id, job, operation, "latest")) return true
  return yield* Effect.catch(readAt(first, config.id, job, operation, "pending"), (error) =>
    error.timeout ? Effect.fail(error) : Effect.succeed(false)
  )
})
