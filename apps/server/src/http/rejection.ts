/** Answers to what never becomes a request: broken HTTP, headers without end, clients that are too slow. */
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
    message: "The request took too long to arrive: send it again, headers and body at once."
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "HEADERS_TOO_LARGE",
    message: "The headers of the request are too large: leave out what the service does not need, such as cookies."
  }
}

/** Whatever node's parser does not understand, and HTTP/0.9, which it does. */
export const malformed: Rejection = {
  status: 400,
  code: "VALIDATION",
  message: "This is not HTTP/1.1 as RFC 9112 has it: check the request line, the headers, the length and the encoding."
}

/** HTTP/1.1 wants to know which host is meant. */
export const noHost: Rejection = { ...malformed, message: "The header host is missing: send it with every request." }

/** A tunnel is not something that this server is asked for. */
export const noTunnel: Rejection = {
  status: 405,
  code: "METHOD_NOT_ALLOWED",
  message: "CONNECT is not a method of this service: it is no proxy."
}

/** What to answer to an error of node's parser. */
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

/** Answers a request that is one, but not one to pass on. */
export const refuse = (out: ServerResponse, rejection: Rejection): void => {
  const { body, headers } = partsOf(rejection)
  out.writeHead(rejection.status, headers).end(body)
}

/** Writes an answer straight to the socket and closes it; in the form of every other error. */
export const reject = (socket: Duplex, rejection: Rejection): void => {
  const { body, headers } = partsOf(rejection)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const first = `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`
  socket.end([first, ...lines, "", body].join("\r\n"), () => socket.destroy())
}
