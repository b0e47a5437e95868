/** Effect's `HttpServerRequest`, backed by a node:http request. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { HttpApp } from "@geoswap/service"

/** The server that a request belongs to. */
export interface Keeper {
  readonly hold: (request: NodeRequest) => boolean
  readonly answer: (request: NodeRequest, program: Effect.Effect<HttpServerResponse>) => void
}

const decoder = new TextDecoder()

/**
 * Uses node:http directly for the parts of the interface that our programs need. Everything else uses a web `Request`
 * that is created on demand.
 */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest, HttpApp.Holdable {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly keeper: Keeper
  readonly url: string
  readonly protocol: HttpServerRequest.HttpServerRequest["protocol"]
  #headers: Headers.Headers | undefined
  /** What the request waits for after its fiber has ended. */
  held: HttpApp.Held | undefined
  /** The body, kept after it has been read because a stream can be read only once. */
  bytes: ArrayBuffer | undefined
  #web: HttpServerRequest.HttpServerRequest | undefined

  constructor(source: IncomingMessage, response: ServerResponse, keeper: Keeper) {
    super()
    this.source = source
    this.response = response
    this.keeper = keeper
    this.url = source.url ?? "/"
    this.protocol = undefined
  }

  get method() {
    return this.source.method ?? "GET"
  }
  get originalUrl() {
    return this.source.url ?? "/"
  }
  get headers() {
    return (this.#headers ??= Headers.fromInput(this.source.headers))
  }
  get remoteAddress() {
    return Option.fromNullishOr(this.source.socket.remoteAddress)
  }
  get peerAddress() {
    return this.remoteAddress
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError> {
    return this.bytes === undefined ? readBytes(this) : Effect.succeed(this.bytes)
  }
  get text(): Effect.Effect<string, HttpServerError> {
    return Effect.map(this.arrayBuffer, (bytes) => decoder.decode(bytes))
  }
  get json(): Effect.Effect<Schema.Json, HttpServerError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({ try: () => JSON.parse(text) as Schema.Json, catch: (cause) => failed(this, "Parse", cause) })
    )
  }

  get #fallback() {
    return (this.#web ??= HttpServerRequest.fromWeb(toWeb(this.source)))
  }
  get cookies() {
    return this.#fallback.cookies
  }
  get urlParamsBody() {
    return this.#fallback.urlParamsBody
  }
  get stream() {
    return this.#fallback.stream
  }
  get multipart() {
    return this.#fallback.multipart
  }
  get multipartStream() {
    return this.#fallback.multipartStream
  }
  get upgrade() {
    return this.#fallback.upgrade
  }
  get upgradeWith() {
    return this.#fallback.upgradeWith
  }

  modify(changes: Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]): HttpServerRequest.HttpServerRequest {
    const modified = new NodeRequest(this.source, this.response, this.keeper)
    return Object.defineProperties(modified, Object.getOwnPropertyDescriptors({ ...this, ...changes }))
  }

  hold(held: HttpApp.Held) {
    this.held = held
    return this.keeper.hold(this)
  }
  answer(program: Effect.Effect<HttpServerResponse>) {
    this.held = undefined
    this.keeper.answer(this, program)
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, { _id: "HttpServerRequest", method: this.method })
  }
}

const failed = (request: NodeRequest, reason: "Parse" | "BodyTooLarge", cause: unknown): HttpServerError =>
  new HttpServerError({ reason: new RequestParseError({ request, reason, cause }) })

/** Reads the entire body. Fails if the body is larger than `MaxBodySize`. */
const readBytes = (request: NodeRequest): Effect.Effect<ArrayBuffer, HttpServerError> =>
  Effect.withFiber((fiber) => {
    const limit = Number(fiber.getRef(HttpIncomingMessage.MaxBodySize) ?? Number.POSITIVE_INFINITY)
    return Effect.callback((resume) => {
      const { source } = request
      const chunks: Array<Uint8Array> = []
      let size = 0
      const stop = () => {
        source.off("data", onData)
        source.off("end", onEnd)
        source.off("error", onError)
        source.pause()
      }
      const onData = (chunk: Uint8Array) => {
        size += chunk.byteLength
        chunks.push(chunk)
        if (size <= limit) return
        stop()
        resume(Effect.fail(failed(request, "BodyTooLarge", `more than ${limit} bytes`)))
      }
      const onEnd = () => {
        // A copy, because a small buffer is a part of a larger one that Node shares.
        request.bytes = new Uint8Array(Buffer.concat(chunks, size)).buffer
        resume(Effect.succeed(request.bytes))
      }
      const onError = (cause: unknown) => resume(Effect.fail(failed(request, "Parse", cause)))
      source.on("data", onData)
      source.on("end", onEnd)
      source.on("error", onError)
      return Effect.sync(stop)
    })
  })

const toWeb = (source: IncomingMessage) => {
  const method = source.method ?? "GET"
  const url = new URL(source.url ?? "/", "http://localhost")
  const headers = new globalThis.Headers()
  for (const [name, value] of Object.entries(source.headers)) headers.set(name, String(value))
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers })
  const body = Readable.toWeb(source) as ReadableStream<Uint8Array>
  const init: RequestInit & { readonly duplex: "half" } = { method, headers, body, duplex: "half" }
  return new Request(url, init)
}
