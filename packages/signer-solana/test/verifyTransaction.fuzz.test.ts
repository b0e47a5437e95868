/**
 * A transaction with another meaning than the agreement is never signed, even in a valid encoding. The agreed transaction
 * is signed, whatever the service chose for the rest.
 *
 * `FUZZ_RUNS` sets the number of runs (below 500, not every kind of change occurs), `FUZZ_SEED` the seed, and `FUZZ_CASE` a single case to repeat.
 */
import { describe, expect, it } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SolanaSigner } from "../src/index.js"
import {
  casesOf,
  type SeededRandom,
  seededRandom,
  isWhole,
  repeat,
  runs,
  seed
} from "../../../tooling/testing/seededRandom.ts"
import { isSignedBy, walletKey } from "./keys.js"
import { freedomOf, isFree, isSameMeaning } from "./meaning.js"
import { honestPlan, mutations, type Plan, reordered, write } from "./transactionMutations.js"
import { against, agreed, bytesOf, textOf } from "./transactions.js"
import { isTransaction, signerOf } from "./wallets.js"

const key = walletKey()
const signer = await signerOf(
  SolanaSigner.layerKeyService({ address: key.address, signMessage: async (message: Uint8Array) => key.sign(message) })
)

/** Whether a transaction is signed. Describes any outcome other than a signature or a refusal. */
const outcome = async (transaction: Signer.TransactionToSign): Promise<string> => {
  const before = key.signed()
  const exit = await Effect.runPromiseExit(signer.signTransaction(transaction))
  const signatures = key.signed() - before
  if (Exit.isSuccess(exit)) return isSignedBy(exit.value, key.address) && signatures === 1 ? "signed" : "signed wrongly"
  const error = Cause.squash(exit.cause)
  const isRefusal = !Cause.hasDies(exit.cause) && (error as { readonly _tag?: string })._tag === "UnsafeOperation"
  return isRefusal && signatures === 0
    ? "refused"
    : `${signatures} signatures and ${Cause.pretty(exit.cause).slice(0, 600)}`
}

const bigints = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)
const asText = (transaction: Signer.TransactionToSign) => JSON.stringify(transaction, bigints)

const wrong = (found: string): never => {
  throw new Error(found)
}

const figures = (text: string) => process.stdout.write(`${text}\n`)

/** A plan with one to three changes, and their names. All kinds take turns. Kit refuses to encode some. */
const changed = (plan: Plan, random: SeededRandom, turn: number) => {
  const kinds = Object.keys(mutations)
  const more = Array.from({ length: random.pick([0, 0, 1, 2]) }, () => random.pick(kinds))
  const names = [kinds[turn % kinds.length] ?? "", ...more]
  try {
    return {
      names,
      transaction: write(names.reduce((changed, name) => mutations[name]?.(changed, random) ?? changed, plan))
    }
  } catch {
    return undefined
  }
}

/** Enough for every kind of change to occur, and for meaningful proportions. */
const isLong = isWhole && runs >= 500
/** Generous, for a busy machine. Long runs have no limit. */
const timeout = runs > 10_000 ? 0 : 120_000

describe(`fuzzing with seed ${seed}`, { timeout }, () => {
  const count = Math.ceil(runs / 5)

  it(`signs none of ${count} transactions with a changed meaning`, async () => {
    const seen = new Map<string, number>()
    let [tried, readable] = [0, 0]
    for (const index of casesOf(count)) {
      const random = seededRandom(seed, index)
      const plan = honestPlan(random)
      const honest = write(plan)
      // Some changes have no effect or cannot be encoded, so others are tried.
      let turn = index
      let made = changed(plan, random, turn)
      while (made === undefined || isSameMeaning(honest, made.transaction)) made = changed(plan, random, ++turn)
      const { names, transaction } = made
      const ended = await outcome(transaction)
      if (ended !== "refused") wrong(`${names.join(", ")}: ${ended}\n${asText(transaction)}\n${repeat(index)}`)
      tried++
      if (isTransaction(bytesOf(transaction.unsignedTransaction))) readable++
      for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1)
    }
    figures(`meaning: ${tried} hostile transactions, ${((100 * readable) / tried).toFixed(1)} % readable, 0 signed`)
    expect(readable / tried).toBeGreaterThanOrEqual(isLong ? 0.9 : 0)
    expect(isLong ? Object.keys(mutations).filter((name) => !seen.has(name)) : []).toStrictEqual([])
  })

  it("signs every agreed transaction, whatever else the service chose", async () => {
    const honest = Math.ceil(count / 4)
    for (const index of casesOf(honest)) {
      const random = seededRandom(seed ^ 0x600d, index)
      const plan = honestPlan(random)
      const transaction = write({ ...plan, compiled: random.next() < 0.5 ? [reordered(random)] : [] })
      const ended = await outcome(transaction)
      if (ended !== "signed") wrong(`${ended}\n${asText(transaction)}\n${repeat(index)}`)
    }
    figures(`meaning: ${honest} honest variations, all signed`)
  })
})

/** The bytes of the agreed transaction, damaged. */
const damaged = (random: SeededRandom): Uint8Array => {
  const bytes = bytesOf(agreed.unsignedTransaction)
  const free = freedomOf(bytes)
  const list = Array.from(bytes)
  const roll = random.below(10)
  if (roll === 0) return bytes.slice(0, random.below(bytes.length))
  if (roll === 1) return Uint8Array.from([...bytes, ...random.bytes(1 + random.below(64))])
  if (roll === 2)
    return Uint8Array.from(list.toSpliced(random.below(list.length), 0, ...random.bytes(1 + random.below(3))))
  if (roll === 3) return Uint8Array.from(list.toSpliced(random.below(list.length), 1 + random.below(3)))
  const places = roll < 7 ? [...free.keys()] : list.map((_, at) => at)
  for (let hits = 1 + random.below(4); hits > 0; hits--) {
    const at = random.pick(places)
    const digit = free.get(at) === "digit" && random.next() < 0.7
    list[at] = digit ? "0123456789abcdef".charCodeAt(random.below(16)) : random.below(256)
  }
  return Uint8Array.from(list)
}

describe(`fuzzing bytes with seed ${seed}`, { timeout }, () => {
  const count = Math.ceil(runs / 5)

  it(`signs ${count} damaged transactions only if the service may choose the damaged bytes`, async () => {
    let signed = 0
    for (const index of casesOf(count)) {
      const bytes = damaged(seededRandom(seed ^ 0xb17e5, index))
      const ended = await outcome(against(textOf(bytes)))
      const expected = isFree(bytesOf(agreed.unsignedTransaction), bytes) ? "signed" : "refused"
      if (ended !== expected) wrong(`${ended} instead of ${expected}\n${textOf(bytes)}\n${repeat(index)}`)
      if (ended === "signed") signed++
    }
    figures(`bytes: ${count} damaged transactions, ${signed} signed, all of them in bytes that the service may choose`)
    const [least, most] = isLong ? [count / 10, count / 2] : [0, count]
    expect(signed).toBeGreaterThanOrEqual(least)
    expect(signed).toBeLessThanOrEqual(most)
  })
})
