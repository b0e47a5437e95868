/** EDR's errors in the form of other nodes, which clients recognize by code and message. */
import { RpcError } from "../rpcError.js"

const rejected = -32003

const refusals: ReadonlyArray<readonly [pattern: RegExp, message: string]> = [
  [/nonce too low/i, "nonce too low"],
  [/replacement transaction underpriced/i, "replacement transaction underpriced"],
  [/known transaction/i, "transaction already imported"],
  [/enough funds/i, "Insufficient funds for gas * price + value"]
]

/** The data of a revert, which EDR wraps in an object. */
const revertData = (data: unknown): unknown =>
  typeof data === "object" && data !== null && "data" in data ? data.data : data

export const nodeError = (error: unknown): unknown => {
  if (!(error instanceof RpcError)) return error
  const { code, data, message } = error
  const [, refusal] = refusals.find(([pattern]) => pattern.test(message)) ?? []
  if (refusal !== undefined) return new RpcError(rejected, refusal)
  if (/revert/i.test(message)) return new RpcError(3, "execution reverted", revertData(data) ?? "0x")
  if (message.endsWith("is not supported")) return new RpcError(-32601, "Method not found")
  return new RpcError(code, message, revertData(data) ?? undefined)
}
