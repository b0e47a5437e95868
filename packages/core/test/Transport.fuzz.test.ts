/**
 * No response of a server makes the client end in anything but a result or a typed error.
 *
 * `FUZZ_RUNS` sets the number of cases, `FUZZ_SEED` the first one, and `FUZZ_CASE` the only one.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { casesOf, seededRandom, isWhole, repeat, runs, seed } from "../../../tooling/testing/seededRandom.ts"
import { Client, RetrySettings, SwapError, Transport } from "../src/index.js"
import { Fault, ScriptedTransport, Vectors } from "../src/testing.js"
import { asLiteral, hostile, shrink } from "./hostileResponse.js"
import { passing, makeFixture } from "./fixture.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const [operation] = Vectors.operations
const [transaction] = Vectors.transactions
const authorization = {
  chainId: 8453,
  address: `0x${"9a".repeat(20)}`,
  nonce: 7,
  yParity: 1,
  r: `0x${"ab".repeat(32)}`,
  s: `0x${"ab".repeat(32)}`
} as const
const swap = { swapId: "s1", status: "settled", originTxHash: "0x01", deliveryTxHash: "0x02", refundTxHash: "0x03" }

const methods: Readonly<
  Record<string, (transport: Transport.Transport) => Effect.Effect<unknown, SwapError.SwapError>>
> = {
  quote: ({ quote }) => quote(evmRequest),
  indicativeQuote: ({ indicativeQuote }) => indicativeQuote({ ...evmRequest, indicative: true }),
  delegation: ({ delegation }) => delegation({ chainId: 8453, walletAddress: evmRequest.walletAddress }),
  buildGeoOp: ({ buildGeoOp }) => buildGeoOp({ geoQuoteToken: "gq1" }),
  "buildGeoOp with an authorization": ({ buildGeoOp }) => buildGeoOp({ geoQuoteToken: "gq1", authorization }),
  buildSolanaTx: ({ buildSolanaTx }) => buildSolanaTx({ geoQuoteToken: "gq1" }),
  submit: ({ submit }) => submit({ geoOpToken: "go1", signature: "0x01" }),
  submitSolana: ({ submitSolana }) => submitSolana({ geoOpToken: "go1", signedTransaction: "AQID" }),
  status: ({ status }) => status("s1"),
  chains: ({ chains }) => chains
}

/** A full response of every endpoint, and some refusals. */
const honest: ReadonlyArray<Transport.HttpResponse> = [
  {
    geoQuoteToken: "gq1",
    output: "2500000000000000",
    minOutput: "2487500000000000",
    feeBps: 12.5,
    expiresAt: "2026-01-01T00:00:30.000Z",
    feeDiscount: { tier: "gold", discountPercent: 20, baseFeeBps: 15 },
    inputUsd: "10.00",
    outputUsd: "9.97",
    priceImpactBps: -30,
    warnings: [{ code: "HIGH_PRICE_IMPACT", message: "m" }],
    origin: "evm",
    networkCost: "1000"
  },
  {
    chainId: 8453,
    walletAddress: evmRequest.walletAddress,
    delegated: false,
    originReady: false,
    delegationTarget: authorization.address,
    accountNonce: 7
  },
  {
    geoOpHash: operation?.geoOpHash,
    geoOpToken: "go1",
    geoOp: { ...operation?.geoOp, amount: "10000000", nonce: "0" }
  },
  { unsignedTransaction: transaction?.unsignedTransaction, geoOpToken: "go1" },
  swap,
  { ...swap, status: "failed", failureCode: "INVALID_AUTHORIZATION" },
  { chains: [{ id: 8453, name: "Base", kind: "evm", tokens: [{ symbol: "T", address: "0x01", decimals: 6 }] }] },
  { status: 409, code: "NEEDS_DELEGATION", message: "m", requestId: "r1", details: { a: [1] } },
  { status: 422, error: { code: "UNSUPPORTED_DELEGATION", message: "m" } },
  { status: 429, type: "about:blank", title: "t", detail: "d" }
].map((json) => ({
  status: "status" in json && typeof json.status === "number" ? json.status : 200,
  headers: { "content-type": "application/json", "x-request-id": "r1" },
  body: JSON.stringify(json)
}))

const objectKeys = Object.getOwnPropertyNames(Object.prototype).join()
const arrayKeys = Object.getOwnPropertyNames(Array.prototype).join()

