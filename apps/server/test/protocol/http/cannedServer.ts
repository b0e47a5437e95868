/** The HTTP app on a real socket, with a service that returns canned values, and everything that it logs. */
import { HttpApp, RateLimits, Refusal, type Service } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import { inspect } from "node:util"
import * as NodeHttp from "../../../src/http/NodeHttp.js"

export const apiKey = "gsk_aaaaaaaaaaaa_canaryOfTheKeyaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

const notFound = Effect.fail(Refusal.refuse("SWAP_NOT_FOUND", "This account has no swap of that id."))

/** Statuses that are read from a function. Nothing wakes a request that waits. */
export const statusesOf = (read: Service.Service["statuses"]["read"]): Service.Service["statuses"] => ({
  read,
  recall: () => undefined,
  hold: () => {},
  release: () => {}
})

const canned: Service.Service = {
  quote: () =>
    Effect.succeed({
      geoQuoteToken: "gq1.k1.canaryOfTheToken",
      output: 2_500_000_000_000_000n,
      feeBps: 12.5,
      expiresAt: new Date("2026-01-01T00:00:30.000Z")
    }),
  indicativeQuote: () => Effect.succeed({ indicative: true, output: 2_500_000_000_000_000n, feeBps: 12.5 }),
  delegation: (_, { chainId, walletAddress }) => Effect.succeed({ chainId, walletAddress, delegated: true }),
  changeDelegation: (_, { walletAddress }) => Effect.succeed({ changeId: "1", status: "pending", walletAddress }),
  delegationStatus: (_, changeId) => Effect.succeed({ changeId, status: "applied" }),
  buildGeoOp: () => Effect.succeed({ geoOpHash: `0x${"ab".repeat(32)}`, geoOpToken: "go1.k1.canaryOfTheToken" }),
  buildSolanaTx: () => Effect.succeed({ unsignedTransaction: "AgAA", geoOpToken: "go1.k1.canaryOfTheToken" }),
  submit: () => Effect.succeed({ swapId: "1", status: "pending" }),
  submitSolana: () => Effect.succeed({ swapId: "1", status: "pending" }),
  statuses: statusesOf((_, swapId) => (swapId === "1" ? Effect.succeed({ swapId, status: "settled" }) : notFound)),
  chains: Effect.succeed([])
}

const bucket = { perSecond: 100_000, burst: 100_000 }

/** A server that stops with the scope. */
export const serveCanned = Effect.fnUntraced(function* (
  options: Partial<NodeHttp.Options> = {},
  service: Partial<Service.Service> = {},
  app: Partial<HttpApp.Options> = {},
  level: LogLevel.LogLevel = "All"
) {
  const logs: Array<string> = []
  const logger = Logger.make(({ cause, fiber, logLevel, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    logs.push(`${logLevel} ${inspect({ message, annotations, cause }, { depth: 20 })}`)
  })
  const { hold, holds, take } = RateLimits.make({
    quote: bucket,
    indicative: bucket,
    delegation: bucket,
    build: bucket,
    submit: bucket,
    changeDelegation: bucket,
    status: bucket,
    chains: bucket,
    heldPerAccount: 100_000
  })
  const layer = HttpApp.layer({
    service: { ...canned, ...service },
    authenticate: (key) =>
      key === apiKey
        ? Effect.succeed({ accountId: "acc_1", accountName: "one", keyId: "key_1" })
        : Effect.fail(Refusal.refuse("UNAUTHORIZED", "Send your API key in the x-api-key header.")),
    takeLimit: take,
    holdStatus: hold,
    holds,
    ready: Effect.succeed([]),
    origins: [],
    version: "1.2.3",
    ...app
  }).pipe(
    Layer.provideMerge(NodeHttp.layer({ host: "127.0.0.1", port: 0, ...options })),
    Layer.provide([Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, level)])
  )
  const context = yield* Layer.build(layer)
  const { address } = Context.get(context, HttpServer.HttpServer)
  return { url: HttpServer.formatAddress(address), logs }
})
