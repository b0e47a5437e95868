/** Probes the service: does it respond, does it accept the API key, and how far apart are the clocks? */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { value } from "effect/Redacted"
import { errorCode } from "../node/secretFile.js"

const untrusted = "its TLS certificate is not trusted by this machine (add its CA with NODE_EXTRA_CA_CERTS)"

const reasons: Readonly<Record<string, string>> = {
  "": "no connection",
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name not found",
  ECONNRESET: "connection closed",
  UND_ERR_SOCKET: "connection closed",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another host name"
}

/** Describes why the connection failed. */
const describeConnectionError = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = errorCode(cause) ?? ""
  if (code === "" && error instanceof Error && error.name === "TimeoutError") return "timed out"
  return reasons[code] ?? (code.startsWith("ERR_SSL") ? "it does not use TLS" : code)
}

/**
 * Requests the list of chains, which every account may read. `took` is the response time in milliseconds. `ahead` is how
 * many milliseconds this machine's clock is ahead of the service's, or `undefined` if the response has no date.
 */
export const probe = (url: string, apiKey: Redacted.Redacted | undefined, millis: number) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const answer = yield* Effect.promise(async (signal) => {
      try {
        const response = await fetch(`${url.replace(/\/+$/, "")}/swap/chains`, {
          headers: { accept: "application/json", ...(apiKey !== undefined && { "x-api-key": value(apiKey) }) },
          // A redirect would send the key to another host.
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(millis)])
        })
        await response.body?.cancel()
        return { status: response.status, date: response.headers.get("date") }
      } catch (error) {
        return describeConnectionError(error)
      }
    })
    if (typeof answer === "string") return { reached: false as const, reason: answer }
    const after = yield* Clock.currentTimeMillis
    const serviceTime = answer.date === null ? Number.NaN : Date.parse(answer.date)
    // The `Date` header contains only whole seconds, so its time may be up to one second behind.
    const ahead = Number.isNaN(serviceTime) ? undefined : Math.round((before + after) / 2 - serviceTime - 500)
    return { reached: true as const, status: answer.status, took: after - before, ahead }
  })
