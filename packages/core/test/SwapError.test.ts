import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SwapError } from "../src/index.js"

const said = { message: "What happened, and what to do." }

/** Every class: its tag, its retry hint and its required fields. */
const classes = {
  NeedsDelegation: ["reauthorize", new SwapError.NeedsDelegation(said)],
  Expired: ["requote", new SwapError.Expired({ ...said, what: "quote" })],
  InvalidAuthorization: ["reauthorize", new SwapError.InvalidAuthorization(said)],
  Unsupported: ["never", new SwapError.Unsupported(said)],
  SwapInProgress: ["later", new SwapError.SwapInProgress(said)],
  InvalidToken: ["requote", new SwapError.InvalidToken(said)],
  Unauthorized: ["never", new SwapError.Unauthorized(said)],
  RateLimited: ["later", new SwapError.RateLimited(said)],
  NoRoute: ["never", new SwapError.NoRoute(said)],
  InsufficientBalance: ["never", new SwapError.InsufficientBalance({ ...said, has: 1n, needs: 2n })],
  AmountTooSmall: ["never", new SwapError.AmountTooSmall({ ...said, minimum: 2n })],
  AmountTooLarge: ["never", new SwapError.AmountTooLarge({ ...said, maximum: 1n })],
  Rejected: ["never", new SwapError.Rejected({ ...said, status: 400 })],
  Unavailable: ["later", new SwapError.Unavailable({ ...said, reason: "network" })],
  ProtocolError: ["never", new SwapError.ProtocolError({ ...said, endpoint: "quote", field: "" })],
  InvalidInput: ["never", new SwapError.InvalidInput({ ...said, field: "amount" })],
  OutcomeUnknown: ["resume", new SwapError.OutcomeUnknown({ ...said, flowId: "f" })],
  UnfinishedSwap: ["resume", new SwapError.UnfinishedSwap({ ...said, flowId: "f" })],
  SignerError: ["never", new SwapError.SignerError({ ...said, reason: "rejected" })],
  PolicyViolation: ["never", new SwapError.PolicyViolation({ ...said, rule: "r", expected: "e", found: "f" })],
  UnsafeOperation: ["never", new SwapError.UnsafeOperation({ ...said, field: "f", expected: "e", found: "f" })],
  QuoteMoved: ["requote", new SwapError.QuoteMoved({ ...said, accepted: 2n, offered: 1n })],
  Declined: ["never", new SwapError.Declined({ ...said, what: "quote" })],
  WaitTimeout: ["resume", new SwapError.WaitTimeout({ ...said, swapId: "s", status: "pending" })],
  StoreError: ["now", new SwapError.StoreError(said)],
  IdempotencyConflict: ["never", new SwapError.IdempotencyConflict({ ...said, key: "k" })],
  ReaderError: ["later", new SwapError.ReaderError(said)]
} satisfies { readonly [Tag in SwapError.SwapError["_tag"]]: readonly [SwapError.Retry, SwapError.SwapError] }

const entries = Object.entries(classes).map(([tag, [retry, error]]) => ({ tag, retry, error }))

/** The sections of docs/errors.md on single errors, by anchor. */
const sections = new Map(
  readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8")
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = ""] = section.split("\n")
      return [heading.toLowerCase().replaceAll(" ", "-"), section]
    })
)

describe("every error", () => {
  it.each(entries)("$tag has its tag, a message, and the retry hint $retry", ({ tag, retry, error }) => {
    expect(error).toMatchObject({ _tag: tag, name: tag, retry, message: said.message })
    expect(error).toBeInstanceOf(Error)
    expect("code" in error || "requestId" in error).toBe(false)
  })

  it.each(entries)("$tag prints its class, message, fields, docs path and stack", ({ error, retry, tag }) => {
    const [first, second, ...rest] = inspect(error).split("\n")
    expect(first).toBe(`${tag}: ${said.message}`)
    expect(second).toMatch(/^ +at /)
    expect(rest.join("\n")).toContain(`retry: '${retry}'`)
    expect(rest.join("\n")).toContain(`docs: '${error.docs}'`)
  })

  it.each(entries)("$tag is recognized by isSwapError", ({ error }) => {
    expect(SwapError.isSwapError(error)).toBe(true)
  })

  it.each(entries)("$tag keeps its retry hint and message as JSON", ({ error, retry }) => {
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ _tag: error._tag, retry, message: said.message })
  })

  it("has its amounts as strings in JSON", () => {
    const { AmountTooLarge, AmountTooSmall, InsufficientBalance, QuoteMoved } = classes
    expect(
      [QuoteMoved, InsufficientBalance, AmountTooSmall, AmountTooLarge].map(([, error]) => error.toJSON())
    ).toEqual([
      { _tag: "QuoteMoved", ...said, retry: "requote", accepted: "2", offered: "1" },
      { _tag: "InsufficientBalance", ...said, retry: "never", has: "1", needs: "2" },
      { _tag: "AmountTooSmall", ...said, retry: "never", minimum: "2" },
      { _tag: "AmountTooLarge", ...said, retry: "never", maximum: "1" }
    ])
  })

  it.each(entries)("$tag names its section in the documentation, which starts with the tag", ({ error, tag }) => {
    const [path, anchor = ""] = error.docs.split("#")
    expect(path).toBe("docs/errors")
    expect(sections.get(anchor)?.split("\n\n")[1]).toMatch(new RegExp(`^\`${tag}\`: `))
  })

  it("has its own section in the documentation, and no section describes anything else", () => {
    const anchors = entries.map(({ error }) => error.docs.replace("docs/errors#", ""))
    expect([...sections.keys()].toSorted()).toEqual(anchors.toSorted())
  })

  it.effect.each(entries)("$tag can be yielded to fail an effect", ({ error }) =>
    Effect.gen(function* () {
      const failing: Effect.Effect<never, SwapError.SwapError> = Effect.gen(function* () {
        return yield* error
      })
      const caught = yield* Effect.flip(failing)
      expect(caught).toBe(error)
    })
  )
})

