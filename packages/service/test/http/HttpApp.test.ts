import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as RateLimits from "../../src/accounts/RateLimits.js"
import { refuse } from "../../src/domain/Refusal.js"
import { StoreUnavailable } from "../../src/store/StoreError.js"
import { type Init, request, statusesOf, webApp } from "./webApp.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const authorization = {
  chainId: 8453,
  address: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
  nonce: 7,
  yParity: 1,
  r: `0x${"1".repeat(64)}`,
  s: `0x${"2".repeat(64)}`
}

describe("failed authentications", () => {
  it.effect("get 429 and are not logged once the sender has too many, while a valid key passes", () =>
    Effect.gen(function* () {
      const failed = RateLimits.forFailures({ perSecond: 0.01, burst: 2 })
      const { get, lines } = webApp({ failedAuth: () => failed("192.0.2.1") })
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => get("/swap/chains", { "x-api-key": "wrong" }))
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 429, 429])
      expect(answers[2]?.headers.get("retry-after")).toBe("100")
      expect(lines.map(({ level, status }) => [level, status])).toEqual([
        ["Info", 401],
        ["Info", 401],
        ["Debug", 429],
        ["Debug", 429]
      ])
      expect((yield* get("/swap/chains")).status).toBe(200)
    })
  )

  it.effect("are not counted if the store is unavailable", () =>
    Effect.gen(function* () {
      let counted = 0
      const { get } = webApp({
        authenticate: () => Effect.fail(new StoreUnavailable({ message: "away" })),
        failedAuth: () => Effect.sync(() => void counted++)
      })
      expect((yield* get("/swap/chains")).status).toBe(503)
      expect(counted).toBe(0)
    })
  )
})

