/** Maps the service's error responses to typed errors. This works even if a response has nothing but an HTTP status. */
import * as Amount from "../Amount.js"
import type { QuoteRequest } from "../Quote.js"
import * as SwapError from "../SwapError.js"
import { addressKey } from "./addressKey.js"
import type { Endpoint, HttpResponse } from "./http.js"
import { parseJson, requestIdOf, sanitize } from "./decodeResponse.js"
import { compact } from "./compact.js"

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

const asCode = (value: unknown): unknown =>
  typeof value === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(value) ? value : undefined

/** The first non-empty string, sanitized for logging. */
const textOf = (...candidates: ReadonlyArray<unknown>): string | undefined => {
  const text = candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && /\S/.test(candidate)
  )
  return text === undefined ? undefined : sanitize(text, 300)
}

/**
 * Parses the body of an error response. Accepts `{ code, message }`, `{ error: {...} }`, objects with `errorCode`, RFC
 * 9457, plain text and an empty body.
 */
const read = (answer: HttpResponse) => {
  const json = parseJson(answer.body)
  const outer = recordOf(json)
  const { code, errorCode, error, message, detail, title, type, requestId, details } = {
    ...outer,
    ...recordOf(outer["error"])
  }
  const page = /^\s*</.test(answer.body)
  return {
    status: answer.status,
    code: textOf(code, errorCode, asCode(error), asCode(type)),
    // Drop the message of a redirect, because the redirect may not come from the service.
    said:
      answer.status < 400
        ? ""
        : textOf(message, detail, title, asCode(error) ? "" : error, json ?? (page ? "" : answer.body)),
    requestId: textOf(requestId) ?? requestIdOf(answer),
    details,
    /** An amount in the details, unless it is invalid. */
    amountOf: (field: string): bigint | undefined => {
      const amount = Amount.fromInput(recordOf(details)[field])
      return amount !== undefined && amount <= Amount.max("evm") ? amount : undefined
    }
  }
}

type Refusal = ReturnType<typeof read>

/**
 * How many milliseconds to wait, as specified by `Retry-After` (seconds or a date), `RateLimit` (`t=`) or
 * `RateLimit-Reset`.
 */
const retryAfterOf = ({ headers }: HttpResponse): number | undefined => {
  const after = headers["retry-after"] ?? ""
  const untilDate = Date.parse(after) - Date.parse(headers["date"] ?? "")
  const seconds =
    /^\s*(\d{1,9}(?:\.\d+)?)\s*$/.exec(after) ??
    (untilDate >= 0
      ? [after, untilDate / 1000]
      : (/(?:^|[;,\s])(?:t|reset)=(\d{1,9})/.exec(headers["ratelimit"] ?? "") ??
        /^\s*(\d{1,9})\s*$/.exec(headers["ratelimit-reset"] ?? "")))
  return seconds ? Number(seconds[1]) * 1000 : undefined
}

const fieldsOf = ({ said, code, requestId }: Refusal, otherwise: string) =>
  compact({ message: said ? `${otherwise} The service says: ${said}` : otherwise, code, requestId })

/** Returns the error for a failed call to any endpoint. */
const general = (endpoint: Endpoint, refusal: Refusal, answer: HttpResponse): SwapError.CallError => {
  const { status, details } = refusal
  const fields = fieldsOf(
    refusal,
    `The service responded to ${endpoint} with HTTP ${status}${status < 400 ? ": check its URL" : ""}.`
  )
  const wait = compact({ retryAfter: retryAfterOf(answer) })
  if (status === 401 || status === 403) {
    return new SwapError.Unauthorized(fieldsOf(refusal, "The service does not accept this API key."))
  }
  if (status === 429) return new SwapError.RateLimited({ ...fields, ...wait })
  if (status >= 500 || status === 408 || status === 425) {
    const reason = status === 408 || status === 504 ? "timeout" : "server"
    return new SwapError.Unavailable({ ...fields, ...wait, reason, status })
  }
  return status < 400
    ? new SwapError.ProtocolError({ ...fields, endpoint, field: "" })
    : new SwapError.Rejected({ ...fields, ...compact({ details }), status })
}

/** What the caller knows of the swap. It is not a claim of the service. */
type Asked = Partial<Pick<QuoteRequest, "amount" | "inputToken">>

/** The form of an address. Checksums are not verified: their code would be large, and the address is only compared. */
const addressPattern = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

/** The token and the amounts of a refusal because of the wallet's balance. */
const balanceFields = ({ amountOf, details }: Refusal, asked: Asked) => {
  const { token: claimed } = recordOf(details)
  const named = typeof claimed === "string" && addressPattern.test(claimed) ? claimed : undefined
  const token = asked.inputToken ?? named
  const needs = asked.amount ?? amountOf("required")
  const [balance, inFlight = 0n] = [amountOf("balance"), amountOf("inFlight")]
  const has = balance === undefined || balance > inFlight ? balance && balance - inFlight : 0n
  const isOther = token !== undefined && named !== undefined && addressKey(token) !== addressKey(named)
  const isEnough = has !== undefined && needs !== undefined && has >= needs
  return compact({ token, needs, has: isOther || isEnough ? undefined : has })
}

/**
 * Returns the error for a failed call about a swap. The amounts are claims of the service: those that are invalid or
 * contradict the refusal are left out.
 */
