import { SwapError } from "@geoswap/core"
import type { SwapEvent } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { describeError } from "../../src/format/describeError.js"
import { describeSigned } from "../../src/format/describeSigned.js"

const fields = { message: "the original message" }
const rejected = new SwapError.SignerError({ ...fields, reason: "rejected" })
const unsafe = new SwapError.UnsafeOperation({ ...fields, field: "vault", expected: "0x1", found: "0x2" })
const unstored = new SwapError.StoreError(fields)
const unavailable = new SwapError.Unavailable({ ...fields, reason: "network" })
const loss = new SwapError.PolicyViolation({ ...fields, rule: "onHighCost", expected: "yes", found: "no" })

const onlyDelegation = "Only the delegation was signed. Nothing was paid."

/** Events of these types. */
const events = (...types: ReadonlyArray<SwapEvent["type"]>) =>
  types.map((type, at) => ({ event: { type } as SwapEvent, at }))

/** Describes an error of a swap with these events. */
const description = (error: unknown, ...types: ReadonlyArray<SwapEvent["type"]>): string => {
  const { text, title } = describeError(error, "Foxglove", { events: events(...types), resumable: undefined })
  return `${title} ${text}`
}

test("an error before any signature says that nothing was signed", () => {
  expect(description(rejected, "quoted", "built", "verified")).toContain("Cancelled. Nothing was signed.")
  expect(description(unsafe, "quoted", "built")).toContain("Nothing was signed.")
})

test.for([
  ["a rejected operation", rejected],
  ["an unsafe operation", unsafe],
  ["a declined loss", loss],
  ["a policy violation", new SwapError.PolicyViolation({ ...fields, rule: "maxFeeBps", expected: "1", found: "2" })],
  ["a failed wallet", new SwapError.SignerError({ ...fields, reason: "failed" })],
  ["an invalid signature", new SwapError.SignerError({ ...fields, reason: "invalid" })]
] as const)("%s after a delegation says that the delegation was signed", ([, error]) => {
  const text = description(error, "quoted", "authorizing", "built", "verified")
  expect(text).toContain(onlyDelegation)
  expect(text).not.toMatch(/Nothing was (signed|sent)/)
})

test("rejecting the delegation means nothing was signed, unless it was a second one", () => {
  expect(description(rejected, "quoted", "authorizing")).toContain("Nothing was signed.")
  expect(description(rejected, "quoted", "authorizing", "authorizing")).toContain(onlyDelegation)
  // The delegation was signed for a quote that then expired.
  expect(description(loss, "quoted", "authorizing")).toContain(onlyDelegation)
})

test("after a signed operation, an error says only that nothing was paid", () => {
  expect(description(loss, "quoted", "authorizing", "built", "signed")).toContain(
    "You did not accept the loss. Nothing was paid."
  )
})

test("a cancelled swap says what may have been signed", () => {
  const nothing = "Nothing was sent or paid."
  expect(describeSigned(events("quoted", "built"), undefined, nothing)).toBe(nothing)
  expect(describeSigned(events("quoted", "authorizing", "built"), undefined, nothing)).toBe(onlyDelegation)
  expect(describeSigned(events("quoted", "authorizing"), undefined, nothing)).toBe(
    "The delegation may have been signed. Nothing was paid."
  )
})

test("an unavailable service is retried automatically in the form, not in a failed swap", () => {
  expect(describeError(unavailable).text).toContain("retries automatically")
  expect(description(unavailable, "quoted")).toContain("Nothing was paid.")
  expect(description(unavailable, "quoted")).not.toContain("automatically")
})

test("an unreadable store does not say that nothing was submitted if the swap can be resumed", () => {
  expect(description(unstored, "quoted", "signed")).toContain("Nothing was submitted.")
  const { text, title } = describeError(unstored, "Foxglove", { events: [], resumable: "flow-1" })
  expect(`${title} ${text}`).toContain("This does not stop the swap.")
  expect(`${title} ${text}`).not.toContain("Nothing was submitted")
})

test("a rejected payment after a permit does not say that nothing was signed", () => {
  const verified = { type: "verified", checked: true, payment: { signatures: 2 } } as SwapEvent
  const { title } = describeError(rejected, "Foxglove", { events: [{ event: verified, at: 0 }], resumable: undefined })
  expect(title).toBe("Cancelled. No payment was signed. If you signed the permit, this page has discarded it.")
  const once = { type: "verified", checked: true, payment: { signatures: 1 } } as SwapEvent
  expect(describeSigned([{ event: once, at: 0 }], rejected)).toBe("Nothing was signed.")
})
