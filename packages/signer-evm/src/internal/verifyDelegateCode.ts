/**
 * Compares a delegate's code with the pinned code hash, and a wallet's delegation with the delegate, on chains for which
 * the caller provided a client.
 */
import { Operation, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "./hash.js"
import { readNode } from "./node.js"
import type { ResolvedOptions } from "./options.js"

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
  const code = yield* readNode(request, chainId, `the code at ${delegate}`, (node) => node.code(delegate))
  const found = code === "0x" ? `no code at ${delegate} on chain ${chainId}` : keccak256(code)
  if (found !== pinned.toLowerCase()) return yield* Operation.unsafe("codeHash", pinned, found)
})

/**
 * Fails if the wallet is delegated to a contract other than the operation's delegate. A wallet without a delegation
 * passes, because its first swap can contain the authorization. Does nothing if there is no client for the chain.
 */
export const verifyDelegation = Effect.fnUntraced(function* (
  { rpc }: ResolvedOptions,
  { chainId, delegate, wallet }: Operation.GeoOp
): Effect.fn.Return<void, SwapError.SignError> {
  const request = rpc.get(chainId)
  if (request === undefined) return
  const code = yield* readNode(request, chainId, `the delegation of ${wallet}`, (node) => node.code(wallet))
  const expected = `0xef0100${delegate.slice(2).toLowerCase()}`
  if (code === "0x" || code.toLowerCase() === expected) return
  const found = code.length === expected.length ? `delegated to 0x${code.slice(8)}` : "a contract"
  return yield* Operation.unsafe("wallet", `delegated to ${delegate}`, found)
})
