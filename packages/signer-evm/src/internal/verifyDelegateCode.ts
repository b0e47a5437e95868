/** Compares a delegate's code with the pinned code hash, on chains for which the caller provided a client. */
import { Chain, Hex, Operation, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { describeKind } from "./describeValue.js"
import { keccak256 } from "./hash.js"
import type { Request, ResolvedOptions } from "./options.js"
import { signerError } from "./walletError.js"

/** The timeout shared by both requests. It is short because a user is waiting. */
const timeoutMillis = 10_000

/** The maximum size of the code that is accepted from a node. It is several times the code size limit on any chain. */
const maxCodeBytes = 128 * 1024

const isCode = (answer: unknown): answer is Hex.Hex =>
  typeof answer === "string" && answer.length % 2 === 0 && Hex.isHex(answer, answer.length / 2 - 1)

const chainOf = (answer: unknown): number | undefined => {
  const chain = typeof answer === "string" || typeof answer === "number" ? Number(answer) : undefined
  return Chain.isChainId(chain) ? chain : undefined
}

/**
 * Reads a contract's code. Checks the chain id first, since a wallet may have switched to another chain. The node's
 * errors are dropped, because they contain URLs with keys.
 */
const readCode = Effect.fnUntraced(function* (
  request: Request,
  chainId: number,
  address: string
): Effect.fn.Return<Hex.Hex, SwapError.SignerError> {
  const unreadable = (why: string) =>
    signerError(
      "failed",
      `Nothing was signed, because the code at ${address} on chain ${chainId} could not be read: ${why}.`
    )
  const node = `options.rpc[${chainId}]`
  const call = (method: string, params: ReadonlyArray<string>) =>
    Effect.tryPromise({
      try: async () => request({ method, params }),
      catch: () => unreadable(`a request to ${node} failed`)
    })
  const read = Effect.gen(function* () {
    const chain = yield* call("eth_chainId", [])
    const found = chainOf(chain)
    if (found === undefined) return yield* unreadable(`${node} returned ${describeKind(chain)} for eth_chainId`)
    if (found !== chainId) {
      return yield* unreadable(
        `${node} is connected to chain ${found}. Pass a client for chain ${chainId}, or switch the wallet to that chain`
      )
    }
    const code = yield* call("eth_getCode", [address, "latest"])
    if (typeof code === "string" && code.length > 2 + 2 * maxCodeBytes) {
      return yield* unreadable(`${node} returned more than ${maxCodeBytes / 1024} KiB`)
    }
    return isCode(code) ? code : yield* unreadable(`${node} returned ${describeKind(code)} for eth_getCode`)
  })
  return yield* Effect.timeoutOrElse(read, {
    duration: timeoutMillis,
    orElse: () => Effect.fail(unreadable(`${node} did not respond within ${timeoutMillis / 1000} s`))
  })
})

/**
 * Fails if the delegate's code does not match the pinned hash. Does nothing if there is no client for the chain or no
 * pinned hash.
 */
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
