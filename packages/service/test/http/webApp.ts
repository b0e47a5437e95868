/** The HTTP application without a socket: web requests and responses, with the recorded calls and logs. */
import type { Chain, Delegation, Operation, Quote, Swap } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import * as RateLimits from "../../src/accounts/RateLimits.js"
import type * as Service from "../../src/calls/Service.js"
import { refuse } from "../../src/domain/Refusal.js"
import * as HttpApp from "../../src/http/HttpApp.js"

export const apiKey = "gsk_aaaaaaaaaaaa_canaryOfTheKey"

/** A body of `POST /swap/quote`. */
export const request = {
  originChain: 8453,
  destinationChain: 42161,
  inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  amount: "10000000",
  walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
}

const quote: Quote.QuoteResponse = {
  geoQuoteToken: "gq1.k1.canaryOfTheQuote",
  output: 2_500_000_000_000_000n,
  minOutput: 2_487_500_000_000_000n,
  feeBps: 12.5,
  expiresAt: new Date("2026-01-01T00:00:30.000Z"),
  origin: "evm",
  networkCost: 4_200n
}
const indicativeQuote: Quote.IndicativeQuoteResponse = {
  indicative: true,
  output: 2_500_000_000_000_000n,
  minOutput: 2_487_500_000_000_000n,
  feeBps: 12.5,
  origin: "evm",
  networkCost: 4_200n,
  warnings: []
}
const delegation: Delegation.Delegation = {
  chainId: 8453,
  walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  delegated: false,
  originReady: false,
  delegationTarget: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
  accountNonce: 7
}
const change: Delegation.Change = { changeId: "5b0e7d0c", status: "pending", chainId: 8453 }
const built: Operation.BuiltOperation = { geoOpHash: `0x${"ab".repeat(32)}`, geoOpToken: "go1.k1.canaryOfTheOp" }
const builtTransaction: Operation.BuiltTransaction = {
  unsignedTransaction: "AgAAAAAAAAAA",
  geoOpToken: "go1.k1.canaryOfTheOp"
}
const swap: Swap.Swap = { swapId: "9f1c6c1e", status: "pending" }
/** A finished swap, whose status is not waited for. */
const settled: Swap.Swap = { swapId: "9f1c6c1e", status: "settled" }

/** Statuses that are read from a function. Nothing wakes a request that waits. */
export const statusesOf = (read: Service.Service["statuses"]["read"]): Service.Service["statuses"] => ({
  read,
  recall: () => undefined,
  hold: () => {},
  release: () => {}
})
const chain: Chain.Chain = { id: 8453, name: "Base", family: "evm", tokens: [] }

/** Slow enough that nothing is refilled during a test. */
const bucket = { perSecond: 0.01, burst: 20 }
const limits = {
  quote: bucket,
  indicative: { perSecond: 0.01, burst: 2 },
  delegation: bucket,
  build: bucket,
  submit: bucket,
  changeDelegation: bucket,
  status: bucket,
  chains: bucket,
  heldPerAccount: 3
}

/** The parts of a request besides its method and path. */
export interface Init extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>
  readonly duplex?: "half"
}

/** A recorded call of the service. */
type Received =
  | readonly [method: string, account: string, input?: unknown]
  | readonly [method: "indicativeQuote", input: unknown]

/** An application with canned answers. `changes` replace its options. */
export const webApp = (changes: Partial<HttpApp.Options> = {}, service: Partial<Service.Service> = {}) => {
  const received: Array<Received> = []
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const spans: Array<Tracer.NativeSpan> = []
  const answer =
    <A>(method: string, value: A) =>
    (account: string, input: unknown) =>
      Effect.sync(() => {
        received.push([method, account, input])
        return value
      })
  const canned: Service.Service = {
    quote: answer("quote", quote),
    indicativeQuote: (input) =>
      Effect.sync(() => {
        received.push(["indicativeQuote", input])
        return indicativeQuote
      }),
    delegation: answer("delegation", delegation),
    changeDelegation: answer("changeDelegation", change),
    delegationStatus: answer("delegationStatus", change),
    buildGeoOp: answer("buildGeoOp", built),
    buildSolanaTx: answer("buildSolanaTx", builtTransaction),
    submit: answer("submit", swap),
    submitSolana: answer("submitSolana", swap),
    statuses: statusesOf(answer("status", settled)),
    chains: Effect.succeed([chain])
  }
  const { hold, holds, take } = RateLimits.make(limits)
  const options: HttpApp.Options = {
    service: { ...canned, ...service },
    authenticate: (key) =>
      key === apiKey
        ? Effect.succeed({ accountId: "acc_1", accountName: "one", keyId: "key_1" })
        : Effect.fail(refuse("UNAUTHORIZED", "Send your API key in the x-api-key header.")),
    takeLimit: take,
    holdStatus: hold,
    holds,
    ready: Effect.succeed([]),
    origins: [],
    version: "1.2.3",
    ...changes
  }
  const logger = Logger.make(({ cause, fiber, logLevel, message }) => {
    lines.push({ level: logLevel, message, cause, ...fiber.getRef(References.CurrentLogAnnotations) })
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const context = Context.empty().pipe(
    Context.add(Logger.CurrentLoggers, new Set([logger])),
    Context.add(References.MinimumLogLevel, "All"),
    Context.add(Tracer.Tracer, tracer)
  )
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope.Scope>(context)(HttpApp.make(options))

  const send = (method: string, path: string, init: Init = {}) =>
    Effect.promise(() =>
      handler(
        new Request(`http://service.test${path}`, {
          method,
          ...init,
          headers: { "x-api-key": apiKey, ...init.headers }
        })
      )
    )
  const answerOf = Effect.fnUntraced(function* (response: Response) {
    const text = yield* Effect.promise(() => response.text())
    const body: unknown = text === "" ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body }
  })
  return {
    options,
    context,
    received,
    lines,
    spans,
    send,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      Effect.flatMap(send("GET", path, { headers }), answerOf),
    post: (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      Effect.flatMap(
        send("POST", path, {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers }
        }),
        answerOf
      ),
    answerOf
  }
}
