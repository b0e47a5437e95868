/** Solana's JSON-RPC errors, with a real node's codes and messages. */

/** The error that a call fails with. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const parseError = () => new RpcError(-32700, "Parse error")
export const invalidRequest = () => new RpcError(-32600, "Invalid request")
export const methodNotFound = () => new RpcError(-32601, "Method not found")
export const invalidParams = (message: string) => new RpcError(-32602, message)
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
