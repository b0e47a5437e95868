import { expect, test } from "vitest"
import { type Entry, parseEntries } from "../../src/activity/activityStore.js"

const leg = { chainId: 1, chain: "here", symbol: "USDC", amount: "7" }
const entry: Entry = {
  id: "swap-1",
  status: "settled",
  trip: { from: leg, to: leg, recipient: "0x1" },
  wallet: "0x2",
  beganAt: 1_790_000_000_000,
  endedAt: 1_790_000_008_000
}

test.for([-8.64e15, 0, 1_790_000_000_000.5, 8.64e15])("parseEntries keeps a time of %d, which can be shown", (at) => {
  const [kept] = parseEntries([{ ...entry, beganAt: at, endedAt: at }])
  expect(kept?.endedAt).toBe(at)
  expect(() => new Date(kept?.endedAt ?? Number.NaN).toISOString()).not.toThrow()
})

test.for(["beganAt", "endedAt"] as const)("parseEntries leaves out entries with an invalid %s", (field) => {
  const damaged = [1e300, -1e300, 8.64e15 + 1, "yesterday", null].map((at) => ({ ...entry, [field]: at }))
  expect(parseEntries([...damaged, entry])).toEqual([entry])
})
