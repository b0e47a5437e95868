/** A proxy in front of a JSON-RPC node that injects faults by method and counts calls. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { InvalidOption, PortTaken, StartFailed } from "./DevnetError.js"
import type { Fault } from "./internal/fault.js"
import { makeProxyServer, type ProxyServer } from "./internal/proxyServer.js"

/** Options for a proxy. */
export interface Options {
  /** The node's URL, such as `devnet.evmA.rpcUrl`. */
  readonly target: string
  /** The node's websocket URL, if it differs from `target`. */
  readonly wsTarget?: string | undefined
  /** The port to listen on (default: any free port). */
  readonly port?: number | undefined
}

/** What the proxy does to a call. Use the constructors below. */
export type { Fault }

/** Delays the call before it reaches the node. */
export const delay = (millis: number): Fault => ({ type: "delay", millis })

/** Closes the connection without a response. The call does not reach the node. To refuse connections, use `down`. */
export const hangUp: Fault = { type: "hangUp" }

/** Responds with an HTTP status, such as 503. The call does not reach the node. */
export const httpStatus = (status: number): Fault => ({ type: "http", status })

/** Responds with status 429 and `retry-after` in seconds. The call does not reach the node. */
export const rateLimit = (retryAfter: number): Fault => ({
  type: "http",
  status: 429,
  headers: { "retry-after": String(retryAfter) }
})

/** Responds with a JSON-RPC error. The call does not reach the node. */
export const rpcError = (code: number, message: string, data?: unknown): Fault => ({
  type: "rpcError",
  code,
  message,
  ...(data !== undefined && { data })
})

/** Sends only the response's first bytes, then closes the connection. The call takes effect. */
export const truncate = (bytes: number): Fault => ({ type: "truncate", bytes })

/** Changes the result of a call, which may depend on the call's parameters. */
export const change = (by: (result: unknown, params: ReadonlyArray<unknown>) => unknown): Fault => ({
  type: "change",
  change: by
})

/** Changes the number of the latest block (`eth_getBlockByNumber`). Blocks that are requested by number stay the same. */
export const latestBlock = (by: (number: bigint) => bigint): Fault =>
  change((block, [at]) =>
    at === "latest" && typeof block === "object" && block !== null && "number" in block
      ? { ...block, number: `0x${by(BigInt(String(block.number))).toString(16)}` }
      : block
  )

/** Lets the call take effect but never responds, so the caller times out. */
export const loseAnswer: Fault = { type: "loseAnswer" }

const receipt = (by: (receipt: Readonly<Record<string, unknown>>) => unknown): Fault =>
  change((result) => (typeof result === "object" && result !== null ? by(result as Record<string, unknown>) : result))

/** Changes the status in a receipt (`eth_getTransactionReceipt`) to success or failure. */
export const receiptStatus = (succeeded: boolean): Fault =>
  receipt((original) => ({ ...original, status: succeeded ? "0x1" : "0x0" }))

/** Changes the logs in a receipt. Return an empty list to remove all logs. */
export const receiptLogs = (by: (logs: ReadonlyArray<unknown>) => ReadonlyArray<unknown>): Fault =>
  receipt((original) => ({ ...original, logs: by((original["logs"] ?? []) as ReadonlyArray<unknown>) }))

/** Responds that there is no receipt. */
export const receiptMissing: Fault = change(() => null)

/** A running proxy. */
export interface Proxy {
  readonly port: number
  readonly rpcUrl: string
  readonly wsUrl: string
  /**
   * Injects a fault into calls to a method (`"*"` for all methods). The fault applies `times` times or, without
   * `times`, until it is cleared. The most recently set fault wins.
   */
  readonly set: (method: string, fault: Fault, times?: number) => Effect.Effect<void>
  /** Clears the faults for a method, or all faults if no method is given. */
  readonly clear: (method?: string) => Effect.Effect<void>
  /** The number of calls so far to a method, or to all methods if no method is given. */
  readonly calls: (method?: string) => Effect.Effect<number>
  /** The number of calls so far, by method. Every call in a batch is counted. */
  readonly callsByMethod: Effect.Effect<Readonly<Record<string, number>>>
  /** The number of calls that the node has responded to. The effects of those calls are complete. */
  readonly forwarded: (method?: string) => Effect.Effect<number>
  /** Refuses new connections and closes open ones, including websockets. */
  readonly down: Effect.Effect<void>
  /** Listens again on the same port. */
  readonly up: Effect.Effect<void, PortTaken | StartFailed>
}

const part = "the proxy"

const failed = (port: number, cause: unknown): PortTaken | StartFailed =>
  cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
    ? new PortTaken({
        port,
        part,
        message: `Port ${port} is already in use, so ${part} cannot listen on it. Choose another port.`
      })
    : new StartFailed({ part, output: "", message: `Port ${port} cannot be opened for ${part}: ${String(cause)}` })

/** Starts a proxy, which stops when the scope closes. */
export const make: (options: Options) => Effect.Effect<Proxy, PortTaken | StartFailed | InvalidOption, Scope.Scope> =
  Effect.fn("Proxy.make")(function* ({ port: wanted = 0, target, wsTarget }) {
    if (!URL.canParse(target)) {
      return yield* new InvalidOption({
        option: "target",
        message: `target is invalid: expected a URL such as http://127.0.0.1:8545, got ${target}.`
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
      callsByMethod: Effect.sync(() => state.received()),
      forwarded: (method) => Effect.sync(() => state.count("forwarded", method)),
      down: Effect.promise(state.close),
      up: Effect.asVoid(listen(port))
    }
  })
