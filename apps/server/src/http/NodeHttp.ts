/**
 * Effect's `HttpServer` on node:http, with limits for slow or broken clients, and a shutdown that loses no responses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { HttpApp } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import { ClientAbort } from "effect/http/HttpServerError"
import type { HttpMiddleware } from "effect/http/HttpMiddleware"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { makeHostCheck } from "./hostNames.js"
import { type Keeper, NodeRequest } from "./nodeRequest.js"
import { malformed, noHost, noTunnel, otherHost, refuse, reject, rejectionOf } from "./rejection.js"
import { respond, respondDirectly } from "./respond.js"

export interface Options {
  readonly host: string
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /** The host names that requests may use, in addition to loopback names (default: on loopback, none; otherwise, any). */
  readonly hosts?: ReadonlyArray<string> | undefined
  /** How long the request headers may take to arrive (default: 10 s). */
  readonly headersMillis?: number | undefined
  /** How long the entire request, including its body, may take to arrive (default: 10 s). */
  readonly requestMillis?: number | undefined
  /**
   * How long a connection stays open between requests (default: 65 s, which is longer than the idle timeout of most
   * load balancers).
   */
  readonly keepAliveMillis?: number | undefined
  /** The maximum size of the headers (default: 16 KiB). */
  readonly maxHeaderBytes?: number | undefined
  /**
   * How many connections may wait to be accepted (default: 4,096; Node's default, 511, is too small if thousands of
   * clients connect at once). The system's limit applies, too (`net.core.somaxconn`).
   */
  readonly backlog?: number | undefined
  /** How long requests in progress may take once the server is stopping (default: 20 s). */
  readonly drainMillis?: number | undefined
  /** Runs when the server begins to stop, so that long-polling requests can be answered early. */
  readonly onDrain?: Effect.Effect<void> | undefined
}

/** The server could not be started. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  message: Schema.String,
  host: Schema.String,
  port: Schema.Int
}) {}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process is already using that port. Stop that process, or choose another port",
  EACCES: "the current user is not allowed to listen on that port. Choose a port above 1023",
  EADDRNOTAVAIL:
    "this machine does not have that address. Choose 127.0.0.1, 0.0.0.0 or one of this machine's addresses",
  ENOTFOUND: "the host name cannot be resolved. Use an IP address"
}

const listen = (server: Server, { backlog = 4_096, host, port }: Options): Effect.Effect<void, ListenFailed> =>
  Effect.callback((resume) => {
    const onError = (error: Error & { readonly code?: string }) => {
      const reason = reasons[error.code ?? ""] ?? error.message
      resume(Effect.fail(new ListenFailed({ host, port, message: `Cannot listen on ${host}:${port}: ${reason}.` })))
    }
    server.once("error", onError)
    server.listen({ host, port, backlog }, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

type Handle = (source: IncomingMessage, out: ServerResponse) => void

/** Responses that have not been sent yet, and their fibers, or their requests if they are held without a fiber. */
type Open = Map<ServerResponse, Fiber.Fiber<unknown, unknown> | NodeRequest | undefined>

const limits = ({ headersMillis = 10_000, requestMillis = 10_000, keepAliveMillis, maxHeaderBytes }: Options) => ({
  headersTimeout: Math.min(headersMillis, requestMillis),
  requestTimeout: requestMillis,
  connectionsCheckingInterval: Math.ceil(Math.min(1_000, headersMillis / 4, requestMillis / 4)),
  keepAliveTimeout: keepAliveMillis ?? 65_000,
  maxHeaderSize: maxHeaderBytes ?? 16_384,
  // We reject requests without a `Host` header ourselves.
  requireHostHeader: false,
  noDelay: true
})