/** The problem with the exit of a program; `undefined` for a result or a typed error. */
const wrong = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Object.getOwnPropertyNames(Object.prototype).join() !== objectKeys) return "Object.prototype is polluted"
  if (Object.getOwnPropertyNames(Array.prototype).join() !== arrayKeys) return "Array.prototype is polluted"
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    const plain = Array.isArray(value) ? Array.prototype : Object.prototype
    return Object.getPrototypeOf(value) === plain ? undefined : "the result has another prototype"
  }
  const [reason, ...more] = exit.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0) return Cause.pretty(exit.cause).slice(0, 600)
  const { error } = reason
  if (!SwapError.isSwapError(error) || !(error._tag in SwapError)) return `an error that is not ours: ${String(error)}`
  return typeof error.message === "string" && error.message !== "" ? undefined : `${error._tag} has no message`
}

/** The result of a method for a response. It must be synchronous: there is nothing to wait for. */
const answered = (method: string, answer: Transport.HttpResponse): Exit.Exit<unknown, unknown> => {
  const transport = Transport.make(() => Effect.succeed(answer))
  return Effect.runSyncExit(Effect.suspend(() => methods[method]?.(transport) ?? Effect.die("no such method")))
}

const judge = (method: string, answer: Transport.HttpResponse) => wrong(answered(method, answer))

/** If all cases ended alike, a run would prove nothing. */
const expectSome = (good: number, all: number) => {
  const [least, most] = isWhole ? [all / 20, all / 2] : [0, 1]
  expect(good).toBeGreaterThanOrEqual(least)
  expect(good).toBeLessThanOrEqual(most)
}

describe(`fuzzing with seed ${seed}`, () => {
  it("starts with valid responses", () => {
    const names = Object.keys(methods)
    const understood = names.filter((method) => honest.some((answer) => Exit.isSuccess(answered(method, answer))))
    expect(understood).toStrictEqual(names)
  })

  it(`returns only results and typed errors for ${runs} hostile responses to every method`, () => {
    let understood = 0
    for (const index of casesOf(runs)) {
      const random = seededRandom(seed, index)
      const answer = hostile(random.pick(honest), random)
      const exits = Object.keys(methods).map((method) => [method, answered(method, answer)] as const)
      for (const [method, exit] of exits) {
        if (wrong(exit) === undefined) continue
        const least = shrink(answer, (less) => judge(method, less) !== undefined)
        expect.fail(`${method}: ${judge(method, least)}\nfrom ${asLiteral(least)}\n${repeat(index)}`)
      }
      if (exits.some(([, exit]) => Exit.isSuccess(exit))) understood++
    }
    expectSome(understood, runs)
  })

  const Status = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }))
  it.prop(
    "returns only results and typed errors for any JSON with any status",
    [Schema.Json, Status],
    ([json, status]) => {
      const answer = { status, headers: {}, body: JSON.stringify(json) }
      for (const method of Object.keys(methods)) {
        for (const candidate of [answer, { ...answer, status: 200 }]) expect(judge(method, candidate)).toBeUndefined()
      }
    },
    { arbitrary: { runs: Math.ceil(runs / 20), seed, size: 40 } }
  )

  it.prop(
    "returns only results and typed errors for any string with any status",
    [Schema.String, Status],
    ([body, status]) => {
      for (const method of Object.keys(methods)) expect(judge(method, { status, headers: {}, body })).toBeUndefined()
    },
    { arbitrary: { runs: Math.ceil(runs / 20), seed } }
  )
})

/** Short timeouts, so that a swap that cannot end fails soon. */
const hasty: RetrySettings.RetrySettings = {
  ...RetrySettings.defaults,
  requestTimeout: 20_000,
  submitAttempts: 3,
  callAttempts: 2,
  rateLimitWaits: 2,
  maxRetryAfter: 10_000,
  waitTimeout: 40_000
}

/** Half an hour of the test clock: longer than all the waits above together. */
const lifetime = 1_800_000

/** A whole swap in which some responses are spoiled, except those in `spared`. */
const executed = Effect.fnUntraced(function* (index: number, spared: ReadonlySet<number>) {
  const random = seededRandom(seed ^ 0x5eed, index)
  const { service, layer } = makeFixture({ policy: random.next() < 0.3 ? { verification: "when-possible" } : {} })
  const request = random.next() < 0.7 ? evmRequest : solanaRequest
  if (random.next() < 0.5) service.delegate(request.originChain, request.walletAddress)
  if (random.next() < 0.2) service.ends("never")
  const rate = random.pick([0.1, 0.3, 0.6])
  const spoiled: Array<readonly [at: number, answer: Transport.HttpResponse]> = []
  let count = 0
  const transport = Transport.make((sent) =>
    Effect.map(service.send(sent), (answer) => {
      const at = count++
      // Each response has its own generator, so that sparing one does not change the others.
      const own = seededRandom(seed ^ index, at)
      if (own.next() >= rate || spared.has(at)) return answer
      const bad = hostile(answer, own)
      spoiled.push([at, bad])
      return bad
    })
  )
  const program = Client.execute(request).pipe(
    Effect.provideService(Transport.Transport, transport),
    Effect.provide(layer),
    Effect.provideService(RetrySettings.RetrySettings, hasty),
    Random.withSeed(`${seed} ${index}`)
  )
  const fiber = yield* Effect.forkChild(program)
  for (let time = 0; time < lifetime && fiber.pollUnsafe() === undefined; time += 500) yield* TestClock.adjust(500)
  const exit = fiber.pollUnsafe()
  if (exit === undefined) yield* Fiber.interrupt(fiber)
  return { found: exit === undefined ? "it never ends" : wrong(exit), spoiled, settled: exit && Exit.isSuccess(exit) }
}, Effect.provide(TestClock.layer()))

