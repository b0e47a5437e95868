/** The plain client against the real server on real chains. */
import { layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { authorizationCases } from "./plain/authorizationCases.js"
import * as plain from "./plain/client.js"
import { signed, signedTransaction, submit, submitSolana } from "./plain/operations.js"
import { signatureCases } from "./plain/signatureCases.js"
import { type Cases, Plain, running, type Suite, suiteLayer } from "./plain/suite.js"
import { swapCases } from "./plain/swapCases.js"
import { tokenCases } from "./plain/tokenCases.js"
import * as at from "./plain/world.js"
import { ask, deploymentOf, evmRequest, evmWallet, solanaRequest, solanaWallet, told, until } from "./plain/world.js"
import { describeOnAnvil } from "./stack/onAnvil.js"

/** Builds with a quote a second before its end, at 30 seconds sharp, and later. */
const buildLate = async (suite: Suite, path: string, request: plain.QuoteRequest, more: object) => {
  const { expiresAt, geoQuoteToken } = await plain.quote(suite.first, request)
  const answers: Array<unknown> = []
  for (const millis of [-1_000, 0, 100]) {
    await until(Date.parse(expiresAt) + millis)
    answers.push(await told(suite.first, path, { geoQuoteToken, ...more }))
  }
  return answers
}

/** What takes 30 seconds begins before the other tests, which run meanwhile. */
class Late extends Context.Service<Late, { readonly builds: Promise<ReadonlyArray<unknown>> }>()("test/Late") {}

const begin = async (suite: Suite) => {
  const { devnet, first } = suite
  const { id } = devnet.evmA
  const [account, owner] = [await evmWallet(suite), await solanaWallet(suite)]
  const authorization = await plain.authorize(first, account, id, deploymentOf(devnet, id))
  const builds = Promise.all([
    buildLate(suite, "/swap/build-geo-op", evmRequest(suite, account.address), { authorization }),
    buildLate(suite, "/swap/build-solana-tx", solanaRequest(suite, owner.address), {})
  ])
  // Whatever fails, fails in the test that waits for it.
  builds.catch(() => undefined)
  return { builds }
}

const lateLayer = Layer.effect(
  Late,
  Effect.flatMap(Plain, (suite) => Effect.promise(() => begin(suite)))
).pipe(Layer.provideMerge(suiteLayer()))

const answerCases: Cases = {
  "finds the chains and tokens that there are": async ({ devnet, first }) => {
    const { body, status } = await ask(first, "/swap/chains")
    expect(status).toBe(200)
    const chains = [devnet.evmA, devnet.evmB, devnet.solana].map(({ id, kind, name, tokens }) => ({
      id,
      name,
      kind,
      tokens: tokens.map((token) => ({
        ...token,
        address: kind === "evm" ? token.address.toLowerCase() : token.address
      }))
    }))
    expect(body).toEqual({ chains })
  },
  "gets its own request id back, or a new one, on whatever is answered": async ({ first }) => {
    const idOf = async (path: string, given: string, body?: object) =>
      (await ask(first, path, body, { headers: { "x-request-id": given } })).headers.get("x-request-id")
    expect(await idOf("/swap/chains", "my-id.1")).toBe("my-id.1")
    expect(await idOf("/swap/quote", "my-id.2", {})).toBe("my-id.2")
    expect(await idOf("/nowhere", "my-id.3")).toBe("my-id.3")
    expect(await idOf("/swap/chains", "not an id")).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf("/swap/chains", "x".repeat(65))).toMatch(/^[0-9a-f-]{36}$/)
  },
  "is told what is wrong with a request that makes no sense": async ({ first }) => {
    const post = (body: string, type: string) => told(first, "/swap/quote", body, { headers: { "content-type": type } })
    expect(await told(first, "/swap/nothing")).toEqual([404, "NOT_FOUND"])
    expect(await told(first, "/swap/status/none")).toEqual([404, "SWAP_NOT_FOUND"])
    expect(await told(first, "/swap/quote", "{")).toEqual([400, "VALIDATION"])
    expect(await told(first, "/swap/quote", "[]")).toEqual([400, "VALIDATION"])
    expect(await told(first, "/swap/quote", `{"amount":"1","amount":"2"}`)).toEqual([400, "VALIDATION"])
    expect(await told(first, "/swap/quote", { filler: "x".repeat(65_536) })).toEqual([413, "BODY_TOO_LARGE"])
    expect(await post("{}", "text/plain")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    const wrongMethod = await ask(first, "/swap/quote")
    expect([wrongMethod.status, wrongMethod.body["code"]]).toEqual([405, "METHOD_NOT_ALLOWED"])
    expect(wrongMethod.headers.get("allow")).toBe("POST, OPTIONS")
  }
}

const timeCases: Cases = {
  "submits until 90 seconds after the build, and is told of a swap that exists at any time": (suite) =>
    Effect.gen(function* () {
      const { clock, now, set } = yield* at.stoppedClock
      const world = yield* at.open(suite.devnet).pipe(Effect.provideService(Clock.Clock, clock))
      yield* Effect.promise(async () => {
        const { first } = world
        const [account, owner] = [await evmWallet(suite), await solanaWallet(suite)]
        const one = await signed(world, account, evmRequest(world, account.address))
        const late = await signed(world, account, evmRequest(world, account.address))
        const two = await signedTransaction(world, owner, solanaRequest(world, owner.address))
        const lateTwo = await signedTransaction(world, owner, solanaRequest(world, owner.address))
        expect(one.geoOp.deadline).toBe(Math.ceil(now() / 1000) + 90 + 30)
        const solanaSwap = await plain.wait(first, (await submitSolana(world, two.submission)).swapId)

        set(now() + 89_999)
        const { swapId } = await submit(world, one.submission)
        set(now() + 1)
        const expired = [410, "OPERATION_EXPIRED"]
        expect(await told(first, "/swap/submit", late.submission)).toEqual(expired)
        expect(await told(first, "/swap/submit-solana", lateTwo.submission)).toEqual(expired)
        const swap = await plain.wait(first, swapId)
        expect([swap.status, solanaSwap.status]).toEqual(["settled", "settled"])
        set(now() + 86_400_000)
        expect(await submit(world, one.submission)).toEqual(swap)
        expect(await submitSolana(world, two.submission)).toEqual(solanaSwap)
      })
    })
}

describeOnAnvil("a client that knows docs/protocol.md and nothing else", () =>
  layer(lateLayer, { timeout: 120_000, excludeTestServices: true })((it) => {
    const groups = [swapCases, tokenCases, authorizationCases, signatureCases, answerCases, timeCases]
    for (const [title, run] of groups.flatMap((cases) => Object.entries(cases))) {
      it.effect(title, () => running(run), 120_000)
    }

    it.effect(
      "builds until a second before the quote's end, and from 30 seconds sharp is told to ask anew",
      () =>
        Effect.gen(function* () {
          const { builds } = yield* Late
          const expired = [410, "QUOTE_EXPIRED"]
          const each = [[200, undefined], expired, expired]
          expect(yield* Effect.promise(() => builds)).toEqual([each, each])
        }),
      60_000
    )
  })
)
