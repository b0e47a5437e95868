/** A proxy in front of any JSON-RPC node that fails on request, method by method, and counts the calls. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { InvalidOption, PortTaken, StartFailed } from "./DevnetError.js"
import type { Fault } from "./internal/fault.js"
import { makeProxyServer, type ProxyServer } from "./internal/proxyServer.js"

/** What the proxy stands in front of. */
export interface Options {
  /** The address of the node, such as `devnet.evmA.rpcUrl`. */
  readonly target: string
  /** Where its websockets are, if elsewhere. */
  readonly wsTarget?: string | undefined
  /** Where to listen; any free port unless named. */
  readonly port?: number | undefined
}

/** What the proxy does to a call. */
export type { Fault }

/** Waits before the call reaches the node. */
export const delay = (millis: number): Fault => ({ type: "delay", millis })

/** Closes the connection without an answer; the call does not reach the node. For no connection at all see `down`. */
export const hangUp: Fault = { type: "hangUp" }

/** Answers with an HTTP status, such as 503; the call does not reach the node. */
export const httpStatus = (status: number): Fault => ({ type: "http", status })

/** Answers 429, with seconds to wait; the call does not reach the node. */
export const rateLimit = (retryAfter: number): Fault => ({
  type: "http",
  status: 429,
  headers: { "retry-after": String(retryAfter) }
})

/** Answers with an error of JSON-RPC; the call does not reach the node. */
export const rpcError = (code: number, message: string, data?: unknown): Fault => ({
  type: "rpcError",
  code,
  message,
  ...(data !== undefined && { data })
})

/** Sends only the first bytes of the answer, then closes the connection. The call took effect. */
export const truncate = (bytes: number): Fault => ({ type: "truncate", bytes })

/** Changes the result of a call. */
export const change = (by: (result: unknown) => unknown): Fault => ({ type: "change", change: by })

/** Lets the call take effect and never answers: the caller runs into its own timeout. */
export const loseAnswer: Fault = { type: "loseAnswer" }

const receipt = (by: (receipt: Readonly<Record<string, unknown>>) => unknown): Fault =>
  change((result) => (typeof result === "object" && result !== null ? by(result as Record<string, unknown>) : result))

/** Says of a receipt (`eth_getTransactionReceipt`) that the transaction failed, or that it did not. */
export const receiptStatus = (succeeded: boolean): Fault =>
  receipt((given) => ({ ...given, status: succeeded ? "0x1" : "0x0" }))

/** Changes the logs of a receipt; an empty list takes them all away. */
export const receiptLogs = (by: (logs: ReadonlyArray<unknown>) => ReadonlyArray<unknown>): Fault =>
  receipt((given) => ({ ...given, logs: by((given["logs"] ?? []) as ReadonlyArray<unknown>) }))

/** Says that there is no receipt. */
export const receiptMissing: Fault = change(() => null)

/** A running proxy. */
export interface Proxy {
  readonly port: number
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Plays a fault on the calls of a method (`"*"` for all), so many times or until it is cleared; the last one set counts. */
  readonly set: (method: string, fault: Fault, times?: number) => Effect.Effect<void>
  /** Ends the faults on a method, or all of them. */
  readonly clear: (method?: string) => Effect.Effect<void>
  /** How many calls of a method came so far, or of all methods. */
  readonly calls: (method?: string) => Effect.Effect<number>
  /** How many of them the node has answered, so that what they do is done. */
  readonly forwarded: (method?: string) => Effect.Effect<number>
  /** Refuses every connection, and closes those that are open, websockets too. */
  readonly down: Effect.Effect<void>
  /** Listens again, on the same port. */
  readonly up: Effect.Effect<void, PortTaken | StartFailed>
}

const part = "the proxy"

const failed = (port: number, cause: unknown): PortTaken | StartFailed =>
  cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
    ? new PortTaken({
        port,
        part,
        message: `Port ${port} is taken, so ${part} cannot listen there. Choose another port.`
      })
    : new StartFailed({ part, output: "", message: `${part} cannot listen on port ${port}: ${String(cause)}` })

/** Starts a proxy, which ends with the scope. */
export const make: (options: Options) => Effect.Effect<Proxy, PortTaken | StartFailed | InvalidOption, Scope.Scope> =
  Effect.fn("Proxy.make")(function* ({ port: wanted = 0, target, wsTarget }) {
    if (!URL.canParse(target)) {
      return yield* new InvalidOption({
        option: "target",
        message: `${target} is no address. Give one like http://127.0.0.1:8545.`
      })
    }
    const state: ProxyServer = makeProxyServer({ target: new URL(target), wsTarget: new URL(wsTarget ?? target) })
    const listen = (port: number) =>
      Effect.tryPromise({ try: () => state.listen(port), catch: (cause) => failed(port, cause) })
    const port = yield* Effect.acquireRelease(listen(wanted), () => Effect.promise(state.close))
    return {
      port,
      rpcUrl: `http://127.0.0.1:${port}`,
      wsUrl: `ws://127.0.0.1:${port}`,
      set: (method, fault, times = Infinity) => Effect.sync(() => state.set(method, fault, times)),
      clear: (method) => Effect.sync(() => state.clear(method)),
      calls: (method) => Effect.sync(() => state.count("received", method)),
      forwarded: (method) => Effect.sync(() => state.count("forwarded", method)),
      down: Effect.promise(state.close),
      up: Effect.asVoid(listen(port))
    }
  })