/** A property: any error of the class survives its schema with every field. */
const survives = <E extends SwapError.SwapError, I>(schema: Schema.Codec<E, I>, tag: E["_tag"]) =>
  it.effect.prop(`any ${tag} survives encoding and decoding`, [schema], ([error]) =>
    Effect.gen(function* () {
      const wire = yield* Schema.encodeEffect(schema)(error)
      expect(wire).toMatchObject({ _tag: tag, message: error.message })
      const back = yield* Schema.decodeUnknownEffect(schema)(wire)
      expect(back).toBeInstanceOf(Error)
      expect(back.retry).toBe(error.retry)
      // Not `toStrictEqual`: the generated `failure` has no prototype.
      expect(Object.keys(back).toSorted()).toEqual(Object.keys(error).toSorted())
      expect(Object.fromEntries(Object.entries(back))).toEqual(Object.fromEntries(Object.entries(error)))
      expect(back.message).toBe(error.message)
    })
  )

/** The same for JSON, for classes with only JSON values. */
const survivesAsText = <E extends SwapError.SwapError, I>(schema: Schema.Codec<E, I>, tag: E["_tag"]) => {
  const Json = Schema.toCodecJson(schema)
  return it.effect.prop(`any ${tag} survives encoding and decoding as JSON`, [schema], ([error]) =>
    Effect.gen(function* () {
      const text = JSON.stringify(yield* Schema.encodeEffect(Json)(error))
      const back = yield* Schema.decodeUnknownEffect(Json)(JSON.parse(text))
      expect(JSON.stringify(yield* Schema.encodeEffect(Json)(back))).toBe(text)
      expect(back.message).toBe(error.message)
    })
  )
}

describe("the schema of an error", () => {
  survives(SwapError.NeedsDelegation, "NeedsDelegation")
  survives(SwapError.Expired, "Expired")
  survives(SwapError.InvalidAuthorization, "InvalidAuthorization")
  survives(SwapError.Unsupported, "Unsupported")
  survives(SwapError.SwapInProgress, "SwapInProgress")
  survives(SwapError.InvalidToken, "InvalidToken")
  survives(SwapError.Unauthorized, "Unauthorized")
  survives(SwapError.RateLimited, "RateLimited")
  survives(SwapError.NoRoute, "NoRoute")
  survives(SwapError.InsufficientBalance, "InsufficientBalance")
  survives(SwapError.AmountTooSmall, "AmountTooSmall")
  survives(SwapError.AmountTooLarge, "AmountTooLarge")
  survives(SwapError.Rejected, "Rejected")
  survives(SwapError.Unavailable, "Unavailable")
  survives(SwapError.ProtocolError, "ProtocolError")
  survives(SwapError.InvalidInput, "InvalidInput")
  survives(SwapError.OutcomeUnknown, "OutcomeUnknown")
  survives(SwapError.UnfinishedSwap, "UnfinishedSwap")
  survives(SwapError.SignerError, "SignerError")
  survives(SwapError.PolicyViolation, "PolicyViolation")
  survives(SwapError.UnsafeOperation, "UnsafeOperation")
  survives(SwapError.QuoteMoved, "QuoteMoved")
  survives(SwapError.Declined, "Declined")
  survives(SwapError.WaitTimeout, "WaitTimeout")
  survives(SwapError.StoreError, "StoreError")
  survives(SwapError.IdempotencyConflict, "IdempotencyConflict")
  survives(SwapError.ReaderError, "ReaderError")
  survivesAsText(SwapError.Expired, "Expired")
  survivesAsText(SwapError.RateLimited, "RateLimited")
  survivesAsText(SwapError.QuoteMoved, "QuoteMoved")
  survivesAsText(SwapError.WaitTimeout, "WaitTimeout")
})

describe("isSwapError", () => {
  it.each([
    ["a plain error", new Error("x")],
    ["an error with only a tag", Object.assign(new Error("x"), { _tag: "Expired" })],
    ["an error with a retry hint that is not a string", Object.assign(new Error("x"), { _tag: "Expired", retry: 1 })],
    ["a plain object with the same fields", { _tag: "Expired", retry: "requote", message: "x" }],
    ["a text", "Expired"],
    ["null", null],
    ["nothing", undefined]
  ])("rejects %s", (_, value) => {
    expect(SwapError.isSwapError(value)).toBe(false)
  })

  it("recognizes an error of another copy of this package", () => {
    const foreign = Object.assign(new Error("x"), { _tag: "Expired", retry: "requote" })
    expect(SwapError.isSwapError(foreign)).toBe(true)
  })
})
