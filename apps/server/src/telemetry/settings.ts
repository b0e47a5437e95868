/** Parses the OpenTelemetry variables. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
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

/** OpenTelemetry variables are invalid. Lists all problems at once, without URLs or headers. */
export class InvalidTelemetry extends Schema.TaggedError<InvalidTelemetry>()("InvalidTelemetry", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}

const base = "OTEL_EXPORTER_OTLP_"

/** Reads the variables, and collects the problems. If a part is invalid, its value is not used. */
const parse = (environment: Environment) => {
  const problems = new Set<string>()
  const fail = (name: string, message: string) => void problems.add(`${name}: ${message}`)

  /** Returns the value of a variable. Empty variables are treated as unset. */
  const get = (name: string) => environment[name]?.trim() || undefined

  /** The variable for one signal if it is set, otherwise the variable for both signals. */
  const nameFor = (signal: Signal, what: string) => {
    const own = `${base}${signal.toUpperCase()}_${what}`
    return get(own) === undefined ? `${base}${what}` : own
  }

  /** The URL of the collector. Error messages omit the URL, because it may contain a key. */
  const endpointOf = (signal: Signal) => {
    const name = nameFor(signal, "ENDPOINT")
    const text = get(name)
    if (text === undefined) return undefined
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      return fail(name, "expected a collector URL, such as http://host:4318 or https://host.")
    }
    if (url.username !== "" || url.password !== "") {
      return fail(name, `must not contain credentials. Use ${base}HEADERS instead: authorization=Basic%20…`)
    }
    if (name === `${base}ENDPOINT`) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`
    return url.href
  }

  /** Parses percent-encoded pairs in the format `key=value,key=value`. */
  const pairsOf = (name: string) => {
    const pairs = (get(name) ?? "").split(",").filter((pair) => pair.trim() !== "")
    if (pairs.some((pair) => !/^[^=]*[^=\s][^=]*=/.test(pair)))
      fail(name, "expected a list such as key=value,key=value.")
    try {
      return pairs.map((pair) => {
        const at = pair.indexOf("=")
        return [pair.slice(0, at), pair.slice(at + 1)].map((part) => decodeURIComponent(part.trim())) as [
          string,
          string
        ]
      })
    } catch {
      fail(name, "contains invalid percent-encoding. Write %25 for a percent sign.")
      return []
    }
  }

  const headersOf = (signal: Signal) => {
    const name = nameFor(signal, "HEADERS")
    const pairs = pairsOf(name)
    if (pairs.some(([key, value]) => !/^[\w!#$%&'*+.^`|~-]*$/.test(key) || !/^[\t -~]*$/.test(value)))
      fail(name, "contains an invalid HTTP header. Check the names and look for line breaks.")
    return Object.fromEntries(pairs.map(([key, value]) => [key.toLowerCase(), Redacted.make(value)]))
  }

  const targetOf = (signal: Signal): Target | undefined => {
    const exporterName = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const exporter = get(exporterName) ?? "otlp"
    if (exporter !== "otlp" && exporter !== "none") fail(exporterName, "expected otlp or none.")
    const url = exporter === "otlp" ? endpointOf(signal) : undefined
    if (url === undefined) return undefined
    const protocol = nameFor(signal, "PROTOCOL")
    if ((get(protocol) ?? "http/json") !== "http/json") {
      fail(
        protocol,
        "expected http/json, the only protocol that this server supports. Set it to http/json and use the collector's HTTP port, usually 4318."
      )
    }
    const timeout = nameFor(signal, "TIMEOUT")
    const timeoutMillis = Number(get(timeout) ?? 10_000)
    if (!Number.isInteger(timeoutMillis) || timeoutMillis <= 0 || timeoutMillis > 60_000) {
      fail(timeout, "expected a number of milliseconds up to 60000.")
    }
    return { url, headers: headersOf(signal), timeoutMillis }
  }

  const shareOf = () => {
    const [sampler, argument] = ["OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"]
    const chosen = get(sampler) ?? "parentbased_always_on"
    if (chosen === "parentbased_always_on") return 1
    if (chosen === "parentbased_always_off") return 0
    const share = Number(get(argument) ?? 1)
    if (chosen !== "parentbased_traceidratio") {
      fail(sampler, "expected parentbased_always_on, parentbased_always_off or parentbased_traceidratio.")
    } else if (!(share >= 0 && share <= 1)) fail(argument, "expected a number from 0 to 1.")
    return share
  }

  const [traces, logs] = [targetOf("traces"), targetOf("logs")]
  if (problems.size === 0 && traces === undefined && logs === undefined) return { problems, settings: undefined }
  const attributes = Object.fromEntries(pairsOf("OTEL_RESOURCE_ATTRIBUTES"))
  const name = get("OTEL_SERVICE_NAME") ?? attributes["service.name"] ?? "geoswap-server"
  const resource = { ...attributes, "service.name": name }
  return { problems, settings: { ...(traces && { traces }), ...(logs && { logs }), resource, share: shareOf() } }
}

/** Reads the OpenTelemetry variables. Returns `undefined` if there is nothing to send. */
export const read = (environment: Environment): Effect.Effect<Settings | undefined, InvalidTelemetry> =>
  Effect.suspend(() => {
    if (environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return Effect.undefined
    const { problems, settings } = parse(environment)
    return problems.size > 0 ? Effect.fail(new InvalidTelemetry({ problems: [...problems] })) : Effect.succeed(settings)
  })
