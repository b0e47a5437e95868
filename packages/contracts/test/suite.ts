/** Suites on chains. The files that run in one process share its chains. */
import { afterAll, afterEach, beforeAll, beforeEach } from "@effect/vitest"
import type { Hex } from "viem"
import { Chain } from "./chain.ts"
import { deployFixture } from "./fixture.ts"

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
    entry.ready ??= deployFixture(chain)
    await entry.ready
    await takeSnapshot()
    await prepare(chain)
  })
  beforeEach(takeSnapshot)
  afterEach(restore)
  afterAll(restore)
  return chain
}
