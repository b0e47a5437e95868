import { describe, expect, it } from "@effect/vitest"
import type { Swap, SwapEvent } from "../../src/index.js"
import { SwapProgress } from "../../src/index.js"

const { signedSoFar, steps, typicalDuration } = SwapProgress

/** Events with only the fields that the steps depend on. */
const event = (type: SwapEvent.SwapEvent["type"], fields: object = {}) => ({ type, ...fields }) as SwapEvent.SwapEvent

const [quoted, requoted, authorizing, built, resubmitted] = [
  event("quoted"),
  event("requoted", { count: 1 }),
  event("authorizing"),
  event("built"),
  event("resubmitted", { flowId: "f" })
]
const verified = event("verified", { checked: true })
const signed = event("signed", { flowId: "f" })
const status = (fields: Partial<Swap.Swap> = {}) =>
  event("status", { swap: { swapId: "s", status: "pending", ...fields } })
const submitted = event("submitted", { flowId: "f", swap: { swapId: "s", status: "pending" } })
const ready = [quoted, built, verified, signed]
const sent = [...ready, submitted]

const states = (events: ReadonlyArray<SwapEvent.SwapEvent>, options?: SwapProgress.Options) =>
  steps(events, options)
    .map(({ state }) => state[0])
    .join("")

/** Shows the states of all steps by their first letters, and the name of the last step. */
const lastOf = (events: ReadonlyArray<SwapEvent.SwapEvent>) => steps(events).at(-1)?.name

describe("the steps of a swap", () => {
  it("follow its events until the service has accepted the swap", () => {
    expect(states([])).toBe("rwwwwwww")
    expect(states([quoted])).toBe("dwrwwwww")
    expect(states([quoted, built])).toBe("dsdrwwww")
    expect(states([quoted, built, verified])).toBe("dsddrwww")
    expect(states(ready)).toBe("dsdddrww")
    expect(states([...ready, resubmitted])).toBe("dsdddrww")
    expect(states(sent)).toBe("dsddddrw")
  })

  it("include a delegation if the wallet is asked for one, or is known to need one", () => {
    expect(states([quoted], { delegates: true })).toBe("drwwwwww")
    expect(states([quoted, authorizing])).toBe("drwwwwww")
    expect(states([quoted, authorizing, built], { delegates: true })).toBe("dddrwwww")
    expect(states([quoted, authorizing, requoted], { delegates: true })).toBe("ddrwwwww")
  })

  it("start over at the build after a new quote", () => {
    expect(states([...ready, requoted])).toBe("dsrwwwww")
    expect(states([...ready, requoted, built])).toBe("dsdrwwww")
  })

  it("do not say that an operation was verified if nothing could be checked", () => {
    expect(states([quoted, built, event("verified", { checked: false })])).toBe("dsdsrwww")
  })

  it("do not say that this call made the steps of an earlier call", () => {
    expect(states([], { first: "submit" })).toBe("sssssrww")
    expect(states([resubmitted], { first: "submit" })).toBe("sssssrww")
    expect(states([submitted], { first: "submit" })).toBe("sssssdrw")
    expect(states([], { first: "payment" })).toBe("ssssssrw")
    expect(states([status()], { first: "payment" })).toBe("ssssssrw")
    expect(states([submitted])).toBe("sssssdrw")
  })

  it("follow the latest status once the service has accepted the swap", () => {
    const after = (fields: Partial<Swap.Swap>) => [...sent, status(fields)]
    expect(states(after({ originTxHash: "0x1" }))).toBe("dsdddddr")
    expect(states(after({ status: "settled" }))).toBe("dsdddddd")
    expect(states(after({ status: "failed" }))).toBe("dsddddfw")
    expect(states(after({ refundTxHash: "0x3" }))).toBe("dsdddddfr")
    expect(states(after({ status: "refunded" }))).toBe("dsdddddfd")
    expect([lastOf(after({ status: "settled" })), lastOf(after({ status: "refunded" }))]).toEqual([
      "delivery",
      "refund"
    ])
    expect(states([...after({ originTxHash: "0x1" }), status({ status: "failed" })])).toBe("dsddddfw")
  })

  it("have the hashes of their transactions", () => {
    const hashes = { originTxHash: "0x1", deliveryTxHash: "0x2", refundTxHash: "0x3" }
    expect(
      steps([...sent, status({ status: "refunded", ...hashes })]).map(({ name, txHash }) => [name, txHash])
    ).toEqual([
      ...(["quote", "delegation", "build", "verify", "sign", "submit"] as const).map((name) => [name, undefined]),
      ["payment", "0x1"],
      ["delivery", "0x2"],
      ["refund", "0x3"]
    ])
  })

  it("end with the step that was running if the call stops", () => {
    expect(states(ready, { stopped: "unknown" })).toBe("dsddduww")
    expect(states([quoted, built], { stopped: "failed" })).toBe("dsdfwwww")
    expect(states([...sent, status({ status: "settled" })], { stopped: "failed" })).toBe("dsdddddd")
  })
})

describe("what has been signed so far", () => {
  it("is nothing before the wallet is asked", () => {
    const nothing = { delegation: "none", permit: false, swap: "none", flowId: undefined, swapId: undefined }
    for (const events of [[], [quoted], [quoted, built], [quoted, built, verified]]) {
      expect(signedSoFar(events)).toEqual(nothing)
    }
  })

  it("includes a delegation that the wallet may have signed", () => {
    expect(signedSoFar([quoted, authorizing]).delegation).toBe("asked")
    expect(signedSoFar([quoted, authorizing, built]).delegation).toBe("signed")
    expect(signedSoFar([quoted, authorizing, authorizing]).delegation).toBe("signed")
  })

  it("includes a permit that the wallet may have signed before a payment", () => {
    const prompt = (signatures: 1 | 2) => event("verified", { checked: true, payment: { signatures } })
    expect(signedSoFar([quoted, built, prompt(2)]).permit).toBe(true)
    expect(signedSoFar([quoted, built, prompt(2), signed]).permit).toBe(false)
    expect(signedSoFar([quoted, built, prompt(1)]).permit).toBe(false)
  })

  it("is a signature that the service may have, until the service has accepted the swap", () => {
    expect(signedSoFar(ready)).toMatchObject({ swap: "signed", flowId: "f", swapId: undefined })
    expect(signedSoFar([...ready, requoted])).toMatchObject({ swap: "signed" })
    expect(signedSoFar([resubmitted])).toMatchObject({ swap: "signed", flowId: "f" })
    expect(signedSoFar(sent)).toMatchObject({ swap: "accepted", flowId: "f", swapId: "s" })
    expect(signedSoFar([status()])).toMatchObject({ swap: "accepted", flowId: undefined, swapId: "s" })
  })
})

describe("the typical duration", () => {
  it("is the median of the latest nine swaps", () => {
    expect(typicalDuration([])).toBeUndefined()
    expect(typicalDuration([7])).toBe(7)
    expect(typicalDuration([30, 10, 20])).toBe(20)
    expect(typicalDuration([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 100, 100, 100])).toBe(5)
  })
})
