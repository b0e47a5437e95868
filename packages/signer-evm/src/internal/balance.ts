/** Reads balances of ERC-20 tokens and of the native token. */
import { Chain, type ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { parseQuantity } from "./block.js"

const balanceOf = "0x70a08231"

/** Reads a balance from one node, at its latest block. */
export const readBalance = Effect.fnUntraced(function* (
  call: RpcCall,
  { token, wallet }: ChainReader.BalanceQuery
): Effect.fn.Return<bigint, NodeError> {
  if (token === Chain.nativeToken.evm) {
    return yield* parseQuantity("eth_getBalance", yield* call("eth_getBalance", [wallet, "latest"]))
  }
  const data = balanceOf + wallet.slice(2).toLowerCase().padStart(64, "0")
  const answer = yield* call("eth_call", [{ to: token, data }, "latest"])
  return typeof answer === "string" && /^0x[0-9a-f]{64}$/i.test(answer)
    ? BigInt(answer)
    : yield* Effect.fail(new NodeError(`has no token at ${token}: balanceOf() returned no amount`))
})
