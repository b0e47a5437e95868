/** Reads the claims of a swap, with their limits. */
import * as Effect from "effect/Effect"
import { type Claim, keyOf, type Phase, type Resource, type Since } from "../domain/Claim.js"
import { type Entry, type Execution, resources } from "./resources.js"

/** Returns the oldest block at which the limit of a resource may be read. */
export type OldestBlock = (resource: Resource) => bigint

/** Any block may be used. */
export const anyBlock: OldestBlock = () => 0n

/** Only blocks that are not older than those that the store has asked for. */
export const notBefore = (since: ReadonlyArray<Since>): OldestBlock => {
  const blocks = new Map(since.map((one) => [keyOf(one), one.block]))
  return (resource) => blocks.get(keyOf(resource)) ?? 0n
}

/** Reads a swap's claims, or only those of one phase. */
export const claimsOf = (execution: Execution, oldest: OldestBlock, phase?: Phase) => {
  const named = resources.flatMap((entry) => {
    const name = entry.name(execution)
    return name === undefined || (phase ?? entry.phase) !== entry.phase ? [] : [[entry, name] as const]
  })
  const read = ([entry, name]: readonly [Entry, string]) =>
    Effect.map(entry.use(execution, oldest({ kind: entry.kind, name })), (use): Claim => ({
      phase: entry.phase,
      kind: entry.kind,
      name,
      ...use
    }))
  return Effect.forEach(named, read, { concurrency: "unbounded" })
}
