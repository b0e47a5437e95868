import { SwapError } from "@geoswap/core"
import type { SwapEvent } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { describeError } from "../../src/format/describeError.js"
import { describeSigned } from "../../src/format/describeSigned.js"

const said = { message: "what the error says" }
const rejected = new SwapError.SignerError({ ...said, reason: "rejected" })
const unsafe = new SwapError.UnsafeOperation({ ...said, field: "vault", expected: "0x1", found: "0x2" })
const journal = new SwapError.JournalError(said)
const unavailable = new SwapError.Unavailable({ ...said, reason: "network" })
const loss = new SwapError.PolicyViolation({ ...said, rule: "onHighImpact", expected: "yes", found: "no" })

const onlyDelegation = "Only the delegation was signed; nothing was paid."

/** Events of which only the kind matters here. */
const events = (...types: ReadonlyArray<SwapEvent["type"]>) =>
  types.map((type, at) => ({ event: { type } as SwapEvent, at }))

/** What is told of a swap that had come so far. */
const told = (error: unknown, ...types: ReadonlyArray<SwapEvent["type"]>): string => {
  const { text, title } = describeError(error, "Foxglove", { events: events(...types), resumable: undefined })
  return `${title} ${text}`
}

test("an error before any signature says that nothing was signed", () => {
  expect(told(rejected, "quoted", "built", "verified")).toContain("You said no. Nothing was signed.")
  expect(told(unsafe, "quoted", "built")).toContain("Nothing was signed.")
})

test.for([
  ["a refusal of the operation", rejected],
  ["an operation that is not what was agreed", unsafe],
  ["a loss that is not accepted", loss],
  ["a rule of the page", new SwapError.PolicyViolation({ ...said, rule: "maxFeeBps", expected: "1", found: "2" })],
  ["a wallet that fails", new SwapError.SignerError({ ...said, reason: "failed" })],
  ["a wallet that signs something else", new SwapError.SignerError({ ...said, reason: "invalid" })]
] as const)("%s after a delegation says that the delegation was signed", ([, error]) => {
  const words = told(error, "quoted", "authorizing", "built", "verified")
  expect(words).toContain(onlyDelegation)
  expect(words).not.toMatch(/Nothing was (signed|sent)/)
})

test("whoever refuses the delegation itself has signed nothing, unless it was a second one", () => {
  expect(told(rejected, "quoted", "authorizing")).toContain("Nothing was signed.")
  expect(told(rejected, "quoted", "authorizing", "authorizing")).toContain(onlyDelegation)
  // The delegation went out with a price that ran out meanwhile.
  expect(told(loss, "quoted", "authorizing")).toContain(onlyDelegation)
})

test("after an operation that the service did not take, it is only said that nothing was paid", () => {
  expect(told(loss, "quoted", "authorizing", "built", "signed")).toContain(
    "You did not accept the loss. Nothing was paid."
  )
})

test("a swap that was cancelled says what may have been signed", () => {
  const nothing = "Nothing was sent, and nothing is paid."
  expect(describeSigned(events("quoted", "built"), undefined, nothing)).toBe(nothing)
  expect(describeSigned(events("quoted", "authorizing", "built"), undefined, nothing)).toBe(onlyDelegation)
  expect(describeSigned(events("quoted", "authorizing"), undefined, nothing)).toBe(
    "At most the delegation was signed; nothing was paid."
  )
})

test("a service that is away goes on by itself in the form, and not in a swap that has failed", () => {
  expect(describeError(unavailable).text).toContain("goes on by itself")
  expect(told(unavailable, "quoted")).toContain("Nothing was paid.")
  expect(told(unavailable, "quoted")).not.toContain("by itself")
})

test("a journal that cannot be read says nothing of a swap that left before", () => {
  expect(told(journal, "quoted", "signed")).toContain("Nothing was submitted.")
  const { text, title } = describeError(journal, "Foxglove", { events: [], resumable: "flow-1" })
  expect(`${title} ${text}`).toContain("That does not stop the swap.")
  expect(`${title} ${text}`).not.toContain("Nothing was submitted")
})
