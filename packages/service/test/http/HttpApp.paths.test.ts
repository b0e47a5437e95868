import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RateLimits from "../../src/accounts/RateLimits.js"
import type * as Service from "../../src/calls/Service.js"
import * as Config from "../../src/config/Config.js"
import { refuse } from "../../src/domain/Refusal.js"
import * as HttpApp from "../../src/http/HttpApp.js"
import { apiKey, request, statusesOf, webApp } from "./webApp.js"

const many = { perSecond: 100, burst: 100 }
const few = { perSecond: 0.01, burst: 2 }
const limits = {
  quote: few,
  indicative: many,
  delegation: many,
  build: many,
  submit: many,
  changeDelegation: many,
  status: many,
  chains: many,
  balances: many,
  names: many
}

const text =
  (body: string): HttpApp.Route =>
  (call) =>
    Effect.succeed(HttpApp.respondJson(call, body))
const get = (path: string, route: HttpApp.Route, more: Partial<HttpApp.Path> = {}): HttpApp.Path => ({
  path,
  methods: new Map([["GET", route]]),
  ...more
})

/** The endpoints for callers with a name. Each name is counted separately, and all share one account. */
const visited = (service: Partial<Service.Service> = {}) => {
  const { hold, holds, take } = RateLimits.forClients({
    ...limits,
    heldPerClient: 1,
    total: Config.plainWeb().limits.total
  })
  const { options, ...app } = webApp()
  const paths = HttpApp.endpoints({
    service: { ...options.service, ...service },
    identify: ({ headers }) =>
      headers["x-visitor"] === undefined
        ? Effect.fail(refuse("FORBIDDEN", "Say who you are."))
        : Effect.succeed({ accountId: "acc_page", client: headers["x-visitor"] }),
    takeLimit: take,
    holdStatus: hold,
    holds,
    prefix: "/page",
    sameOrigin: true
  })
  return { paths, received: app.received }
}

describe("additional paths", () => {
  it.effect("are answered with a request id, and logged by their name", () =>
    Effect.gen(function* () {
      const paths = [get("/a.js", text(`"a"`), { name: "/*" }), get("/b/:id", text(`"b"`))]
      const app = webApp({ paths })
      const a = yield* app.get("/a.js", { "x-request-id": "mine" })
      expect([a.status, a.body, a.headers.get("x-request-id")]).toEqual([200, "a", "mine"])
      expect((yield* app.get("/b/7")).body).toBe("b")
      expect(app.lines.map(({ route }) => route)).toEqual(["/*", "/b/:id"])
    })
  )

  it.effect("never take precedence over the paths of the service", () =>
    Effect.gen(function* () {
      const app = webApp({ paths: [get("/health/live", text(`"mine"`)), get("/swap/chains", text(`"mine"`))] })
      expect((yield* app.get("/health/live")).body).toEqual({ status: "ok" })
      expect((yield* app.get("/swap/chains", { "x-api-key": "" })).status).toBe(401)
    })
  )

  it.effect("do not allow pages of other origins if they are for the same origin", () =>
    Effect.gen(function* () {
      const origin = "https://app.test"
      const paths = [get("/own", text("1"), { sameOrigin: true }), get("/any", text("1"))]
      const { send } = webApp({ origins: [origin], paths })
      for (const method of ["GET", "OPTIONS", "POST"]) {
        const { headers } = yield* send(method, "/own", { headers: { origin } })
        expect([...headers.keys()].filter((name) => name.startsWith("access-"))).toEqual([])
        expect(headers.get("cross-origin-resource-policy")).toBe("same-origin")
        const any = yield* send(method, "/any", { headers: { origin } })
        expect(any.headers.get("access-control-allow-origin")).toBe(origin)
      }
    })
  )
})

describe("the endpoints under a prefix", () => {
  it.effect("work for an account without a key", () =>
    Effect.gen(function* () {
      const { paths, received } = visited()
      const app = webApp({ paths })
      const { body, headers, status } = yield* app.post("/page/swap/quote", request, { "x-visitor": "ada" })
      expect([status, body]).toMatchObject([200, { output: "2500000000000000" }])
      expect(headers.get("ratelimit-policy")).toBe('"quote";q=2;w=200')
      expect(received).toMatchObject([["quote", "acc_page", { amount: 10_000_000n }]])
      expect(app.lines).toMatchObject([{ route: "/page/swap/quote", account: "acc_page" }])
      // The service's own still want a key, and count by themselves.
      expect((yield* app.post("/swap/quote", request, { "x-api-key": "", "x-visitor": "ada" })).status).toBe(401)
      expect((yield* app.post("/swap/quote", request, { "x-api-key": apiKey })).status).toBe(200)
    })
  )

  it.effect("count callers by their names, and refuse unknown callers before they read a body", () =>
    Effect.gen(function* () {
      const { paths } = visited()
      const { post } = webApp({ paths })
      const fares = (visitor: string) =>
        Effect.map(post("/page/swap/quote", request, { "x-visitor": visitor }), ({ status }) => status)
      expect([yield* fares("a"), yield* fares("a"), yield* fares("a"), yield* fares("b")]).toEqual([200, 200, 429, 200])
      const unknown = yield* post("/page/swap/quote", "not read")
      expect(unknown).toMatchObject({ status: 403, body: { code: "FORBIDDEN", message: "Say who you are." } })
    })
  )

  it.effect("hold status requests by name, and only those for a swap", () =>
    Effect.gen(function* () {
      const { paths } = visited({ statuses: statusesOf(() => Effect.never) })
      const { get } = webApp({ paths })
      const status = (visitor: string, id = "1") => get(`/page/swap/status/${id}`, { "x-visitor": visitor })
      yield* Effect.forkChild(status("a"))
      yield* Effect.yieldNow
      expect(yield* status("a", "%20")).toMatchObject({ status: 404 })
      const refused = yield* status("a")
      expect(refused).toMatchObject({ status: 429, body: { details: { name: "held", limit: 1 } } })
      expect(refused.headers.get("ratelimit")).toBe('"held";r=0;t=1')
    })
  )
})
