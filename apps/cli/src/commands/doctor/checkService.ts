/** Checks the service: connection, TLS, clock and API key. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Settings } from "../../config/Settings.js"
import { probe, type Probe } from "../../service/probe.js"
import { fail, type Finding, ok, warn } from "./finding.js"

/**
 * The clock differences, in milliseconds, from which `geoswap doctor` reports a warning or a failure. For comparison,
 * an operation is typically valid for about 90 s, and never for more than 15 minutes.
 */
const limits = { warn: 30_000, fail: 300_000 }

const clockOf = (ahead: number | undefined): Finding => {
  if (ahead === undefined) return warn("clock", "the service's response has no date", "Check your clock manually.")
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const found = `${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the service`
  const next = "Correct this machine's clock, or contact the service operator."
  if (Math.abs(ahead) >= limits.fail) return fail("clock", found, next)
  return Math.abs(ahead) >= limits.warn
    ? warn("clock", found, next)
    : ok("clock", seconds < 2 ? "matches the service" : found)
}

const keyOf = (status: number): Finding => {
  if (status === 401 || status === 403) {
    return fail(
      "API key",
      "the service does not accept it",
      "Set GEOSWAP_API_KEY to a valid key, or run geoswap init to store one."
    )
  }
  if (status === 200) return ok("API key", "accepted")
  if (status === 429)
    return warn("API key", "not checked: too many requests", "Wait a moment and run the command again.")
  return status === 404
    ? warn("API key", "not checked: the service provides no list of chains", "Add chains to the configuration.")
    : warn("API key", `not checked: the service responded with status ${status}`, "Contact the service operator.")
}

const tlsOf = (url: string): Finding =>
  url.startsWith("https:")
    ? ok("TLS", "the certificate is trusted")
    : ok("TLS", "not needed for a service on this machine")

const reachableFindings = (url: string, probed: Probe & { reached: true }): ReadonlyArray<Finding> => [
  probed.status >= 500
    ? fail(
        "service",
        `${url} responded with status ${probed.status}`,
        "Try again later, or contact the service operator."
      )
    : probed.status >= 300 && probed.status < 400
      ? fail("service", `${url} redirects (${probed.status})`, "Use the URL that the service redirects to.")
      : ok("service", `${url} responded in ${probed.took} ms`),
  tlsOf(url),
  clockOf(probed.ahead)
]

/** Checks the service. */
export const checkService = Effect.fnUntraced(function* (settings: Settings) {
  const { timeoutSeconds = 10, url } = settings
  if (url === undefined) return [fail("service", "not configured", "Run geoswap init, or pass --url.")]
  const service = yield* Effect.result(settings.service)
  const key = Result.isSuccess(service) ? service.success.apiKey : undefined
  const probed = yield* probe(url, key, timeoutSeconds * 1000)
  if (!probed.reached) {
    return [fail("service", `${url} did not respond: ${probed.reason}`, "Check the URL and your internet connection.")]
  }
  return [
    ...reachableFindings(url, probed),
    Result.isSuccess(service) ? keyOf(probed.status) : fail("API key", service.failure.message, service.failure.next)
  ]
})
