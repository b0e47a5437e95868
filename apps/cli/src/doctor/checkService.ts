/** The doctor's look at the service: connection, TLS, clock, API key. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Shape as SettingsShape } from "../config/Settings.js"
import { probe, type Probe } from "../service/probe.js"
import { fail, type Finding, ok, warn } from "./finding.js"

/** Milliseconds from which a clock is off; an operation lives for about 90 s, and may for 15 minutes. */
const bounds = { odd: 30_000, wrong: 300_000 }

const clockOf = (ahead: number | undefined): Finding => {
  if (ahead === undefined) return warn("clock", "the service does not tell its time", "Compare your clock by hand.")
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const words = `${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the service`
  const next = "Set the clock of this machine, or tell the operator of the service."
  if (Math.abs(ahead) >= bounds.wrong) return fail("clock", words, next)
  return Math.abs(ahead) >= bounds.odd
    ? warn("clock", words, next)
    : ok("clock", seconds < 2 ? "agrees with the service" : words)
}

const keyOf = (status: number): Finding => {
  if (status === 401 || status === 403) {
    return fail("API key", "the service does not accept it", "Set GEOSWAP_API_KEY, or run geoswap init.")
  }
  if (status === 200) return ok("API key", "accepted")
  if (status === 429) return warn("API key", "too many requests to tell", "Wait a little and run it again.")
  return status === 404
    ? warn("API key", "the service lists no chains, so it cannot be tried", "List chains in the configuration.")
    : warn("API key", `the service answered ${status}`, "Tell the operator of the service.")
}

const tlsOf = (url: string): Finding =>
  url.startsWith("https:") ? ok("TLS", "the certificate is trusted") : ok("TLS", "not needed on this machine")

const answered = (url: string, seen: Probe & { reached: true }): ReadonlyArray<Finding> => [
  seen.status >= 500
    ? fail("service", `${url} answers ${seen.status}`, "Wait, or tell the operator of the service.")
    : seen.status >= 300 && seen.status < 400
      ? fail("service", `${url} sends elsewhere (${seen.status})`, "Use the URL that it sends to.")
      : ok("service", `${url} answers in ${seen.took} ms`),
  tlsOf(url),
  clockOf(seen.ahead)
]

/** Looks at the service. */
export const lookAtService = Effect.fnUntraced(function* (settings: SettingsShape) {
  const { timeoutSeconds = 10, url } = settings
  if (url === undefined) return [fail("service", "none is configured", "Run geoswap init, or name one with --url.")]
  const service = yield* Effect.result(settings.service)
  const key = Result.isSuccess(service) ? service.success.apiKey : undefined
  const seen = yield* probe(url, key, timeoutSeconds * 1000)
  if (!seen.reached) {
    return [fail("service", `${url} does not answer: ${seen.reason}`, "Check the URL and the network.")]
  }
  return [
    ...answered(url, seen),
    Result.isSuccess(service) ? keyOf(seen.status) : fail("API key", service.failure.message, service.failure.next)
  ]
})
