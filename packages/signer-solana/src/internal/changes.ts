/** What a wallet changed in a transaction, in words. */
import type { ReadonlyUint8Array } from "@solana/kit"
import { computeBudgetProgram } from "./programs.js"
import type { Message, MessageV0 } from "./wire.js"
import { printable } from "./words.js"

interface Step {
  readonly program: string
  readonly data: ReadonlyUint8Array
  /** The whole instruction as a text, to compare it by. */
  readonly text: string
}

type Indexed = Extract<Message, { readonly version: 0 | "legacy" }>

const stepsOf = ({ instructions, staticAccounts }: Indexed): ReadonlyArray<Step> =>
  instructions.map(({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) => {
    const program: string = staticAccounts[programAddressIndex] ?? "a program out of a table"
    const accounts = accountIndices.map((index): string => staticAccounts[index] ?? `loaded ${index}`)
    return { program, data, text: [program, ...accounts, data.join()].join(" ") }
  })

/** The number that an instruction of the compute budget sets. */
const budgetOf = (steps: ReadonlyArray<Step>, kind: number): bigint | undefined => {
  const step = steps.find(({ data, program }) => program === computeBudgetProgram && data[0] === kind)
  return step && Uint8Array.from(step.data.slice(1)).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}

const budgetKinds = [
  [2, "the compute unit limit"],
  [3, "the compute unit price"]
] as const

const budgetChanges = (before: ReadonlyArray<Step>, after: ReadonlyArray<Step>): ReadonlyArray<string> =>
  budgetKinds.flatMap(([kind, name]) => {
    const [old, now] = [budgetOf(before, kind), budgetOf(after, kind)]
    if (old === now) return []
    return [now === undefined ? `${name} was removed` : `${name} went from ${old} to ${now}`]
  })

const isBudget = ({ data, program }: Step): boolean =>
  program === computeBudgetProgram && budgetKinds.some(([kind]) => data[0] === kind)

/** The instructions of `some` that `others` do not have, apart from the ones that the budget's words tell of. */
const missing = (some: ReadonlyArray<Step>, others: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  some.filter((step) => !isBudget(step) && !others.some(({ text }) => text === step.text))

const instructionChanges = (before: ReadonlyArray<Step>, after: ReadonlyArray<Step>): ReadonlyArray<string> => {
  const [added, removed] = [missing(after, before), missing(before, after)]
  const more = after.length - before.length
  if (added.length === 0 && removed.length === 0) {
    return more === 0 ? [] : [more > 0 ? "an instruction was added" : "an instruction was removed"]
  }
  const programs = printable([...new Set(added.map(({ program }) => program))].join(" and "))
  if (removed.length === 0) return [`an instruction of ${programs} was added`]
  return [added.length === 0 ? "an instruction was removed" : "an instruction was changed"]
}

/** What differs between two messages; the first thing is the one to begin with. */
export const changesOf = (before: MessageV0, after: Message): string => {
  if (after.version === 1) return "the version is 1 instead of 0"
  const [old, now] = [stepsOf(before), stepsOf(after)]
  const [payer, newPayer] = [before.staticAccounts[0], after.staticAccounts[0]]
  const changes = [
    ...(after.version === 0 ? [] : [`the version is ${after.version} instead of 0`]),
    ...(payer === newPayer ? [] : [`the fee payer is ${newPayer} instead of ${payer}`]),
    ...budgetChanges(old, now),
    ...instructionChanges(old, now),
    ...(before.lifetimeToken === after.lifetimeToken ? [] : ["the blockhash was replaced"])
  ]
  return changes.length === 0 ? "its accounts or its form are not what they were" : changes.join("; ")
}
