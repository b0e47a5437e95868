/** The log: one line per entry, as JSON or in a short human-readable format. */
import * as Effect from "effect/Effect"
import { formatJson } from "effect/Formatter"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { oneLine } from "./oneLine.js"

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const formatPretty = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) => {
  const messages = (Array.isArray(message) ? message : [message]).map(textOf)
  const facts = Object.entries(annotations).map(([name, value]) => `${name}=${textOf(value)}`)
  const time = timestamp.slice(11, 23)
  const why = cause === undefined ? "" : `\n  ${cause.split("\n").map(oneLine).join("\n  ")}`
  return `${oneLine([time, level.padEnd(5), ...messages, ...facts].join(" "))}${why}`
})

/** Adds the trace and span ids if traces are exported. */
const formatTraced = Logger.make((options: Logger.Options<unknown>) => {
  const entry = Logger.formatStructured.log(options)
  const { span } = options.fiber.cache
  return span === undefined || options.fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
    ? formatJson(entry)
    : formatJson({ ...entry, traceId: span.traceId, spanId: span.spanId })
})

/** Logs Node's own warnings. */
const nodeWarnings = Layer.effectDiscard(
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context())
    process.on("warning", ({ message, name }) => void run(Effect.logWarning(`${name}: ${message}`)))
  })
)

/** Logs to standard error. While a server is running, nothing else is written to standard error. */
export const layer = (level: keyof typeof levels, format: "json" | "pretty") =>
  Layer.provideMerge(
    nodeWarnings,
    Layer.merge(
      Logger.layer([
        Logger.map(format === "json" ? formatTraced : formatPretty, (line) => void process.stderr.write(`${line}\n`))
      ]),
      Layer.succeed(References.MinimumLogLevel, levels[level])
    )
  )
