/** The error that a JSON-RPC call fails with. */
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
