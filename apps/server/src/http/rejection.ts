/** Responses to input that is not a valid request: malformed HTTP, oversized headers, slow clients. */
import { randomUUID } from "node:crypto"
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
}

const rejections: Readonly<Record<string, Rejection>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "REQUEST_TIMEOUT",
    message: "The request took too long to arrive. Send the headers and the body again, without delay."
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "HEADERS_TOO_LARGE",
    message: "The request headers are too large. Omit headers that the service does not need, such as Cookie."
  }
}

/** The response to input that Node cannot parse. HTTP/0.9 requests, which Node can parse, get the same response. */
export const malformed = {
  status: 400,
  code: "VALIDATION",
  message:
    "The request is not valid HTTP/1.1 (RFC 9112). Check the request line, the headers, the length and the encoding."
}

/** The response to a request without a `Host` header, which HTTP/1.1 requires. */
export const noHost = { ...malformed, message: "The Host header is missing. Send it with every request." }

/** The response to a request for a host name that the server does not serve. */
export const otherHost = {
  status: 403,
  code: "FORBIDDEN",
  message:
    "This server does not serve the host name in the Host header. Use localhost or 127.0.0.1. If a proxy forwards a public host name, add that name to listen.hosts in the configuration."
}

/** The response to CONNECT requests, which are not supported because the server is not a proxy. */
export const noTunnel = {
  status: 405,
  code: "METHOD_NOT_ALLOWED",
  message: "This service is not a proxy and does not support CONNECT."
}

/** Returns the response to an error from Node's parser. */
export const rejectionOf = (error: Error & { readonly code?: string }): Rejection =>
  rejections[error.code ?? ""] ?? malformed

const partsOf = ({ code, message }: Rejection) => {
  const requestId = randomUUID()
  const body = JSON.stringify({ code, message, requestId })
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    connection: "close"
  }
  return { body, headers }
}

/** Rejects a request that Node was able to parse. */
export const refuse = (out: ServerResponse, rejection: Rejection) => {
  const { body, headers } = partsOf(rejection)
  out.writeHead(rejection.status, headers).end(body)
}

/** Writes a response directly to the socket, in the same format as all other errors, and closes the socket. */
export const reject = (socket: Duplex, rejection: Rejection) => {
  const { body, headers } = partsOf(rejection)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const first = `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`
  socket.end([first, ...lines, "", body].join("\r\n"), () => socket.destroy())
}
