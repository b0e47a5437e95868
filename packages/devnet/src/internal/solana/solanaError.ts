/** The errors of Solana's JSON-RPC, with a real node's codes and messages. */
import { RpcError } from "../rpcError.js"

export const preflightFailure = (message: string, data: unknown) =>
  new RpcError(-32002, `Transaction simulation failed: ${message}`, data)
export const signatureFailure = () => new RpcError(-32003, "Transaction signature verification failure")
export const blockNotAvailable = (slot: number) => new RpcError(-32004, `Block not available for slot ${slot}`)
export const slotSkipped = (slot: number) =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
export const unsupportedVersion = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. ` +
      `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`
  )
export const minContextSlot = (contextSlot: number) =>
  new RpcError(-32016, "Minimum context slot has not been reached", { contextSlot })
