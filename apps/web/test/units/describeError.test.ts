import { SwapError } from "@geoswap/core"
import { expect, test } from "vitest"
import { type ErrorDescription, describeError } from "../../src/format/describeError.js"

const fields = { message: "the original message" }

/** One or more errors of each tag: some descriptions depend on more than the tag. */
const errors: Readonly<Record<SwapError.SwapError["_tag"], ReadonlyArray<SwapError.SwapError>>> = {
  NeedsDelegation: [new SwapError.NeedsDelegation(fields)],
  Expired: [
    new SwapError.Expired({ ...fields, what: "quote" }),
    new SwapError.Expired({ ...fields, what: "operation" })
  ],
  InvalidAuthorization: [new SwapError.InvalidAuthorization(fields)],
  Unsupported: [new SwapError.Unsupported(fields)],
  SwapInProgress: [new SwapError.SwapInProgress(fields)],
  InvalidToken: [new SwapError.InvalidToken(fields)],
  Unauthorized: [new SwapError.Unauthorized(fields)],
  RateLimited: [new SwapError.RateLimited({ ...fields, retryAfter: 2_500 }), new SwapError.RateLimited(fields)],
  NoRoute: [new SwapError.NoRoute(fields)],
  InsufficientBalance: [new SwapError.InsufficientBalance(fields)],
  AmountTooSmall: [new SwapError.AmountTooSmall(fields)],
  AmountTooLarge: [new SwapError.AmountTooLarge(fields)],
  Rejected: ["SLIPPAGE", "PAYMENT_METHOD_UNAVAILABLE", "SOMETHING_NEW"].map(
    (code) => new SwapError.Rejected({ ...fields, code, status: 422 })
  ),
  Unavailable: [new SwapError.Unavailable({ ...fields, reason: "network" })],
  ProtocolError: [new SwapError.ProtocolError({ ...fields, endpoint: "quote", field: "output" })],
  InvalidInput: [new SwapError.InvalidInput({ ...fields, field: "amount" })],
  OutcomeUnknown: [new SwapError.OutcomeUnknown({ ...fields, flowId: "flow-1" })],
  UnfinishedSwap: [new SwapError.UnfinishedSwap({ ...fields, flowId: "flow-1" })],
  SignerError: (["missing", "incapable", "rejected", "failed", "invalid"] as const).map(
    (reason) => new SwapError.SignerError({ ...fields, reason })
  ),
  PolicyViolation: ["onHighCost", "maxFeeBps"].map(
    (rule) => new SwapError.PolicyViolation({ ...fields, rule, expected: "less", found: "more" })
  ),
  UnsafeOperation: [new SwapError.UnsafeOperation({ ...fields, field: "vault", expected: "0x1", found: "0x2" })],
  QuoteMoved: [new SwapError.QuoteMoved({ ...fields, accepted: 2n, offered: 1n })],
  Declined: (["quote", "delegation"] as const).map((what) => new SwapError.Declined({ ...fields, what })),
  WaitTimeout: [new SwapError.WaitTimeout({ ...fields, swapId: "swap-1", status: "pending", flowId: "flow-2" })],
  StoreError: [new SwapError.StoreError(fields)],
  IdempotencyConflict: [new SwapError.IdempotencyConflict({ ...fields, key: "key-1" })],
  ReaderError: [new SwapError.ReaderError(fields)]
}

const all = Object.values(errors).flat()

const describe = (error: SwapError.SwapError): ErrorDescription => describeError(error, "Foxglove")

test.for(all.map((error) => [error._tag, error] as const))(
  "%s is described in full sentences, with the original message as details",
  ([tag, error]) => {
    const { detail, text, title } = describe(error)
    expect(title).toMatch(/^[A-Z].+\.$/)
    expect(text).toMatch(/^[A-Z“].+[.]$/)
    expect(`${title} ${text}`).not.toContain(fields.message)
    expect(detail).toBe(`${tag}: ${fields.message}`)
  }
)

