/** Whether a payment's signature has been used or canceled. */
import { Permit2, TokenAbi } from "@geoswap/contracts"
import { hashOrder } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, keccak256 } from "viem"
import type { CollectJob } from "../../../domain/Job.js"
import type { EvmOperation } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Ask } from "../nodes/rpcNodes.js"
import { addressOf, permit2Index } from "../transactions/vaultCalls.js"

/** The blocks at which a payment may already be used: a pending transaction may collect it. */
const tags = ["latest", "pending"] as const

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

export const make = (ask: Ask, chainId: number) => {
  const call = (to: Address, data: Hex, at: (typeof tags)[number]) =>
    ask("eth_call", async ({ request }) => {
      const answer: unknown = await request({ method: "eth_call", params: [{ to, data }, at] })
      if (typeof answer !== "string" || !/^0x[0-9a-f]{64}$/i.test(answer)) throw new TypeError("Not a word.")
      return answer as Hex
    })

  const readAt = (
    { orderId, terms, token, wallet }: CollectJob,
    operation: EvmOperation,
    at: (typeof tags)[number]
  ): Effect.Effect<boolean, ChainUnavailable> => {
    if (operation.method === "eip3009") {
      const order = { chainId, orderId: orderId as Hex, terms: terms as Hex, wallet: addressOf(wallet) }
      const question = { abi: TokenAbi.eip3009, functionName: "authorizationState" } as const
      const data = encodeFunctionData({ ...question, args: [addressOf(wallet), hashOrder(order, keccak256)] })
      return Effect.map(call(addressOf(token), data, at), (answer) =>
        decodeFunctionResult({ ...question, data: answer })
      )
    }
    const index = permit2Index(operation)
    const { address, ...question } = bitmapCall(wallet, index >> 8n)
    return Effect.map(
      call(address, encodeFunctionData(question), at),
      (bits) => ((BigInt(bits) >> (index & 0xffn)) & 1n) === 1n
    )
  }

  /**
   * Whether the payment is used or canceled at the latest block or in the pending state, according to one node. Some
   * nodes have no pending state.
   */
  return Effect.fnUntraced(function* (
    job: CollectJob,
    operation: EvmOperation
  ): Effect.fn.Return<boolean, ChainUnavailable> {
    if (yield* readAt(job, operation, "latest")) return true
    return yield* Effect.catch(readAt(job, operation, "pending"), (error) =>
      error.timeout ? Effect.fail(error) : Effect.succeed(false)
    )
  })
}
