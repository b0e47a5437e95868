/** One look at the service: does it answer, does it accept the key, and what does its clock say? */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { value } from "effect/Redacted"

/** What a look at the service showed. */
export type Probe =
  | { readonly reached: false; readonly reason: string }
  | {
      readonly reached: true
      readonly status: number
      /** Milliseconds that the answer took. */
      readonly took: number
      /** Milliseconds that this machine's clock is ahead of the service's; absent where it told no time. */
      readonly ahead: number | undefined
    }

/** Why no answer came, for a person. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  switch (code) {
    case "ECONNREFUSED":
      return "nobody listens there"
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name is not known to the network"
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "the connection was cut"
    case "CERT_HAS_EXPIRED":
      return "its TLS certificate has expired"
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return "its TLS certificate is not trusted by this machine (NODE_EXTRA_CA_CERTS names others)"
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "its TLS certificate is for another name"
    default:
      if (error instanceof Error && error.name === "TimeoutError") return "no answer came in time"
      return code.startsWith("ERR_SSL") ? "it does not speak TLS there" : code === "" ? "no connection" : code
  }
}

/** Asks for the list of chains, which every account may see. */
export const probe = (url: string, apiKey: Redacted.Redacted | undefined, millis: number): Effect.Effect<Probe> =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const answer = yield* Effect.promise(async (signal) => {
      try {
        const response = await fetch(`${url.replace(/\/+$/, "")}/swap/chains`, {
          headers: { accept: "application/json", ...(apiKey !== undefined && { "x-api-key": value(apiKey) }) },
          // A redirect would take the key along.
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(millis)])
        })
        await response.body?.cancel()
        return { status: response.status, date: response.headers.get("date") }
      } catch (error) {
        return reasonOf(error)
      }
    })
    if (typeof answer === "string") return { reached: false, reason: answer }
    const after = yield* Clock.currentTimeMillis
    const told = answer.date === null ? Number.NaN : Date.parse(answer.date)
    // The header counts seconds: it may lie up to one behind.
    const ahead = Number.isNaN(told) ? undefined : Math.round((before + after) / 2 - told - 500)
    return { reached: true, status: answer.status, took: after - before, ahead }
  })
