/** Comparing the code of a delegate with what the caller pinned, on chains that can be read. */
import { Chain, Hex, Operation, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { signerError } from "./failure.js"
import { kindOf } from "./given.js"
import type { Request, Settled } from "./options.js"

/** How long a node may take in all; a wallet's user is waiting. */
const patience = 10_000

/** Several times what any chain lets a contract have, in bytes. */
const largest = 128 * 1024

const isCode = (answer: unknown): answer is Hex.Hex =>
  typeof answer === "string" && answer.length % 2 === 0 && Hex.isHex(answer, answer.length / 2 - 1)

const chainOf = (answer: unknown): number | undefined => {
  const chain = typeof answer === "string" || typeof answer === "number" ? Number(answer) : undefined
  return Chain.isChainId(chain) ? chain : undefined
}

/**
 * Reads the code of a contract, once the node has said that it is of that chain: a wallet may have been switched to
 * another. What the node throws stays out of the error: it names addresses that hold keys.
 */
const readCode = Effect.fnUntraced(function* (
  request: Request,
  chainId: number,
  address: string
): Effect.fn.Return<Hex.Hex, SwapError.SignerError> {
  const unread = (why: string) =>
    signerError("failed", `Nothing was signed: the code of ${address} on chain ${chainId} could not be read: ${why}.`)
  const node = `options.rpc[${chainId}]`
  const ask = (method: string, params: ReadonlyArray<string>) =>
    Effect.tryPromise({
      try: async () => request({ method, params }),
      catch: () => unread(`the request of ${node} failed`)
    })
  const read = Effect.gen(function* () {
    const chain = yield* ask("eth_chainId", [])
    const found = chainOf(chain)
    if (found === undefined) return yield* unread(`${node} answered eth_chainId with ${kindOf(chain)}`)
    if (found !== chainId) {
      return yield* unread(`${node} is of chain ${found}. Give it a client of chain ${chainId}, or switch it there`)
    }
    const code = yield* ask("eth_getCode", [address, "latest"])
    if (typeof code === "string" && code.length > 2 + 2 * largest) {
      return yield* unread(`${node} answered with more than ${largest / 1024} KiB`)
    }
    return isCode(code) ? code : yield* unread(`${node} answered with ${kindOf(code)}`)
  })
  return yield* Effect.timeoutOrElse(read, {
    duration: patience,
    orElse: () => Effect.fail(unread(`${node} did not answer within ${patience / 1000} s`))
  })
})

/** Fails where the delegate's code is not the pinned one; does nothing where there is nothing to compare. */
export const checkCode = Effect.fnUntraced(function* (
  { rpc }: Settled,
  chainId: number,
  delegate: string,
  deployment: Operation.Deployment | undefined
): Effect.fn.Return<void, SwapError.SignError> {
  const request = rpc.get(chainId)
  const pinned = deployment && Operation.pinnedFor(deployment, delegate)?.codeHash
  if (request === undefined || pinned === undefined) return
  const code = yield* readCode(request, chainId, delegate)
  const found = code === "0x" ? `no code at ${delegate} on chain ${chainId}` : keccak256(code)
  if (found !== pinned.toLowerCase()) return yield* Operation.unsafe("codeHash", pinned, found)
})