test("different errors have different descriptions", () => {
  const same = [errors.NeedsDelegation, errors.InvalidAuthorization].flat()
  const titles = all
    .filter((error) => !same.includes(error))
    .map((error) => `${describe(error).title} ${describe(error).text}`)
  expect(new Set(titles).size).toBe(titles.length)
})

test("only an unsafe operation has the tone danger and must not be retried", () => {
  expect(all.filter((error) => describe(error).tone === "danger").map(({ _tag }) => _tag)).toEqual(["UnsafeOperation"])
  expect(errors.UnsafeOperation.map((error) => describe(error).text).join()).toMatch(
    /Nothing was signed.*Do not try again/
  )
})

test("a rejected signature has the tone calm", () => {
  expect(describeError(new SwapError.SignerError({ ...fields, reason: "rejected" }))).toMatchObject({
    title: "Cancelled. Nothing was signed.",
    tone: "calm"
  })
})

test("a signer error names the wallet", () => {
  expect(describe(new SwapError.SignerError({ ...fields, reason: "incapable" })).title).toContain(
    "Foxglove cannot sign"
  )
})

test("a rate limit shows the wait in whole seconds", () => {
  expect(errors.RateLimited.map((error) => describe(error).text)).toEqual([
    expect.stringContaining("3 s"),
    expect.stringContaining("a moment")
  ])
})

test("a swap that may have been accepted must be resumed, not repeated", () => {
  const [unknown] = errors.OutcomeUnknown
  expect(describeError(unknown).text).toContain("Do not swap again")
  expect(errors.WaitTimeout.map((error) => describeError(error).text)).toEqual([
    expect.stringContaining("Do not swap again")
  ])
  const open = all.filter(({ retry }) => retry === "resume")
  expect(open.map(({ _tag }) => _tag)).toEqual(["OutcomeUnknown", "UnfinishedSwap", "WaitTimeout"])
})

test.for([[new Error("odd")], ["odd"]])("an unknown error is described as an error of the page: %s", ([thrown]) => {
  expect(describeError(thrown)).toMatchObject({ title: "Something went wrong on this page.", detail: "odd" })
})

test.for([
  ["The wallet does not know the chain that the swap starts on.", "Foxglove does not know this network."],
  ["The wallet is connected to chain 1, but the swap starts on chain 8453.", "Foxglove is on another network."]
] as const)("a network that cannot be switched is explained: %s", ([message, title]) => {
  const error = new SwapError.SignerError({ reason: "failed", message })
  expect(describeError(error, "Foxglove")).toMatchObject({
    title,
    text: expect.stringMatching(/^Nothing was sent\. .* network in the wallet, then try again\.$/) as string
  })
})

test("the amounts in a refusal are shown in the input token, if they are known", () => {
  const usdc = { symbol: "USDC", decimals: 6 }
  const textOf = (error: SwapError.SwapError, token?: typeof usdc) =>
    describeError(error, undefined, undefined, token).text
  const small = new SwapError.AmountTooSmall({ ...fields, minimum: 1_250n })
  expect(textOf(small, usdc)).toBe("Enter at least 0.00125\u00a0USDC.")
  const large = new SwapError.AmountTooLarge({ ...fields, maximum: 0n })
  expect(textOf(large, usdc)).toBe("Enter at most 0\u00a0USDC.")
  const poor = new SwapError.InsufficientBalance({ ...fields, has: 3_000_000n, needs: 10_000_000n })
  expect(textOf(poor, usdc)).toMatch(/^The wallet has 3\u00a0USDC, and the swap needs 10\u00a0USDC\. Lower the amount/)
  for (const error of [small, large, poor]) expect(textOf(error)).not.toMatch(/\d/)
  for (const error of [errors.InsufficientBalance, errors.AmountTooSmall, errors.AmountTooLarge].flat()) {
    expect(textOf(error, usdc)).not.toMatch(/\d/)
  }
})
