/** Reads balances of SPL tokens and of SOL. */
import { Chain, type ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { getLamports, getTokenAccounts } from "./rpcMethods.js"

/** The amount in a token account: 64 bits, least significant byte first, after the mint and the owner. */
const amountAt = 64

const amountIn = (text: string): bigint => {
  const { buffer, byteLength, byteOffset } = fromBase64(text)
  return new DataView(buffer, byteOffset, byteLength).getBigUint64(amountAt, true)
}

/** Reads a balance from one node. A wallet can hold a token in several accounts, so their amounts are added. */
export const readBalance = Effect.fnUntraced(function* (
  call: RpcCall,
  { token, wallet }: ChainReader.BalanceQuery
): Effect.fn.Return<bigint, NodeError> {
  if (token === Chain.nativeToken.solana) return yield* getLamports(call, wallet)
  const accounts = yield* getTokenAccounts(call, wallet, token)
  return yield* Effect.try({
    try: () => accounts.reduce((sum, text) => sum + amountIn(text), 0n),
    catch: () => new NodeError(`returned something other than token accounts for ${token}`)
  })
})
