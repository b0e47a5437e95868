/** Parses the OpenTelemetry variables. */
import * as Redacted from "effect/Redacted"
import type { Environment } from "../secrets/Secrets.js"

/** The kinds of telemetry data that are sent. */
export type Signal = "traces" | "logs"

/** The destination of one signal (traces or logs). */
export interface Target {
  readonly url: string
  /** The headers, which often contain a key. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** The timeout for one batch. */
  readonly timeoutMillis: number
}

export interface Settings {
  readonly traces?: Target
  readonly logs?: Target
  /** `service.name` and other attributes of this server. */
  readonly resource: Readonly<Record<string, string>>
  /** The fraction of traces to sample, from 0 to 1. For traces started by a caller, the caller's choice applies. */
  readonly share: number
}

/** A problem with a variable, collected by `parseSettings`. */
class Problem extends Error {}

const fail = (name: string, message: string) => {
  throw new Problem(`${name}: ${message}`)
}

const base = "OTEL_EXPORTER_OTLP_"

/** Returns the value of a variable. Empty variables are treated as unset. */
type Get = (name: string) => string | undefined

/**
 * The name of the variable for one signal if that variable is set, otherwise the name of the variable for both signals.
 */
const nameFor = (get: Get, signal: Signal, what: string) => {
  const own = `${base}${signal.toUpperCase()}_${what}`
  return get(own) === undefined ? `${base}${what}` : own
}

/** Parses a URL. Error messages omit the URL, because it may contain a key. */
const urlOf = (name: string, text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return fail(name, "expected a collector URL, such as http://host:4318 or https://host.")
  }
  if (url.username !== "" || url.password !== "") {
    return fail(name, `must not contain credentials. Use ${base}HEADERS instead: authorization=Basic%20…`)
  }
  return url
}

const endpointOf = (get: Get, signal: Signal) => {
  const name = nameFor(get, signal, "ENDPOINT")
  const text = get(name)
  if (text === undefined) return undefined
  const url = urlOf(name, text)
  if (name === `${base}ENDPOINT`) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`
  return url.href
}

const decoded = (name: string, text: string) => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return fail(name, "contains invalid percent-encoding. Write %25 for a percent sign.")
  }
}

/** Parses percent-encoded pairs in the format `key=value,key=value`. */
const pairsOf = (name: string, text = ""): ReadonlyArray<readonly [string, string]> =>
  text
    .split(",")
    .filter((pair) => pair.trim() !== "")
    .map((pair) => {
      const at = pair.indexOf("=")
      const key = decoded(name, pair.slice(0, Math.max(at, 0)))
      return key === ""
        ? fail(name, "expected a list such as key=value,key=value.")
        : [key, decoded(name, pair.slice(at + 1))]
    })

const headersOf = (get: Get, signal: Signal): Target["headers"] => {
  const name = nameFor(get, signal, "HEADERS")
  const pairs = pairsOf(name, get(name))
  const wrong = pairs.find(([key, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(key) || !/^[\t -~]*$/.test(value))
  if (wrong !== undefined)
    return fail(name, "contains an invalid HTTP header. Check the names and look for line breaks.")
  return Object.fromEntries(pairs.map(([key, value]) => [key.toLowerCase(), Redacted.make(value)]))
}

const timeoutOf = (get: Get, signal: Signal) => {
  const name = nameFor(get, signal, "TIMEOUT")
  const millis = Number(get(name) ?? 10_000)
  return Number.isInteger(millis) && millis > 0 && millis <= 60_000
    ? millis
    : fail(name, "expected a number of milliseconds up to 60000.")
}

/** Checks the protocol. The server supports only one protocol. */
const checkProtocol = (get: Get, signal: Signal) => {
  const name = nameFor(get, signal, "PROTOCOL")
  const protocol = get(name) ?? "http/json"
  if (protocol !== "http/json") {
    fail(
      name,
      "expected http/json, the only protocol that this server supports. Set it to http/json and use the collector's HTTP port, usually 4318."
    )
  }
}

const isWanted = (get: Get, signal: Signal) => {
  const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
  const exporter = get(name) ?? "otlp"
  return exporter === "otlp" || (exporter === "none" ? false : fail(name, "expected otlp or none."))
}

const targetOf = (get: Get, signal: Signal): Target | undefined => {
  const url = isWanted(get, signal) ? endpointOf(get, signal) : undefined
  if (url === undefined) return undefined
  checkProtocol(get, signal)
  return { url, headers: headersOf(get, signal), timeoutMillis: timeoutOf(get, signal) }
}

const shareOf = (get: Get) => {
  const [sampler, argument] = ["OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"]
  switch (get(sampler) ?? "parentbased_always_on") {
    case "parentbased_always_on":
      return 1
    case "parentbased_always_off":
      return 0
    case "parentbased_traceidratio": {
      const share = Number(get(argument) ?? 1)
      return share >= 0 && share <= 1 ? share : fail(argument, "expected a number from 0 to 1.")
    }
    default:
      return fail(sampler, "expected parentbased_always_on, parentbased_always_off or parentbased_traceidratio.")
  }
}

const resourceOf = (get: Get): Settings["resource"] => {
  const attributes = Object.fromEntries(pairsOf("OTEL_RESOURCE_ATTRIBUTES", get("OTEL_RESOURCE_ATTRIBUTES")))
  const name = get("OTEL_SERVICE_NAME") ?? attributes["service.name"] ?? "geoswap-server"
  return { ...attributes, "service.name": name }
}

/** Parses the settings. Returns `undefined` if there is nothing to send. Reports all problems at once. */
export const parseSettings = (
  environment: Environment
): { readonly settings: Settings | undefined } | { readonly problems: ReadonlyArray<string> } => {
  const get: Get = (name) => environment[name]?.trim() || undefined
  if (get("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return { settings: undefined }
  const problems: Array<string> = []
  const attempt = <A>(part: () => A): A | undefined => {
    try {
      return part()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
      return undefined
    }
  }
  const traces = attempt(() => targetOf(get, "traces"))
  const logs = attempt(() => targetOf(get, "logs"))
  if (problems.length === 0 && traces === undefined && logs === undefined) return { settings: undefined }
  const [share = 1, resource = {}] = [attempt(() => shareOf(get)), attempt(() => resourceOf(get))]
  if (problems.length > 0) return { problems }
  return { settings: { ...(traces && { traces }), ...(logs && { logs }), resource, share } }
}
