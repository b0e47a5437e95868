/** Where telemetry goes, from OpenTelemetry's own variables, and what is wrong with them. */
import * as Redacted from "effect/Redacted"
import type { Environment } from "../secrets/Secrets.js"

/** What is sent: what the server did, and what it said. */
export type Signal = "traces" | "logs"

/** Where one signal goes. */
export interface Target {
  readonly url: string
  /** Often a key. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** How long the collector may take for one batch. */
  readonly timeoutMillis: number
}

export interface Settings {
  readonly traces?: Target
  readonly logs?: Target
  /** `service.name`, and whatever else tells this server from others. */
  readonly resource: Readonly<Record<string, string>>
  /** The share of the traces that begin here, from 0 to 1. Those that begin elsewhere are as their caller says. */
  readonly share: number
}

/** Throws what is wrong with a variable; `parseSettings` collects it. */
class Problem extends Error {}

const fail = (name: string, message: string): never => {
  throw new Problem(`${name}: ${message}`)
}

const base = "OTEL_EXPORTER_OTLP_"

/** A variable that is empty is not set. */
type Get = (name: string) => string | undefined

/** A variable of one signal, or of both. */
const nameFor = (get: Get, signal: Signal, what: string): string => {
  const own = `${base}${signal.toUpperCase()}_${what}`
  return get(own) === undefined ? `${base}${what}` : own
}

/** An address, which is not repeated: it may hold a key. */
const urlOf = (name: string, text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return fail(name, "is no address of a collector: write http://host:4318 or https://host.")
  }
  if (url.username !== "" || url.password !== "") {
    return fail(name, `has a user in it: put that into ${base}HEADERS, as authorization=Basic%20…`)
  }
  return url
}

const endpointOf = (get: Get, signal: Signal): string | undefined => {
  const name = nameFor(get, signal, "ENDPOINT")
  const text = get(name)
  if (text === undefined) return undefined
  const url = urlOf(name, text)
  if (name === `${base}ENDPOINT`) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`
  return url.href
}

const decoded = (name: string, text: string): string => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return fail(name, "has a % that encodes nothing: write %25 for a percent sign.")
  }
}

/** `key=value,key=value`, percent-encoded. */
const pairsOf = (name: string, text = ""): ReadonlyArray<readonly [string, string]> =>
  text
    .split(",")
    .filter((pair) => pair.trim() !== "")
    .map((pair) => {
      const at = pair.indexOf("=")
      const key = decoded(name, pair.slice(0, Math.max(at, 0)))
      return key === ""
        ? fail(name, "is no list: write key=value,key=value.")
        : [key, decoded(name, pair.slice(at + 1))]
    })

const headersOf = (get: Get, signal: Signal): Target["headers"] => {
  const name = nameFor(get, signal, "HEADERS")
  const pairs = pairsOf(name, get(name))
  const wrong = pairs.find(([key, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(key) || !/^[\t -~]*$/.test(value))
  if (wrong !== undefined) return fail(name, "holds what is no header of HTTP: check its names, and for line breaks.")
  return Object.fromEntries(pairs.map(([key, value]) => [key.toLowerCase(), Redacted.make(value)]))
}

const timeoutOf = (get: Get, signal: Signal): number => {
  const name = nameFor(get, signal, "TIMEOUT")
  const millis = Number(get(name) ?? 10_000)
  return Number.isInteger(millis) && millis > 0 && millis <= 60_000
    ? millis
    : fail(name, "is no time: give milliseconds, 60000 at most.")
}

/** We speak one protocol, and would only be refused where another one is expected. */
const checkProtocol = (get: Get, signal: Signal): void => {
  const name = nameFor(get, signal, "PROTOCOL")
  const protocol = get(name) ?? "http/json"
  if (protocol !== "http/json") {
    fail(name, "is not http/json, which this server sends: set that, and the collector's port for HTTP, mostly 4318.")
  }
}

const isWanted = (get: Get, signal: Signal): boolean => {
  const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
  const exporter = get(name) ?? "otlp"
  return exporter === "otlp" || (exporter === "none" ? false : fail(name, "is neither otlp nor none."))
}

const targetOf = (get: Get, signal: Signal): Target | undefined => {
  const url = isWanted(get, signal) ? endpointOf(get, signal) : undefined
  if (url === undefined) return undefined
  checkProtocol(get, signal)
  return { url, headers: headersOf(get, signal), timeoutMillis: timeoutOf(get, signal) }
}

const shareOf = (get: Get): number => {
  const [sampler, argument] = ["OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"]
  switch (get(sampler) ?? "parentbased_always_on") {
    case "parentbased_always_on":
      return 1
    case "parentbased_always_off":
      return 0
    case "parentbased_traceidratio": {
      const share = Number(get(argument) ?? 1)
      return share >= 0 && share <= 1 ? share : fail(argument, "is no share: give a number from 0 to 1.")
    }
    default:
      return fail(sampler, "give parentbased_always_on, parentbased_always_off or parentbased_traceidratio.")
  }
}

const resourceOf = (get: Get): Settings["resource"] => {
  const attributes = Object.fromEntries(pairsOf("OTEL_RESOURCE_ATTRIBUTES", get("OTEL_RESOURCE_ATTRIBUTES")))
  const name = get("OTEL_SERVICE_NAME") ?? attributes["service.name"] ?? "geoswap-server"
  return { ...attributes, "service.name": name }
}

/** The settings, `undefined` where nothing is to be sent, or all that is wrong. */
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
