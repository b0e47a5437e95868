/** Suites on chains. The files that run in one process share its chains. */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "@effect/vitest"
import type { Hex } from "viem"
import { missing } from "./anvil.ts"
import { Chain } from "./chain.ts"
import { deployFixture } from "./fixture.ts"

/** A suite that needs a chain. Without anvil, it is skipped, and its title says why. */
export const describeOnChain = (title: string, body: () => void): void => {
  const reason = missing === undefined ? "" : ` (skipped: ${missing})`
  describe.skipIf(missing !== undefined)(`${title}${reason}`, () => {
    body()
  })
}

const chains = new Map<number, { readonly chain: Chain; ready?: Promise<void> }>()

/** A chain with everything deployed. Each test starts with the state after `prepare`, which is restored afterwards. */
export const useChain = (prepare: (chain: Chain) => Promise<void> = async () => {}, id = 31337): Chain => {
  const entry = chains.get(id) ?? { chain: new Chain(id) }
  chains.set(id, entry)
  const { chain } = entry
  const snapshots: Array<Hex> = []
  const takeSnapshot = async () => {
    snapshots.push(await chain.client.snapshot())
  }
  const restore = async () => {
    const id = snapshots.pop()
    if (id !== undefined) await chain.revert(id)
  }
  beforeAll(async () => {
    entry.ready ??= chain.start().then(() => deployFixture(chain))
    await entry.ready
    await takeSnapshot()
    await prepare(chain)
  })
  beforeEach(takeSnapshot)
  afterEach(restore)
  afterAll(restore)
  return chain
}