describe("the endpoints", () => {
  it.effect("pass a quote request to the service, with the amount as a bigint", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const { body, status } = yield* post("/swap/quote", { ...request, slippageBps: 50, recipient: wallet })
      expect(status).toBe(200)
      expect(body).toEqual({
        geoQuoteToken: "gq1.k1.canaryOfTheQuote",
        output: "2500000000000000",
        minOutput: "2487500000000000",
        feeBps: 12.5,
        expiresAt: "2026-01-01T00:00:30.000Z",
        origin: "evm",
        networkCost: "4200"
      })
      expect(received).toEqual([
        ["quote", "acc_1", { ...request, amount: 10_000_000n, slippageBps: 50, recipient: wallet }]
      ])
    })
  )

  it.effect("pass an indicative request to the service without a wallet, and return no token", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const { walletAddress: _, ...anyone } = request
      const { body, status } = yield* post("/swap/quote", { ...anyone, indicative: true })
      expect(status).toBe(200)
      expect(body).toEqual({
        indicative: true,
        output: "2500000000000000",
        minOutput: "2487500000000000",
        feeBps: 12.5,
        origin: "evm",
        networkCost: "4200",
        warnings: []
      })
      yield* post("/swap/quote", { ...request, recipient: wallet, slippageBps: 50, indicative: true })
      expect(received).toEqual([
        ["indicativeQuote", { ...anyone, amount: 10_000_000n, indicative: true }],
        ["indicativeQuote", { ...request, amount: 10_000_000n, recipient: wallet, slippageBps: 50, indicative: true }]
      ])
    })
  )

  it.effect("require a wallet unless indicative is true, and refuse any other value of indicative", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const { walletAddress: _, ...anyone } = request
      for (const indicative of [undefined, false, null]) {
        expect(yield* post("/swap/quote", { ...anyone, indicative })).toMatchObject({
          status: 400,
          body: { code: "VALIDATION", details: { fields: ["walletAddress"] } }
        })
        expect((yield* post("/swap/quote", { ...request, indicative })).body).toHaveProperty("geoQuoteToken")
      }
      for (const indicative of ["true", 1, 0, {}, []]) {
        const { body } = yield* post("/swap/quote", { ...request, indicative })
        expect(body).toMatchObject({
          details: { fields: ["indicative"] },
          message:
            "indicative is invalid: expected true for a price without a token, or false for a quote (default), as a JSON boolean."
        })
      }
      expect(received.map(([method]) => method)).toEqual(["quote", "quote", "quote"])
      const invalid = yield* post("/swap/quote", { ...anyone, amount: "0", recipient: "", indicative: true })
      expect(invalid).toMatchObject({ status: 400, body: { details: { fields: ["amount", "recipient"] } } })
    })
  )

  it.effect("accept an exact amount as a JSON integer, and treat null as missing", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      yield* post("/swap/quote", { ...request, amount: 9_007_199_254_740_991, slippageBps: null, recipient: null })
      expect(received).toEqual([["quote", "acc_1", { ...request, amount: 9_007_199_254_740_991n }]])
    })
  )

  it.effect("ignore unknown fields, whatever their name", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const strange = `{"__proto__":{"amount":"1"},"constructor":{"prototype":{"polluted":1}},"toString":1,"more":[{}]`
      const { status } = yield* post("/swap/quote", `${strange},${JSON.stringify(request).slice(1)}`)
      expect(status).toBe(200)
      expect(received).toEqual([["quote", "acc_1", { ...request, amount: 10_000_000n }]])
      expect("polluted" in {}).toBe(false)
    })
  )

  it.effect("change a delegation, and read the change", () =>
    Effect.gen(function* () {
      const { get, post, received } = webApp()
      const walletAddress = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
      const authorization = { chainId: 8453, address: `0x${"0".repeat(40)}`, nonce: "0x8", r: "0x1", s: "0x2" }
      const sent = yield* post("/swap/change-delegation", { walletAddress, authorization: { ...authorization, v: 28 } })
      expect([sent.status, sent.body]).toEqual([200, { changeId: "5b0e7d0c", status: "pending", chainId: 8453 }])
      const word = (digit: string) => `0x${digit.padStart(64, "0")}`
      const decoded = { ...authorization, nonce: 8, yParity: 1, r: word("1"), s: word("2") }
      expect((yield* get("/swap/delegation-status/5b0e7d0c")).status).toBe(200)
      expect(received).toEqual([
        ["changeDelegation", "acc_1", { walletAddress, authorization: decoded }],
        ["delegationStatus", "acc_1", "5b0e7d0c"]
      ])
      const invalid = yield* post("/swap/change-delegation", { walletAddress })
      expect([invalid.status, invalid.body]).toMatchObject([400, { code: "VALIDATION" }])
      const unknown = yield* get("/swap/delegation-status/%22")
      expect([unknown.status, unknown.body]).toMatchObject([404, { code: "CHANGE_NOT_FOUND" }])
    })
  )

  it.effect("read a delegation by query and by path", () =>
    Effect.gen(function* () {
      const { get, received } = webApp()
      const byQuery = yield* get(`/swap/delegation?chainId=8453&walletAddress=${wallet}`)
      const byPath = yield* get(`/swap/delegation/8453/%30${wallet.slice(1)}`)
      expect(byQuery.body).toEqual(byPath.body)
      expect(byQuery.body).toMatchObject({ delegated: false, accountNonce: 7 })
      const expected = ["delegation", "acc_1", { chainId: 8453, walletAddress: wallet }]
      expect(received).toEqual([expected, expected])
    })
  )

  it.effect("build, submit and list", () =>
    Effect.gen(function* () {
      const { get, post, received } = webApp()
      const signature = `0x${"5b".repeat(65)}`
      expect((yield* post("/swap/build-geo-op", { geoQuoteToken: "q" })).body).toEqual({
        geoOpHash: `0x${"ab".repeat(32)}`,
        geoOpToken: "go1.k1.canaryOfTheOp"
      })
      expect((yield* post("/swap/build-solana-tx", { geoQuoteToken: "q", authorization: [1] })).status).toBe(200)
      expect((yield* post("/swap/submit", { geoOpToken: "o", signature })).body).toEqual({
        swapId: "9f1c6c1e",
        status: "pending"
      })
      expect((yield* post("/swap/submit-solana", { geoOpToken: "o", signedTransaction: "AgAA" })).status).toBe(200)
      expect((yield* get("/swap/status/9f1c6c1e")).body).toEqual({ swapId: "9f1c6c1e", status: "settled" })
      expect((yield* get("/swap/chains")).body).toEqual({
        chains: [{ id: 8453, name: "Base", kind: "evm", tokens: [] }]
      })
      expect(received).toEqual([
        ["buildGeoOp", "acc_1", { geoQuoteToken: "q" }],
        ["buildSolanaTx", "acc_1", { geoQuoteToken: "q" }],
        ["submit", "acc_1", { geoOpToken: "o", signature }],
        ["submitSolana", "acc_1", { geoOpToken: "o", signedTransaction: "AgAA" }],
        ["status", "acc_1", "9f1c6c1e"]
      ])
    })
  )

  it.effect("pass previousGeoOpToken to the build, and tokens of any length to the seal", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const long = "x".repeat(16_385)
      expect((yield* post("/swap/build-geo-op", { geoQuoteToken: long, previousGeoOpToken: "o" })).status).toBe(200)
      expect((yield* post("/swap/build-geo-op", { geoQuoteToken: "q", previousGeoOpToken: null })).status).toBe(200)
      expect((yield* post("/swap/build-geo-op", { geoQuoteToken: "q", previousGeoOpToken: "" })).status).toBe(400)
      expect(received).toEqual([
        ["buildGeoOp", "acc_1", { geoQuoteToken: long, previousGeoOpToken: "o" }],
        ["buildGeoOp", "acc_1", { geoQuoteToken: "q" }]
      ])
    })
  )

  it.effect("refuse an authorization for an address with a wrong checksum", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const address = authorization.address.replace("ea56", "Ea56")
      const answer = yield* post("/swap/build-geo-op", {
        geoQuoteToken: "q",
        authorization: { ...authorization, address }
      })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: "VALIDATION", details: { fields: ["authorization.address"] } }
      })
      expect(received).toEqual([])
    })
  )

  it.effect.each([
    ["as numbers", authorization],
    ["as decimal strings", { ...authorization, chainId: "8453", nonce: "7" }],
    ["as hex strings", { ...authorization, chainId: "0x2105", nonce: "0x7", yParity: "0x1" }],
    ["with v 28", { ...authorization, yParity: undefined, v: 28 }],
    ["with v as hex", { ...authorization, yParity: null, v: "0x1c" }],
    ["with v 1", { ...authorization, yParity: undefined, v: 1 }],
    ["in capitals", { ...authorization, address: `0x${authorization.address.slice(2).toUpperCase()}` }]
  ])("accept an authorization %s", ([, given]) =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      yield* post("/swap/build-geo-op", { geoQuoteToken: "q", authorization: given })
      expect(received).toEqual([["buildGeoOp", "acc_1", { geoQuoteToken: "q", authorization }]])
    })
  )

  it.effect("pad signature values that are written as quantities", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const given = { ...authorization, r: "0xA", s: "0x0b", v: 27, yParity: undefined }
      yield* post("/swap/build-geo-op", { geoQuoteToken: "q", authorization: given })
      const expected = {
        ...authorization,
        r: `0x${"a".padStart(64, "0")}`,
        s: `0x${"b".padStart(64, "0")}`,
        yParity: 0
      }
      expect(received).toEqual([["buildGeoOp", "acc_1", { geoQuoteToken: "q", authorization: expected }]])
    })
  )
})

