/** Checks the service: connection, TLS, clock and API key. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Settings } from "../../config/Settings.js"
import { probe } from "../../service/probe.js"
import { findingsOn } from "./finding.js"

/**
 * The clock differences, in milliseconds, from which `geoswap doctor` reports a warning or a failure. For comparison,
 * an operation is typically valid for about 90 s, and never for more than 15 minutes.
 */
const limits = { warn: 30_000, fail: 300_000 }

const checkClock = (ahead: number | undefined) => {
  const { fail, ok, warn } = findingsOn("clock")
  if (ahead === undefined) return warn("the service's response has no date", "Check your clock manually.")
  const off = Math.abs(ahead)
  const seconds = Math.round(off / 1000)
  const found = `${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the service`
  if (off < limits.warn) return ok(seconds < 2 ? "matches the service" : found)
  return (off < limits.fail ? warn : fail)(found, "Correct this machine's clock, or contact the service operator.")
}

const checkKey = (status: number) => {
  const { fail, ok, warn } = findingsOn("API key")
  switch (status) {
    case 200:
      return ok("accepted")
    case 401:
    case 403:
      return fail(
        "the service does not accept it",
        "Set GEOSWAP_API_KEY to a valid key, or run geoswap init to store one."
      )
    case 404:
      return warn("not checked: the service provides no list of chains", "Add chains to the configuration.")
    case 429:
      return warn("not checked: too many requests", "Wait a moment and run the command again.")
    default:
      return warn(`not checked: the service responded with status ${status}`, "Contact the service operator.")
  }
}

/** Checks the service. */
export const checkService = Effect.fnUntraced(function* (settings: Settings) {
  const { timeoutSeconds = 10, url } = settings
  const { fail, ok } = findingsOn("service")
  if (url === undefined) return fail("not configured", "Run geoswap init, or pass --url.")
  const service = yield* Effect.result(settings.service)
  const key = Result.isSuccess(service) ? service.success.apiKey : undefined
  const probed = yield* probe(url, key, timeoutSeconds * 1000)
  if (!probed.reached) {
    return fail(`${url} did not respond: ${probed.reason}`, "Check the URL and your internet connection.")
  }
  const { ahead, status, took } = probed
  return [
    ...(status >= 500
      ? fail(`${url} responded with status ${status}`, "Try again later, or contact the service operator.")
      : status >= 300 && status < 400
        ? fail(`${url} redirects (${status})`, "Use the URL that the service redirects to.")
        : ok(`${url} responded in ${took} ms`)),
    ...findingsOn("TLS").ok(
      url.startsWith("https:") ? "the certificate is trusted" : "not needed for a service on this machine"
    ),
    ...checkClock(ahead),
    ...(Result.isSuccess(service)
      ? checkKey(status)
      : findingsOn("API key").fail(service.failure.message, service.failure.next))
  ]
})
