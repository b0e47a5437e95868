/** Describes why a request to a node failed. Messages contain no URLs, because URLs may contain keys. */
import type { RpcFault } from "../metrics/series.js"
import { ChainUnavailable } from "./ChainError.js"

/** A failed request. */
export interface Failure {
  readonly fault: RpcFault
  /** What the node did, to follow its host in a message. */
  readonly message: string
  /** How long the node wants not to be called, if it says so. */
  readonly retryAfterMillis?: number | undefined
}

/** What a client reports about a failed request. */
export interface Report {
  readonly isTimeout?: boolean
  readonly isRedirect?: boolean
  /** The HTTP status, if it is not a success. */
  readonly status?: number | undefined
  readonly headers?: Pick<Headers, "get"> | undefined
  /** The JSON-RPC error, if the node returned one. */
  readonly refusal?: { readonly code: number; readonly message: string; readonly isRateLimit: boolean } | undefined
  readonly cause: unknown
}

const tooManyRequests = 429

/** The codes of JSON-RPC errors with which nodes of both families refuse further requests for a while. */
const limitCodes: ReadonlyArray<number> = [tooManyRequests, -32_029, -32_090, -32_429]
const limitMessage =
  /rate.?limit|too many requests|(request|call)s? limit|(capacity|compute units|credits|quota).*(exceed|reach)|exceed.*(capacity|compute units|credits|quota)/i
/** A contract chooses the message with which it reverts. */
const revertMessage = /revert/i

/** Whether a JSON-RPC error means that the node received too many requests. */
export const isRateLimit = ({ code, message }: { readonly code: number; readonly message: string }): boolean =>
  limitCodes.includes(code) || (code !== 3 && limitMessage.test(message) && !revertMessage.test(message))

/** Why no connection was established, by the code of the system's error. */
const connectionReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed",
  EPIPE: "connection closed",
  UND_ERR_SOCKET: "connection closed",
  ENOTFOUND: "unknown host name",
  EAI_AGAIN: "host name lookup failed",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  CERT_HAS_EXPIRED: "expired TLS certificate",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed TLS certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed TLS certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "untrusted TLS certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate of another host"
}

/** An error and its causes. A library's chain of causes is short. */
const causesOf = (error: unknown): ReadonlyArray<Error> => {
  const found: Array<Error> = []
  for (let cause = error; cause instanceof Error && found.length < 8; cause = cause.cause) found.push(cause)
  return found
}

/** Returns why a node could not be reached, and `undefined` if it sent at least a part of a response. */
const connectionReason = (error: unknown): string | undefined => {
  const causes = causesOf(error)
  // The message with which `fetch` reports a response that breaks off.
  if (causes.some(({ message }) => message === "terminated")) return undefined
  const code = causes
    .map((cause) => ("code" in cause ? String(cause.code) : ""))
    .find((each) => /^[A-Z]\w+$/.test(each))
  if (code !== undefined) return `${connectionReasons[code] ?? "connection failed"} (${code})`
  return causes.some(({ message }) => message === "fetch failed") ? "connection failed" : undefined
}

/** Redacts keys, calldata, and URLs with credentials in a node's message. */
const redact = (message: string): string =>
  message
    .replaceAll(/\w+:\/\/\S+/g, "…")
    .replaceAll(/[\w-]{24,}/g, "…")
    .slice(0, 120)

/** Parses a `Retry-After` header, which contains seconds or a date. */
const retryAfterOf = (headers: Report["headers"], now: number): number | undefined => {
  const text = headers?.get("retry-after") ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** The faults of requests that the node did not process. */
const unanswered: ReadonlyArray<RpcFault> = ["timeout", "unreachable", "limited"]

/** Creates the error for a failed request to a chain's node. */
export const errorOf = (chainId: number, host: string, { fault, message }: Failure): ChainUnavailable =>
  new ChainUnavailable({
    chainId,
    message: `${host} ${message}.`,
    timeout: fault === "timeout",
    ...(unanswered.includes(fault) && { unanswered: true })
  })

/** Describes a failed request at a time in Unix milliseconds. */
export const describe = (
  { cause, headers, isRedirect = false, isTimeout = false, refusal, status }: Report,
  method: string,
  timeoutMillis: number,
  now: number
): Failure => {
  if (isTimeout) return { fault: "timeout", message: `did not respond to ${method} within ${timeoutMillis} ms` }
  if (isRedirect) return { fault: "redirect", message: `responded to ${method} with a redirect, which is not followed` }
  const retryAfterMillis = retryAfterOf(headers, now)
  if (refusal !== undefined) {
    const fault = refusal.isRateLimit ? "limited" : "refused"
    return { fault, message: `rejected ${method}: ${redact(refusal.message)} (${refusal.code})`, retryAfterMillis }
  }
  if (status !== undefined) {
    const fault = status === tooManyRequests ? "limited" : "status"
    return { fault, message: `responded to ${method} with HTTP ${status}`, retryAfterMillis }
  }
  const reason = connectionReason(cause)
  return reason === undefined
    ? { fault: "unreadable", message: `returned an invalid response to ${method}` }
    : { fault: "unreachable", message: `could not be reached for ${method}: ${reason}` }
}
