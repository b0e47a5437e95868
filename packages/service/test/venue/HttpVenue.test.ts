import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Config from "../../src/config/Config.js"
import * as HttpVenue from "../../src/venue/HttpVenue.js"
import * as Venue from "../../src/venue/Venue.js"

const page = readFileSync(new URL("../../../../docs/venue.md", import.meta.url), "utf8")
const examples = new Map(
  [...page.matchAll(/```json ([\w-]+)\n([\s\S]*?)```/g)].map(([, name, json]) => [
    name,
    JSON.parse(json ?? "") as object
  ])
)
const example = (name: string) => examples.get(name) ?? {}

const usdc = { chainId: 8453, address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", symbol: "USDC", decimals: 6 }
const weth = { chainId: 42161, address: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1", symbol: "WETH", decimals: 18 }

interface Asked {
  readonly request: IncomingMessage
  readonly body: string
}
type Answer = (response: ServerResponse, asked: Asked) => void

/** A venue on its own port, until the scope ends. */
const serve = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<Asked> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one = { request, body: Buffer.concat(chunks).toString() }
          asked.push(one)
          answer(response, one)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { asked, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/price?key=1` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const configOf = (fields: object) => Schema.decodeUnknownSync(Config.HttpVenue)({ kind: "http", ...fields })

/** The price of a venue with this answer. */
const ask = (answer: Answer, fields: object = {}, options: HttpVenue.Options = {}) =>
  Effect.gen(function* () {
    const { url } = yield* serve(answer)
    // Enough for a machine that has other things to do.
    const config = configOf({ url, timeoutMillis: 20_000, ...fields })
    return yield* HttpVenue.make(config, undefined, options).price(usdc, weth, 10_000_000n)
  }).pipe(Effect.scoped)

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body))

const fresh = (fields: object = {}) => ({ output: "5", at: Date.now(), ...fields })

const unavailable = (answer: Answer, fields?: object) =>
  Effect.map(Effect.flip(ask(answer, fields)), (error) => {
    assert.instanceOf(error, Venue.VenueUnavailable)
    return error
  })

describe("HttpVenue", () => {
  it.live("sends the request and reads the response as documented", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve(json({ ...example("venue-response"), at: new Date().toISOString() }))
      const config = configOf({ ...example("venue-config"), url })
      assert.strictEqual(config.token, "VENUE_TOKEN")
      const { price } = HttpVenue.make(config, Redacted.make("s3cret"))
      assert.deepStrictEqual(yield* price(usdc, weth, 10_000_000n), {
        output: 2_493_750_000_000_000n,
        usd: { input: 10, output: 9.975 }
      })
      const [one] = asked
      assert.deepStrictEqual(JSON.parse(one?.body ?? ""), example("venue-request"))
      assert.strictEqual(one?.request.method, "POST")
      assert.strictEqual(one?.request.url, "/v1/price?key=1")
      assert.strictEqual(one?.request.headers["content-type"], "application/json")
      assert.strictEqual(one?.request.headers.authorization, "Bearer s3cret")
    }).pipe(Effect.scoped)
  )

  it.live("sends no token if there is none, and only four fields of each asset", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve(json(fresh()))
      const { price } = HttpVenue.make(configOf({ url }))
      const more = { ...usdc, secret: "x" }
      yield* price(more, weth, 2n ** 256n - 1n)
      assert.isUndefined(asked[0]?.request.headers.authorization)
      assert.deepStrictEqual(JSON.parse(asked[0]?.body ?? ""), {
        input: usdc,
        output: weth,
        amount: `${2n ** 256n - 1n}`
      })
    }).pipe(Effect.scoped)
  )

  it.live.each<readonly [string, object, Venue.Price]>([
    ["no dollars", {}, { output: 5n }],
    ["dollars of one side alone", { inputUsd: 5 }, { output: 5n }],
    ["null for dollars", { inputUsd: null, outputUsd: null }, { output: 5n }],
    ["dollars as numbers", { inputUsd: 1.5, outputUsd: 1.25 }, { output: 5n, usd: { input: 1.5, output: 1.25 } }],
    ["an output of nothing", { output: "0" }, { output: 0n }],
    ["an output that is a small integer", { output: 7 }, { output: 7n }],
    ["the largest output", { output: `${2n ** 256n - 1n}` }, { output: 2n ** 256n - 1n }],
    ["unknown fields", { route: ["a"], error: null }, { output: 5n }]
  ])("accepts %s", ([, fields, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask(json(fresh(fields))), expected)
    })
  )

  it.live.each<readonly [string, Answer]>([
    ["the status 404", json("nothing here", 404)],
    ["the status 404 and a page that is too large", json("x".repeat(100_000), 404)],
    ["the example of the page", json(example("venue-no-price"))],
    ["the example of the page and another status", json(example("venue-no-price"), 422)]
  ])("has no price if the venue answers with %s", ([, answer]) =>
    Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(ask(answer)), Venue.NoPrice)
    })
  )

  it.live.each<readonly [string, Answer, RegExp]>([
    ["another status", json(fresh(), 201), /status 201/],
    ["an error", json({ error: { code: "OTHER" } }, 500), /status 500/],
    ["no JSON", json("<html>"), /not JSON/],
    ["nothing", json(""), /not JSON/],
    ["a list", json([]), /docs\/venue\.md/],
    ["no output", json({ at: Date.now() }), /docs\/venue\.md/],
    ["no time", json({ output: "5" }), /docs\/venue\.md/],
    ["a time without a zone", json(fresh({ at: "2026-01-01T00:00:00" })), /docs\/venue\.md/],
    ["a day that does not exist", json(fresh({ at: "2026-13-01T00:00:00Z" })), /docs\/venue\.md/],
    ["a negative output", json(fresh({ output: "-5" })), /docs\/venue\.md/],
    ["a broken output", json(fresh({ output: "1.5" })), /docs\/venue\.md/],
    ["an output in hex", json(fresh({ output: "0x5" })), /docs\/venue\.md/],
    ["an output that no chain can hold", json(fresh({ output: `${2n ** 256n}` })), /docs\/venue\.md/],
    ["a number that lost digits", json(fresh({ output: 1e20 })), /docs\/venue\.md/],
    ["negative dollars", json(fresh({ inputUsd: -1, outputUsd: -1 })), /docs\/venue\.md/],
    ["dollars that are not numbers", json(fresh({ inputUsd: "ten", outputUsd: "ten" })), /docs\/venue\.md/],
    ["more than 64 KiB", json(fresh({ padding: "x".repeat(65_536) })), /larger than 65536 bytes/],
    ["a redirect", (response) => response.writeHead(307, { location: "/elsewhere" }).end(), /status 307/],
    ["a connection that breaks", (response) => response.destroy(), /cannot be reached/],
    [
      "a body that breaks off",
      (response) => {
        response.writeHead(200, { "content-length": "100" }).write("{")
        setTimeout(() => response.destroy(), 20)
      },
      /cannot be reached/
    ]
  ])("is unavailable if the venue answers with %s", ([, answer, words]) =>
    Effect.gen(function* () {
      const error = yield* unavailable(answer)
      assert.match(error.message, words)
      assert.isFalse(error.timeout)
    })
  )

  it.live("does not follow redirects, which would forward the token", () =>
    Effect.gen(function* () {
      const other = yield* serve(json(fresh()))
      yield* unavailable((response) => response.writeHead(302, { location: other.url }).end())
      assert.lengthOf(other.asked, 0)
    }).pipe(Effect.scoped)
  )

  it.live("accepts a response of exactly 64 KiB", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(fresh({ padding: "" }))
      const padded = body.replace('""', `"${"x".repeat(65_536 - body.length)}"`)
      assert.lengthOf(padded, 65_536)
      assert.deepStrictEqual(yield* ask(json(padded)), { output: 5n })
    })
  )

  it.live("is unavailable if the venue cannot be reached, and reveals neither its URL nor the token", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serve(json(fresh())))
      const { price } = HttpVenue.make(configOf({ url }), Redacted.make("s3cret"))
      const error = yield* Effect.flip(price(usdc, weth, 1n))
      assert.strictEqual(error.message, "The venue cannot be reached (ECONNREFUSED).")
      // fetch prints a token that is not a valid header value in its own message.
      const broken = HttpVenue.make(configOf({ url }), Redacted.make("s3c\nret"))
      assert.strictEqual((yield* Effect.flip(broken.price(usdc, weth, 1n))).message, "The venue cannot be reached.")
    })
  )

  it.live.each<readonly [string, Answer]>([
    ["does not answer", () => undefined],
    ["starts to answer and stops", (response) => void response.writeHead(200).write("{")]
  ])("times out if the venue %s in time", ([, answer]) =>
    Effect.gen(function* () {
      const error = yield* unavailable(answer, { timeoutMillis: 100 })
      assert.isTrue(error.timeout)
      assert.strictEqual(error.message, "The venue did not respond within 100 ms.")
    })
  )

  it.live("aborts the request if it is interrupted", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const { url } = yield* serve((response) => {
        response.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const { price } = HttpVenue.make(configOf({ url, timeoutMillis: 30_000 }))
      const fiber = yield* Effect.forkChild(price(usdc, weth, 1n))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Effect.timeout(Deferred.await(closed), 20_000)
    }).pipe(Effect.scoped)
  )

  it.live("uses the given fetch", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const fetch = (url: string) => {
        urls.push(url)
        return Promise.resolve(new Response(JSON.stringify(fresh({ output: "9" }))))
      }
      const { price } = HttpVenue.make(configOf({ url: "https://venue.example/price" }), undefined, { fetch })
      assert.deepStrictEqual(yield* price(usdc, weth, 1n), { output: 9n })
      assert.deepStrictEqual(urls, ["https://venue.example/price"])
    })
  )
})

describe("the age of a price", () => {
  it.live.each<readonly [string, () => number | string]>([
    ["now, in milliseconds", () => Date.now()],
    ["now, as ISO 8601", () => new Date().toISOString()],
    [
      "a little ago, in another zone",
      () => new Date(Date.now() + 3_600_000 - 1_000).toISOString().replace("Z", "+01:00")
    ],
    ["a clock that is a little ahead", () => Date.now() + 4_000]
  ])("is accepted: %s", ([, at]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask((...args) => json(fresh({ at: at() }))(...args)), { output: 5n })
    })
  )

  it.live.each<readonly [string, () => number | string, RegExp]>([
    ["older than allowed", () => Date.now() - 10_100, /1\d{4} ms old, but the maximum age is 10000 ms/],
    ["older than allowed, as ISO 8601", () => new Date(Date.now() - 11_000).toISOString(), /ms old/],
    ["in seconds, which are the year 1970", () => Math.round(Date.now() / 1_000), /ms old/],
    ["too far in the future", () => Date.now() + 60_000, /in the future/]
  ])("is refused: %s", ([, at, words]) =>
    Effect.gen(function* () {
      assert.match((yield* unavailable((...args) => json(fresh({ at: at() }))(...args))).message, words)
    })
  )

  it.live("is limited by the configuration", () =>
    Effect.gen(function* () {
      const minuteOld: Answer = (...args) => json(fresh({ at: Date.now() - 60_000 }))(...args)
      assert.deepStrictEqual(yield* ask(minuteOld, { maxAgeMillis: 120_000 }), { output: 5n })
    })
  )
})

describe("the dollar values of a price", () => {
  const dollars = (inputUsd: number | string, outputUsd: number | string) => json(fresh({ inputUsd, outputUsd }))

  it.live.each<readonly [string, number | string, number | string]>([
    ["30 % less", 100, 70],
    ["30 % more", "100", "130.00"],
    ["a cent for nothing", 0, 0.01],
    ["a cent more than one cent", "0.01", "0.02"],
    ["nothing for nothing", "0.00", "0.00"]
  ])("are accepted: %s", ([, input, output]) =>
    Effect.gen(function* () {
      const { usd } = yield* ask(dollars(input, output))
      assert.deepStrictEqual(usd, { input: Number(input), output: Number(output) })
    })
  )

  it.live.each<readonly [string, number | string, number | string]>([
    ["more than 30 % less", 100, 69.98],
    ["more than 30 % more", 100, "130.02"],
    ["something for nothing", 0, 0.02],
    ["nothing for something", 1, 0]
  ])("are implausible: %s", ([, input, output]) =>
    Effect.gen(function* () {
      const { message, ofRequest } = yield* unavailable(dollars(input, output))
      assert.strictEqual(ofRequest, true)
      assert.strictEqual(
        message,
        `The venue's output is worth ${Number(output)} dollars for an input of ${input} dollars. The difference exceeds 3000 basis points.`
      )
    })
  )

  it.live("may differ as much as the configuration allows", () =>
    Effect.gen(function* () {
      yield* unavailable(dollars(100, 98.9), { maxDeviationBps: 100 })
      assert.strictEqual((yield* ask(dollars(100, 99), { maxDeviationBps: 100 })).output, 5n)
    })
  )
})
