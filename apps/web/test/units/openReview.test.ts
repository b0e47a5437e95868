import { expect, test } from "vitest"
import { closedMessage, isSameRequest } from "../../src/review/openReview.js"

const request = {
  originChain: 1,
  destinationChain: 2,
  inputToken: "0x1",
  outputToken: "0x2",
  amount: 100n,
  walletAddress: "0x3"
}

test("isSameRequest compares requests by value", () => {
  const { amount, ...rest } = request
  expect(isSameRequest(request, { amount, ...rest })).toBe(true)
  expect(isSameRequest(request, undefined)).toBe(false)
})

test.for([
  { originChain: 3 },
  { destinationChain: 3 },
  { inputToken: "0x9" },
  { outputToken: "0x9" },
  { amount: 101n },
  { walletAddress: "0x9" },
  { recipient: "0x9" },
  { slippageBps: 50 }
])("isSameRequest is false with a different field: %o", (change) => {
  expect(isSameRequest(request, { ...request, ...change })).toBe(false)
})

test("closedMessage says what changed", () => {
  const wallet = "The wallet changed, so the review was closed. Review the swap again."
  expect(closedMessage(request, { wallet: "0x9", recipient: "0x9" })).toBe(wallet)
  expect(closedMessage(request, { wallet: "0x3", recipient: "0x9" })).toBe(wallet)
  expect(closedMessage({ ...request, recipient: "0x4" }, { wallet: "0x3", recipient: undefined })).toBe(wallet)
  expect(closedMessage(request, { wallet: "0x3", recipient: "0x3" })).toMatch(/^The swap changed/)
  expect(closedMessage({ ...request, recipient: "0x4" }, { wallet: "0x3", recipient: "0x4" })).toMatch(
    /^The swap changed/
  )
})