const refused = (
  endpoint: Endpoint,
  refusal: Refusal,
  answer: HttpResponse,
  asked: Asked = {}
): SwapError.QuoteError => {
  const error = general(endpoint, refusal, answer)
  if (error._tag !== "Rejected") return error
  const fields = (otherwise: string) => fieldsOf(refusal, otherwise)
  const { amount } = asked
  const [minimum, maximum] = [refusal.amountOf("minimum"), refusal.amountOf("maximum")]
  switch (refusal.code) {
    case "NO_ROUTE":
      return new SwapError.NoRoute(fields("The service does not offer this swap."))
    case "INSUFFICIENT_BALANCE":
      return new SwapError.InsufficientBalance({
        ...fields("The wallet's balance of the input token is too low."),
        ...balanceFields(refusal, asked)
      })
    case "NEEDS_LARGER_SIZE":
      return new SwapError.AmountTooSmall({
        ...fields("The amount is too small to cover the network cost and the fee."),
        ...compact({ minimum: minimum === undefined || minimum > (amount ?? 0n) ? minimum : undefined })
      })
    case "NEEDS_SMALLER_SIZE":
      return new SwapError.AmountTooLarge({
        ...fields("The amount is larger than what the service can swap at once."),
        ...compact({ maximum: maximum === undefined || maximum < (amount ?? Infinity) ? maximum : undefined })
      })
    default:
      return error
  }
}

/** Returns the service's error code or, if there is no code, the code that the HTTP status implies at this step. */
const codeOf = ({ status, code }: Refusal, step: "build" | "submit", authorized: boolean): string | undefined => {
  // A 5xx, 408 or 429 status says nothing about the request, even if the response has a code.
  if (![400, 401, 409, 410, 422].includes(status)) return undefined
  if (status === 410 && code !== "QUOTE_EXPIRED") return step === "build" ? "QUOTE_EXPIRED" : "OPERATION_EXPIRED"
  if (status === 401 && code === undefined) return "INVALID_TOKEN"
  if (code !== undefined || step === "submit") return code
  if (status === 409) return authorized ? "INVALID_AUTHORIZATION" : "NEEDS_DELEGATION"
  return status === 422 ? "UNSUPPORTED_DELEGATION" : undefined
}

/** Returns the error for a failed call to an endpoint that takes a sealed token. */
const sealed = (endpoint: Endpoint, refusal: Refusal, answer: HttpResponse, code: string | undefined) => {
  const fields = (otherwise: string) => fieldsOf(refusal, otherwise)
  switch (code) {
    case "NEEDS_DELEGATION":
      return new SwapError.NeedsDelegation(fields("The wallet is not delegated: attach an authorization."))
    case "QUOTE_EXPIRED":
      return new SwapError.Expired({ ...fields("The quote has expired."), what: "quote" })
    case "OPERATION_EXPIRED":
      return new SwapError.Expired({ ...fields("The operation has expired."), what: "operation" })
    case "INVALID_TOKEN":
      return new SwapError.InvalidToken(
        fields("The sealed token was modified or belongs to another step: request a new quote.")
      )
    case "INVALID_AUTHORIZATION":
      return new SwapError.InvalidAuthorization(
        fields("The authorization is stale: sign a new one with the current nonce.")
      )
    case "UNSUPPORTED_DELEGATION":
      return new SwapError.Unsupported(fields("The wallet is delegated to another provider: use another wallet."))
    default:
      return refused(endpoint, refusal, answer)
  }
}

/** Returns the error for a failed delegation, status or chains call. */
export const toCallError = (endpoint: Endpoint, answer: HttpResponse): SwapError.CallError =>
  general(endpoint, read(answer), answer)

/** Returns the error for a failed quote call. */
export const toQuoteError =
  (asked: Asked) =>
  (endpoint: Endpoint, answer: HttpResponse): SwapError.QuoteError =>
    refused(endpoint, read(answer), answer, asked)

/** Returns the error for a failed build call. */
export const toBuildError =
  (authorized: boolean) =>
  (endpoint: Endpoint, answer: HttpResponse): SwapError.BuildError => {
    const refusal = read(answer)
    return sealed(endpoint, refusal, answer, codeOf(refusal, "build", authorized))
  }

/** Returns the error for a failed submit call. */
export const toSubmitError = (endpoint: Endpoint, answer: HttpResponse): SwapError.BuildError => {
  const refusal = read(answer)
  return sealed(endpoint, refusal, answer, codeOf(refusal, "submit", false))
}

/** Returns the error for a failed call that changes a delegation. */
export const toChangeError = (endpoint: Endpoint, answer: HttpResponse): SwapError.ChangeError => {
  const refusal = read(answer)
  const { code, status } = refusal
  const fields = (otherwise: string) => fieldsOf(refusal, otherwise)
  // A 5xx, 408 or 429 status says nothing about the request, even if the response has a code.
  if (status === 409 && code === "SWAP_IN_PROGRESS") {
    return new SwapError.SwapInProgress({
      ...fields("A swap of this wallet is in progress on this chain: wait until it has finished."),
      ...compact({ retryAfter: retryAfterOf(answer) })
    })
  }
  if (status === 409 && code === "INVALID_AUTHORIZATION") {
    return new SwapError.InvalidAuthorization(
      fields("The authorization is stale: sign a new one with the current nonce.")
    )
  }
  if (status === 422 && code === "UNSUPPORTED_DELEGATION") {
    return new SwapError.Unsupported(
      fields("The wallet is delegated to another provider: change that delegation with the wallet itself.")
    )
  }
  return general(endpoint, refusal, answer)
}