/** Starts a server that stops when the scope closes, after it has answered the requests in progress. */
const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Context.Context<HttpServer.HttpServer>, ListenFailed, Scope.Scope> {
  const open: Open = new Map()
  const early: Array<Parameters<Handle>> = []
  /** Handles a request. Until `serve` is called, requests wait in a queue. */
  let handle: Handle = (source, out) => void early.push([source, out])
  /** Called when a response has been closed. It is set only while the server is stopping. */
  let onClosed: (() => void) | undefined
  let direct: HttpApp.Direct | undefined
  const run = Effect.runForkWith(yield* Effect.context())

  /** Sends the response of a program that handles all failures. Only the program can be interrupted. */
  const finish = (request: NodeRequest, program: Effect.Effect<HttpServerResponse>) =>
    run(
      Effect.uninterruptible(Effect.flatMap(program, (response) => respond(request, response, request.response))).pipe(
        Effect.ignore
      )
    )
  const interrupt = (work: NonNullable<ReturnType<Open["get"]>>, byClient: boolean): void => {
    const fiber = work instanceof NodeRequest ? work.held && finish(work, work.held.abandon()) : work
    if (byClient) fiber?.interruptUnsafe(undefined, ClientAbort.annotation)
    else fiber?.interruptUnsafe()
  }
  const keeper: Keeper = {
    hold: (request) => {
      if (!open.has(request.response)) return false
      open.set(request.response, request)
      return true
    },
    answer: (request, program) => {
      const fiber = finish(request, program)
      if (open.has(request.response)) open.set(request.response, fiber)
    }
  }

  const onClose = function (this: ServerResponse): void {
    const work = open.get(this)
    open.delete(this)
    onClosed?.()
    if (!this.writableEnded && work !== undefined) interrupt(work, true)
  }
  const isServed = makeHostCheck(options)
  const onRequest: Handle = (source, out) => {
    const { headers, httpVersion, httpVersionMajor } = source
    if (httpVersionMajor !== 1) return refuse(out, malformed)
    if (headers.host === undefined && httpVersion === "1.1") return refuse(out, noHost)
    if (headers.host !== undefined && !isServed(headers.host)) return refuse(out, otherHost)
    if (onClosed !== undefined) out.shouldKeepAlive = false
    open.set(out, undefined)
    out.on("close", onClose)
    const response = direct?.(source)
    if (response === undefined) handle(source, out)
    else respondDirectly(out, response)
  }
  const server = createServer(limits(options), onRequest)
  // Expectations other than 100-continue may be ignored (RFC 9110).
  server.on("checkExpectation", onRequest)
  server.on("connect", (_: IncomingMessage, socket: Duplex) => reject(socket, noTunnel))
  server.on("clientError", (error: Error, socket: Duplex) => {
    const waiting = [...open.keys()].filter(({ req }) => req.socket === socket)
    const last = waiting.findLast(({ req }) => req.complete)
    // While an earlier request is unanswered, no error response is sent, because the client could mistake it for the
    // response to the earlier request.
    if (last !== undefined) last.shouldKeepAlive = false
    else if (!socket.writable || waiting.some(({ headersSent }) => headersSent)) socket.destroy()
    else reject(socket, rejectionOf(error))
  })
  yield* Effect.acquireRelease(listen(server, options), () =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  // Without an error listener, running out of file descriptors would crash the process.
  server.on("error", (error) => run(Effect.logWarning(`a connection could not be accepted: ${error.message}`)))

  const allClosed = Effect.interruptible(
    Effect.callback<void>((resume) => {
      onClosed = () => open.size === 0 && resume(Effect.void)
      onClosed()
    })
  )
  const drain = Effect.gen(function* () {
    server.close()
    onClosed = () => {}
    for (const out of open.keys()) out.shouldKeepAlive = false
    if (options.onDrain !== undefined) yield* options.onDrain
    const inTime = yield* Effect.timeoutOption(allClosed, options.drainMillis ?? 20_000)
    if (Option.isSome(inTime)) return
    for (const work of open.values()) if (work !== undefined) interrupt(work, false)
    yield* Effect.timeoutOption(allClosed, lastMillis)
  })

  const serve = Effect.fnUntraced(function* (
    app: Effect.Effect<HttpServerResponse, unknown, HttpServerRequest | Scope.Scope>,
    middleware?: HttpMiddleware
  ): Effect.fn.Return<void, never, Scope.Scope> {
    const context = yield* Effect.context<Scope.Scope>()
    const handled = HttpEffect.toHandled(
      app,
      (request, response) => respond(request, response, (request as NodeRequest).response),
      middleware
    )
    handle = (source, out) => {
      const request = new NodeRequest(source, out, keeper)
      const fiber = Effect.runForkWith(Context.add(context, HttpServerRequest, request))(handled)
      if (open.get(out) === undefined) open.set(out, fiber)
    }
    for (const [source, out] of early.splice(0)) if (open.has(out)) handle(source, out)
    yield* Effect.addFinalizer(() => drain)
  })

  return Context.make(HttpServer.HttpServer, HttpServer.make({ serve, address: addressOf(server) })).pipe(
    Context.add(HttpApp.DirectServer, { use: (given) => void (direct = given) })
  )
})

/** How long interrupted requests have to respond. */
const lastMillis = 250

const addressOf = (server: Server): NetAddress.SocketAddress => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("A listening server must have an address.")
  return NetAddress.inetAddressFromNativeUnsafe(address.address, address.port)
}

/** A server that listens until the layer is released. */
export const layer = (options: Options): Layer.Layer<HttpServer.HttpServer, ListenFailed> =>
  Layer.effectContext(make(options))
