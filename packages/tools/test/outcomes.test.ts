/** What tools say about a swap's end, and what they sign after it, if the service lies once it has the signature. */
import { createClient, type PromiseTransport } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing/promise"
import { describe, expect, it } from "vitest"
import { createTools, fromClient } from "../src/index.js"
import { errorOf, makeKit, network, swapOf } from "./fixture.js"

/** A service that never ends a swap, and says that it has ended. */
const lyingKit = (status: "failed" | "refunded" | "settled", more: object = {}) => {
  const kit = makeKit()
  kit.service.ends("never")
  kit.service.always(
    "status",
    Fault.alter((answer) => ({ ...answer, status, ...more }))
  )
  return kit
}

/** What a caller does that follows every text: swaps again with a new key if that is suggested. */
const suggestsNewKey = /new idempotencyKey/

describe.each(["failed", "refunded"] as const)("a swap that the service calls %s, but that may still pay", (status) => {
  it("is never a reason to swap again", async () => {
    const { call, order, service } = lyingKit(status)
    const first = await call("execute_swap", { ...order, idempotencyKey: "one", waitSeconds: 60 })
    const swapId = (swapOf(first) ?? errorOf(first))?.["swapId"]
    // The wallet's own node shows that a swap that is called failed was executed.
    const isKnownToBeWrong = status === "failed"
    expect(errorOf(first)?.["code"]).toBe(isKnownToBeWrong ? "OUTCOME_UNKNOWN" : undefined)
    const texts = isKnownToBeWrong ? [] : [first]
    for (const name of ["get_swap", "wait_for_swap"]) texts.push(await call(name, { swapId }))
    for (const { structured, text } of texts) {
      expect(`${text} ${String(structured["nextStep"])}`).not.toMatch(suggestsNewKey)
      expect(structured["swap"]).toMatchObject({ status, evidence: "claimed" })
      expect(text).toMatch(/^The service says that/)
      expect(structured["nextStep"]).toMatch(/resume_swap/)
    }
    for (const idempotencyKey of ["two", "three"]) {
      const again = errorOf(await call("execute_swap", { ...order, idempotencyKey }))
      expect(again).toMatchObject({ code: "UNFINISHED_SWAP", swapId })
    }
    expect(service.seen("submit")).toHaveLength(1)
  })
})

it("a swap that the service accepted and then denies is left to a person", async () => {
  const { call, order, service } = makeKit()
  service.always("status", Fault.refuse(404, "SWAP_NOT_FOUND"))
  const first = errorOf(await call("execute_swap", { ...order, idempotencyKey: "one", waitSeconds: 60 }))
  expect(first).toMatchObject({ code: "OUTCOME_UNKNOWN", swapId: service.swaps[0]?.swapId })
  const resumed = errorOf(await call("resume_swap", { id: first?.["flowId"], waitSeconds: 60 }))
  for (const error of [first, resumed]) {
    expect(error?.["message"]).toMatch(/has no record of it now/)
    expect(error?.["nextStep"]).toMatch(/^Do not start the swap again.*close the swap by hand/)
  }
  expect(service.seen("submit")).toHaveLength(1)
})

it("a proved end is a fact, and allows another attempt", async () => {
  const { call, order, service } = makeKit()
  service.ends("refunded", 1_000)
  const first = await call("execute_swap", { ...order, idempotencyKey: "one" })
  expect(swapOf(first)).toMatchObject({ status: "refunded", evidence: "proved" })
  expect(first.structured["nextStep"]).toMatch(suggestsNewKey)
  // What was proved stays, whatever the service says later.
  service.always(
    "status",
    Fault.alter((answer) => ({ ...answer, status: "settled" }))
  )
  const later = await call("get_swap", { swapId: swapOf(first)?.["swapId"] })
  expect(swapOf(later)).toMatchObject({ status: "refunded", evidence: "proved" })
  service.ends("settled", 1_000)
  service.always("status", Fault.pass)
  const second = await call("execute_swap", { ...order, idempotencyKey: "two" })
  expect(swapOf(second)).toMatchObject({ status: "settled", evidence: "proved" })
})

it("a refusal that is a lie gets no second signature", async () => {
  const { call, order, service } = makeKit()
  service.always("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
  const codes = []
  for (const idempotencyKey of ["one", "two", "three"]) {
    codes.push(errorOf(await call("execute_swap", { ...order, idempotencyKey }))?.["code"])
  }
  expect(codes).toEqual(["OUTCOME_UNKNOWN", "UNFINISHED_SWAP", "UNFINISHED_SWAP"])
  expect(service.seen("submit")).toHaveLength(1)
})

it("a delivery that is only claimed is not called one, and its amount is the claimed one", async () => {
  const { call, order } = lyingKit("settled", { output: undefined })
  const result = await call("execute_swap", order)
  expect(swapOf(result)).toMatchObject({ status: "settled", evidence: "claimed" })
  expect(result.text).toMatch(/have not confirmed the delivery/)
  expect(result.text).not.toMatch(/delivered: /)
})

it("nothing is signed if the wallet's own nodes could not prove the outcome, unless the policy accepts that", async () => {
  const { call, order, service } = makeKit({}, { readers: undefined })
  expect(errorOf(await call("execute_swap", order))?.["code"]).toBe("NO_NODES")
  expect(service.requests).toEqual([])
  const accepting = makeKit({ acceptClaims: true }, { readers: undefined })
  expect(swapOf(await accepting.call("execute_swap", accepting.order))).toMatchObject({ evidence: "claimed" })
})

it("get_policy says what is left of the budgets that the client enforces", async () => {
  const { call, order } = makeKit({ maxSwapsPerHour: 4 })
  await call("execute_swap", { ...order, idempotencyKey: "one" })
  await call("execute_swap", { ...order, idempotencyKey: "two" })
  const { structured } = await call("get_policy")
  expect(structured["policies"]).toMatchObject([
    { family: "evm", budgets: [{ amount: "1000", spent: "20", left: "980" }], swapsLeftThisHour: 2 },
    { family: "solana" }
  ])
})

it("a call ends soon after its waitSeconds if the service does not answer", async () => {
  const { evm, order, service } = makeKit()
  const hanging: PromiseTransport = {
    ...service.transport,
    send: (request, options) =>
      request.endpoint === "submit" ? new Promise(() => undefined) : service.transport.send(request, options)
  }
  const client = createClient({
    network,
    transport: hanging,
    signers: { evm },
    policy: {
      allowedRecipients: [evm.address],
      budgets: [{ chainId: 8453, token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", amount: 1_000_000_000n }],
      acceptClaims: true
    }
  })
  const tools = createTools(fromClient(client))
  const execute = tools.find(({ name }) => name === "execute_swap")
  const began = performance.now()
  const result = await execute?.run({ ...order, waitSeconds: 1 })
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(result && errorOf(result)).toMatchObject({ code: "OUTCOME_UNKNOWN" })
})
