import { SwapError } from "@geoswap/core"
import { expect, test } from "vitest"
import { type ErrorDescription, describeError } from "../../src/format/describeError.js"

const said = { message: "what the error says" }

/** One of each kind; what the page tells about some depends on more than the kind. */
const errors: Readonly<Record<SwapError.SwapError["_tag"], ReadonlyArray<SwapError.SwapError>>> = {
  NeedsDelegation: [new SwapError.NeedsDelegation(said)],
  Expired: [new SwapError.Expired({ ...said, what: "quote" }), new SwapError.Expired({ ...said, what: "operation" })],
  InvalidAuthorization: [new SwapError.InvalidAuthorization(said)],
  Unsupported: [new SwapError.Unsupported(said)],
  InvalidToken: [new SwapError.InvalidToken(said)],
  Unauthorized: [new SwapError.Unauthorized(said)],
  RateLimited: [new SwapError.RateLimited({ ...said, retryAfter: 2_500 }), new SwapError.RateLimited(said)],
  Rejected: ["NO_ROUTE", "NEEDS_LARGER_SIZE", "INSUFFICIENT_BALANCE", "SLIPPAGE", "SOMETHING_NEW"].map(
    (code) => new SwapError.Rejected({ ...said, code, status: 422 })
  ),
  Unavailable: [new SwapError.Unavailable({ ...said, reason: "network" })],
  ProtocolError: [new SwapError.ProtocolError({ ...said, endpoint: "quote", field: "output" })],
  InvalidInput: [new SwapError.InvalidInput({ ...said, field: "amount" })],
  OutcomeUnknown: [new SwapError.OutcomeUnknown({ ...said, flowId: "flow-1" })],
  SignerError: (["missing", "incapable", "rejected", "failed", "invalid"] as const).map(
    (reason) => new SwapError.SignerError({ ...said, reason })
  ),
  PolicyViolation: ["onHighImpact", "maxFeeBps"].map(
    (rule) => new SwapError.PolicyViolation({ ...said, rule, expected: "less", found: "more" })
  ),
  UnsafeOperation: [new SwapError.UnsafeOperation({ ...said, field: "vault", expected: "0x1", found: "0x2" })],
  QuoteMoved: [new SwapError.QuoteMoved({ ...said, accepted: 2n, offered: 1n })],
  Declined: (["quote", "delegation"] as const).map((what) => new SwapError.Declined({ ...said, what })),
  WaitTimeout: [new SwapError.WaitTimeout({ ...said, swapId: "swap-1", status: "pending", flowId: "flow-2" })],
  JournalError: [new SwapError.JournalError(said)],
  LedgerError: [new SwapError.LedgerError(said)],
  IdempotencyConflict: [new SwapError.IdempotencyConflict({ ...said, key: "key-1" })],
  ReaderError: [new SwapError.ReaderError(said)]
}

const all = Object.values(errors).flat()

const tellOf = (error: SwapError.SwapError): ErrorDescription => describeError(error, "Foxglove")

test.for(all.map((error) => [error._tag, error] as const))("%s is told in sentences of its own", ([tag, error]) => {
  const { detail, text, title } = tellOf(error)
  expect(title).toMatch(/^[A-Z].+\.$/)
  expect(text).toMatch(/^[A-Z“].+[.]$/)
  // The error's own words are for whoever opens them.
  expect(`${title} ${text}`).not.toContain(said.message)
  expect(detail).toBe(`${tag}: ${said.message}`)
})

test("no two different things are told in the same words", () => {
  const same = [errors.NeedsDelegation, errors.InvalidAuthorization].flat()
  const titles = all
    .filter((error) => !same.includes(error))
    .map((error) => `${tellOf(error).title} ${tellOf(error).text}`)
  expect(new Set(titles).size).toBe(titles.length)
})

test("only something that was never agreed to is a danger, and is not to be tried again", () => {
  expect(all.filter((error) => tellOf(error).tone === "danger").map(({ _tag }) => _tag)).toEqual(["UnsafeOperation"])
  expect(errors.UnsafeOperation.map((error) => tellOf(error).text).join()).toMatch(
    /Nothing was signed.*Do not try again/
  )
})

test("somebody who said no is not reproached", () => {
  expect(describeError(new SwapError.SignerError({ ...said, reason: "rejected" }))).toMatchObject({
    title: "You said no. Nothing was signed.",
    tone: "calm"
  })
})

test("the wallet is called by its name", () => {
  expect(tellOf(new SwapError.SignerError({ ...said, reason: "incapable" })).title).toContain("Foxglove cannot sign")
})

test("a wait is told in whole seconds", () => {
  expect(errors.RateLimited.map((error) => tellOf(error).text)).toEqual([
    expect.stringContaining("3 s"),
    expect.stringContaining("a moment")
  ])
})

test("what may have been accepted is never to be swapped again, and can be taken up", () => {
  const [unknown] = errors.OutcomeUnknown
  expect(describeError(unknown).text).toContain("Do not swap again")
  expect(errors.WaitTimeout.map((error) => describeError(error).text)).toEqual([
    expect.stringContaining("Do not swap again")
  ])
  const open = all.filter(({ retry }) => retry === "resume")
  expect(open.map(({ _tag }) => _tag)).toEqual(["OutcomeUnknown", "WaitTimeout"])
})

test.for([[new Error("odd")], ["odd"]])("what is no error of ours is told as the page's own: %s", ([thrown]) => {
  expect(describeError(thrown)).toMatchObject({ title: "Something went wrong in this page.", detail: "odd" })
})
