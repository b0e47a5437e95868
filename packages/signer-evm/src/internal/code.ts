/** Comparing the code of a delegate with what the caller pinned, on chains that can be read. */
import { Hex, Operation, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { signerError } from "./failure.js"
import { kindOf } from "./given.js"
import type { Request, Settled } from "./options.js"

/** How long a node may take; a wallet's user is waiting. */
const patience = 10_000

const isCode = (answer: unknown): answer is Hex.Hex =>
  typeof answer === "string" && answer.length % 2 === 0 && Hex.isHex(answer, answer.length / 2 - 1)

/** Reads the code of a contract. What the node throws stays out of the error: it names addresses that hold keys. */
const readCode = Effect.fn("geoswap.readCode")(function* (
  request: Request,
  chainId: number,
  address: string
): Effect.fn.Return<Hex.Hex, SwapError.SignerError> {
  const unread = (why: string) =>
    signerError("failed", `Nothing was signed: the code of ${address} on chain ${chainId} could not be read: ${why}.`)
  const answer = yield* Effect.tryPromise({
    try: async () => request({ method: "eth_getCode", params: [address, "latest"] }),
    catch: () => unread(`the request of options.rpc[${chainId}] failed`)
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(unread(`options.rpc[${chainId}] did not answer within ${patience / 1000} s`))
    })
  )
  return isCode(answer) ? answer : yield* unread(`options.rpc[${chainId}] answered with ${kindOf(answer)}`)
})

/** Fails where the delegate's code is not the pinned one; does nothing where there is nothing to compare. */
export const checkCode = Effect.fnUntraced(function* (
  { rpc }: Settled,
  chainId: number,
  delegate: string,
  deployment: Operation.Deployment | undefined
): Effect.fn.Return<void, SwapError.SignError> {
  const request = rpc.get(chainId)
  const pinned = deployment?.codeHash
  if (request === undefined || pinned === undefined) return
  const code = yield* readCode(request, chainId, delegate)
  const found = code === "0x" ? `no code at ${delegate} on chain ${chainId}` : keccak256(code)
  if (found !== pinned.toLowerCase()) return yield* Operation.unsafe("codeHash", pinned, found)
})
