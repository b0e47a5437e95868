/** Comparing the code of a delegate with what the caller pinned, on chains that can be read. */
import { Chain, Hex, Operation, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { signerError } from "./walletError.js"
import { describeKind } from "./describeValue.js"
import type { Request, ResolvedOptions } from "./options.js"

/** How long a node may take in all; a wallet's user is waiting. */
const timeoutMillis = 10_000

/** Several times what any chain lets a contract have, in bytes. */
const maxCodeBytes = 128 * 1024

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
  const unreadable = (why: string) =>
    signerError("failed", `Nothing was signed: the code of ${address} on chain ${chainId} could not be read: ${why}.`)
  const node = `options.rpc[${chainId}]`
  const call = (method: string, params: ReadonlyArray<string>) =>
    Effect.tryPromise({
      try: async () => request({ method, params }),
      catch: () => unreadable(`the request of ${node} failed`)
    })
  const read = Effect.gen(function* () {
    const chain = yield* call("eth_chainId", [])
    const found = chainOf(chain)
    if (found === undefined) return yield* unreadable(`${node} answered eth_chainId with ${describeKind(chain)}`)
    if (found !== chainId) {
      return yield* unreadable(`${node} is of chain ${found}. Give it a client of chain ${chainId}, or switch it there`)
    }
    const code = yield* call("eth_getCode", [address, "latest"])
    if (typeof code === "string" && code.length > 2 + 2 * maxCodeBytes) {
      return yield* unreadable(`${node} answered with more than ${maxCodeBytes / 1024} KiB`)
    }
    return isCode(code) ? code : yield* unreadable(`${node} answered with ${describeKind(code)}`)
  })
  return yield* Effect.timeoutOrElse(read, {
    duration: timeoutMillis,
    orElse: () => Effect.fail(unreadable(`${node} did not answer within ${timeoutMillis / 1000} s`))
  })
})

/** Fails where the delegate's code is not the pinned one; does nothing where there is nothing to compare. */
export const verifyDelegateCode = Effect.fnUntraced(function* (
  { rpc }: ResolvedOptions,
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