describe("a regression that fuzzing found:", () => {
  /** How a whole swap ends with this script. */
  const ended = (script: (service: ScriptedTransport.ScriptedTransport) => void, request = evmRequest) =>
    Effect.gen(function* () {
      const { service, layer } = makeFixture()
      script(service)
      const exit = yield* passing(Effect.provide(Client.execute(request), layer))
      expect(wrong(exit)).toBeUndefined()
      return { exit, service }
    })

  it.effect("a swap id that does not fit into a URL", () =>
    ended(({ next }) => next("submit", Fault.garbage('{"swapId":"\\ud800","status":"pending"}', { after: true })))
  )

  it.effect("pending responses that are nested deeper than the stack", () =>
    Effect.gen(function* () {
      const deep = `{"swapId":"swap-q2","status":"pending","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`
      const { exit } = yield* ended(({ next }) =>
        next("status", ...Array.from({ length: 3 }, () => Fault.garbage(deep)))
      )
      expect(Exit.isSuccess(exit)).toBe(true)
    })
  )

  it.effect.each(["OPERATION_EXPIRED", "QUOTE_EXPIRED", "INVALID_AUTHORIZATION"])(
    "a 5xx with the code %s after the submit took effect, which must not lead to a second swap",
    (code) =>
      Effect.gen(function* () {
        const lost = Fault.garbage(JSON.stringify({ code }), { status: 500, after: true })
        const { exit, service } = yield* ended(({ next }) => next("submit", lost))
        expect(Exit.isSuccess(exit)).toBe(true)
        expect(service.swaps).toHaveLength(1)
        expect(new Set(service.seen("submit").map(({ body }) => JSON.stringify(body))).size).toBe(1)
      })
  )

  it.effect.each(["1e400", "A", "AQID="])("a transaction %j that is nearly base64", (unsignedTransaction) =>
    ended(({ always }) => {
      always("build-solana-tx", Fault.garbage(JSON.stringify({ unsignedTransaction, geoOpToken: "go1" })))
    }, solanaRequest)
  )

  it.effect("a transaction that is too long for a regular expression", () =>
    Effect.gen(function* () {
      const body = `{"unsignedTransaction":"${"AQID".repeat(3_000_000)}","geoOpToken":"go1"}`
      expect(judge("buildSolanaTx", { status: 200, headers: {}, body })).toBeUndefined()
      expect(judge("buildSolanaTx", { status: 200, headers: {}, body: body.replace('AQID"', 'AQI*"') })).toBeUndefined()
    })
  )

  it("codes and messages without visible characters", () => {
    for (const text of ["\u0000", "\u200b", "\u202e \u200b"]) {
      for (const body of [JSON.stringify(text), JSON.stringify({ code: text, message: text })]) {
        for (const method of Object.keys(methods)) {
          expect(judge(method, { status: 409, headers: {}, body })).toBeUndefined()
        }
      }
    }
  })
})

describe(`fuzzing execute with seed ${seed}`, () => {
  const count = Math.ceil(runs / 5)
  it.effect(`ends ${count} swaps with hostile responses only in results and typed errors`, () =>
    Effect.gen(function* () {
      let settled = 0
      for (const index of casesOf(count)) {
        const first = yield* executed(index, new Set())
        if (first.settled) settled++
        if (first.found === undefined) continue
        const spared = new Set<number>()
        let least = first
        for (const [at] of first.spoiled) {
          const less = yield* executed(index, new Set([...spared, at]))
          if (less.found === undefined) continue
          spared.add(at)
          least = less
        }
        const answers = least.spoiled.map(([at, answer]) => `answer ${at}: ${asLiteral(answer)}`)
        expect.fail([least.found, ...answers, repeat(index)].join("\n"))
      }
      expectSome(settled, count)
    })
  )
})