describe("the order of checks", () => {
  it.effect("authenticates before it reads a body", () =>
    Effect.gen(function* () {
      const { answerOf, send } = webApp()
      let read = false
      const body = new ReadableStream(
        {
          pull: (controller) => {
            read = true
            controller.close()
          }
        },
        { highWaterMark: 0 }
      )
      const init: Init = {
        body,
        duplex: "half",
        headers: { "x-api-key": "other" }
      }
      expect(yield* Effect.flatMap(send("POST", "/swap/quote", init), answerOf)).toMatchObject({
        status: 401,
        body: { code: "UNAUTHORIZED" }
      })
      expect(read).toBe(false)
    })
  )

  it.effect("counts a call before it validates the body", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      for (let index = 0; index < 20; index++) expect((yield* post("/swap/quote", {})).status).toBe(400)
      const refused = yield* post("/swap/quote", request)
      expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } })
      expect(refused.headers.get("retry-after")).toBe("100")
      expect(refused.headers.get("ratelimit")).toBe('"quote";r=0;t=100')
      expect(refused.headers.get("ratelimit-policy")).toBe('"quote";q=20;w=2000')
      expect(received).toEqual([])
    })
  )

  it.effect("counts indicative quotes separately from quotes, and invalid bodies as quotes", () =>
    Effect.gen(function* () {
      const { post, received } = webApp()
      const policyOf = (body: unknown) =>
        Effect.map(post("/swap/quote", body), ({ headers, status }) => [status, headers.get("ratelimit")])
      const indicative = { ...request, indicative: true }
      expect(yield* policyOf(indicative)).toEqual([200, '"indicative";r=1;t=100'])
      expect(yield* policyOf({ indicative: true })).toEqual([400, '"indicative";r=0;t=100'])
      expect(yield* policyOf(indicative)).toEqual([429, '"indicative";r=0;t=100'])
      expect(yield* policyOf(request)).toEqual([200, '"quote";r=19;t=100'])
      expect(yield* policyOf("{")).toEqual([400, '"quote";r=18;t=200'])
      for (let index = 0; index < 18; index++) yield* policyOf({ ...request, indicative: false })
      expect(yield* policyOf("{")).toEqual([429, '"quote";r=0;t=100'])
      expect(received.filter(([method]) => method === "indicativeQuote")).toHaveLength(1)
    })
  )

  it.effect("returns the remaining allowance with every response", () =>
    Effect.gen(function* () {
      const { get, post } = webApp()
      expect((yield* post("/swap/quote", request)).headers.get("ratelimit")).toBe('"quote";r=19;t=100')
      expect((yield* post("/swap/quote", {})).headers.get("ratelimit")).toBe('"quote";r=18;t=200')
      expect((yield* get("/health/live")).headers.get("ratelimit")).toBe(null)
    })
  )

  it.effect("limits the held status requests of an account, and releases one that was aborted", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<never>()
      const { answerOf, get, send } = webApp({}, { statuses: statusesOf(() => Deferred.await(held)) })
      const gone = new AbortController()
      yield* Effect.forkChild(send("GET", "/swap/status/1", { signal: gone.signal }))
      yield* Effect.forEach(["2", "3"], (id) => Effect.forkChild(send("GET", `/swap/status/${id}`)))
      yield* Effect.yieldNow
      expect(yield* get("/swap/status/4")).toMatchObject({ status: 429, body: { details: { name: "held" } } })
      gone.abort()
      yield* Effect.yieldNow
      const fiber = yield* Effect.forkChild(Effect.flatMap(send("GET", "/swap/status/5"), answerOf))
      yield* Effect.yieldNow
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("refusals", () => {
  it.effect("have the status of their code, its message and the request id", () =>
    Effect.gen(function* () {
      const refusal = refuse("QUOTE_EXPIRED", "The quote has expired.", { details: { at: 1 }, retryAfter: 3 })
      const { post } = webApp({}, { buildGeoOp: () => Effect.fail(refusal) })
      const { body, headers, status } = yield* post("/swap/build-geo-op", { geoQuoteToken: "q" })
      expect(status).toBe(410)
      expect(headers.get("retry-after")).toBe("3")
      const requestId = headers.get("x-request-id")
      expect(body).toEqual({ code: "QUOTE_EXPIRED", message: "The quote has expired.", requestId, details: { at: 1 } })
    })
  )

  it.effect("are 503 if the storage is unavailable", () =>
    Effect.gen(function* () {
      const { get } = webApp({ authenticate: () => Effect.fail(new StoreUnavailable({ message: "secret path" })) })
      const { body, headers, status } = yield* get("/swap/chains")
      expect([status, headers.get("retry-after")]).toEqual([503, "1"])
      expect(body).toMatchObject({ code: "UNAVAILABLE" })
      expect(JSON.stringify(body)).not.toContain("secret path")
    })
  )

  it.effect("reveal only the request id of a defect, and log its cause", () =>
    Effect.gen(function* () {
      const { lines, post } = webApp({}, { quote: () => Effect.die(new Error("the inside")) })
      const { body, headers, status } = yield* post("/swap/quote", request, { "x-request-id": "mine-1" })
      expect([status, headers.get("x-request-id")]).toEqual([500, "mine-1"])
      expect(body).toEqual({
        code: "INTERNAL",
        message: expect.stringContaining("mine-1") as string,
        requestId: "mine-1"
      })
      expect(JSON.stringify(body)).not.toContain("the inside")
      const [error] = lines.filter(({ level }) => level === "Error")
      expect(error).toMatchObject({ requestId: "mine-1", route: "/swap/quote" })
      expect(String(error?.["cause"])).toContain("the inside")
    })
  )

  it.effect("respond with 500 to an invalid response of the service, and log its invalid fields without values", () =>
    Effect.gen(function* () {
      const swap = { swapId: "s", status: "canaryOfTheStatus" as "pending" }
      const { get, lines } = webApp({}, { statuses: statusesOf(() => Effect.succeed(swap)) })
      expect((yield* get("/swap/status/s")).status).toBe(500)
      const [error] = lines.filter(({ level }) => level === "Error")
      expect(String(error?.["cause"])).toContain("The response from status is invalid: status")
      expect(String(error?.["cause"])).not.toContain("canaryOfTheStatus")
    })
  )

  it.effect("name every invalid field, and repeat no value", () =>
    Effect.gen(function* () {
      const { post } = webApp()
      const { body } = yield* post("/swap/quote", {
        ...request,
        amount: "canary",
        originChain: 1.5,
        walletAddress: null
      })
      expect(body).toMatchObject({
        code: "VALIDATION",
        details: { fields: ["originChain", "amount", "walletAddress"] },
        message: expect.stringMatching(
          /^originChain is invalid: expected .+\. amount is invalid: expected .+\. walletAddress is missing: expected .+\.$/
        ) as string
      })
      expect(JSON.stringify(body)).not.toContain("canary")
    })
  )
})
