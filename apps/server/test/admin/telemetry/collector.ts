/** An OpenTelemetry collector: accepts OTLP as JSON over HTTP, and can be slow, down or faulty. */
import * as Effect from "effect/Effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly boolValue?: boolean
}

interface Attribute {
  readonly key: string
  readonly value: Value
}

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<Attribute>
  readonly events: ReadonlyArray<{ readonly name: string; readonly attributes: ReadonlyArray<Attribute> }>
  readonly status: { readonly code: number; readonly message?: string }
}

interface WireLog {
  readonly traceId?: string
  readonly spanId?: string
  readonly severityText: string
  readonly body: Value
  readonly attributes: ReadonlyArray<Attribute>
}

interface Resource {
  readonly attributes: ReadonlyArray<Attribute>
}

interface Body {
  readonly resourceSpans?: ReadonlyArray<{
    readonly resource: Resource
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<WireSpan> }>
  }>
  readonly resourceLogs?: ReadonlyArray<{
    readonly resource: Resource
    readonly scopeLogs: ReadonlyArray<{ readonly logRecords: ReadonlyArray<WireLog> }>
  }>
}

type Facts = Readonly<Record<string, string | number | boolean | undefined>>

/** A received span. */
export interface Span extends Omit<WireSpan, "attributes"> {
  readonly attributes: Facts
  readonly resource: Facts
}

/** A received log entry. */
interface Log extends Omit<WireLog, "attributes" | "body"> {
  readonly attributes: Facts
  readonly message: string
  readonly resource: Facts
}

const factsOf = (attributes: ReadonlyArray<Attribute>): Facts =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]))

/** The whole request. */
interface Arrival {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** How requests are answered. */
type Mood = "well" | "never" | "hangUp" | { readonly status: number; readonly location?: string }

export interface Collector {
  readonly url: string
  readonly arrivals: ReadonlyArray<Arrival>
  /** The number of requests that it dropped. */
  readonly refused: ReadonlyArray<Arrival>
  readonly spans: () => ReadonlyArray<Span>
  readonly logs: () => ReadonlyArray<Log>
  readonly set: (mood: Mood) => void
  /** Refuses every connection until it is up again. */
  readonly down: Effect.Effect<void>
  readonly up: Effect.Effect<void>
}

const open = async () => {
  const arrivals: Array<Arrival> = []
  const refused: Array<Arrival> = []
  let mood: Mood = "well"
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      // Another program may still send to a port that it, or a test before this one, has used.
      if (request.method !== "POST" || request.url === "/") return void response.writeHead(404).end()
      const arrival = { path: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString() }
      if (mood === "hangUp") {
        refused.push(arrival)
        request.socket.destroy()
        return
      }
      arrivals.push(arrival)
      if (mood === "never") return
      const { location, status } = mood === "well" ? { status: 200, location: undefined } : mood
      response
        .writeHead(status, { "content-type": "application/json", ...(location !== undefined && { location }) })
        .end("{}")
    })
  })
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    })
  const port = await listen(0)
  const bodies = (): ReadonlyArray<Body> => arrivals.map(({ text }) => JSON.parse(text) as Body)
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    refused,
    spans: () =>
      bodies().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans
            .flatMap(({ spans }) => spans)
            .map((span) => ({
              ...span,
              attributes: factsOf(span.attributes),
              resource: factsOf(resource.attributes)
            }))
        )
      ),
    logs: () =>
      bodies().flatMap(({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ resource, scopeLogs }) =>
          scopeLogs
            .flatMap(({ logRecords }) => logRecords)
            .map(({ body, ...log }) => ({
              ...log,
              message: body.stringValue ?? "",
              attributes: factsOf(log.attributes),
              resource: factsOf(resource.attributes)
            }))
        )
      ),
    set: (next) => {
      mood = next
    },
    down: Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
    ),
    up: Effect.promise(async () => void (await listen(port)))
  }
  return collector
}

/** A collector that stops with the scope. */
export const collect = Effect.acquireRelease(Effect.promise(open), ({ down }) => down)
