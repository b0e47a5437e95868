/** Describes what a wallet changed in a transaction. */
import type { ReadonlyUint8Array } from "@solana/kit"
import { printable } from "./describeValue.js"
import { noLoadedAddresses } from "./lookupTables.js"
import type { Message, MessageV0 } from "./parseTransaction.js"
import { computeBudgetProgram } from "./programs.js"
import { resolveMessage } from "./resolvedMessage.js"

interface ComparedInstruction {
  readonly program: string
  readonly data: ReadonlyUint8Array
  /** The entire instruction as a string, for comparison. */
  readonly text: string
}

type Indexed = Extract<Message, { readonly version: 0 | "legacy" }>

const instructionsOf = ({ instructions, staticAccounts }: Indexed): ReadonlyArray<ComparedInstruction> =>
  instructions.map(({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) => {
    const program: string = staticAccounts[programAddressIndex] ?? "a program from a lookup table"
    const accounts = accountIndices.map((index): string => staticAccounts[index] ?? `loaded ${index}`)
    return { program, data, text: [program, ...accounts, data.join()].join(" ") }
  })

/** Returns the values that compute budget instructions of one kind set. */
const budgetOf = (instructions: ReadonlyArray<ComparedInstruction>, kind: number): string =>
  instructions
    .filter(({ data, program }) => program === computeBudgetProgram && data[0] === kind)
    .map(({ data }) => Uint8Array.from(data.slice(1)).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n))
    .join(" and ")

const budgetKinds = [
  [2, "the compute unit limit"],
  [3, "the compute unit price"]
] as const

const budgetChanges = (
  before: ReadonlyArray<ComparedInstruction>,
  after: ReadonlyArray<ComparedInstruction>
): ReadonlyArray<string> =>
  budgetKinds.flatMap(([kind, name]) => {
    const [old, now] = [budgetOf(before, kind), budgetOf(after, kind)]
    if (old === now) return []
    return [now === "" ? `${name} was removed` : `${name} changed from ${old} to ${printable(now)}`]
  })

const isBudget = ({ data, program }: ComparedInstruction): boolean =>
  program === computeBudgetProgram && budgetKinds.some(([kind]) => data[0] === kind)

/** Returns the instructions in `some` that are not in `others`. */
const onlyIn = (
  some: ReadonlyArray<ComparedInstruction>,
  others: ReadonlyArray<ComparedInstruction>
): ReadonlyArray<ComparedInstruction> =>
  some.filter((instruction) => !others.some(({ text }) => text === instruction.text))

/** Describes all changes to the instructions, except for changes to the compute budget. */
const instructionChanges = (
  ...both: readonly [ReadonlyArray<ComparedInstruction>, ReadonlyArray<ComparedInstruction>]
): ReadonlyArray<string> => {
  const [before, after] = both.map((instructions) => instructions.filter((instruction) => !isBudget(instruction))) as [
    Array<ComparedInstruction>,
    Array<ComparedInstruction>
  ]
  const [added, removed] = [onlyIn(after, before), onlyIn(before, after)]
  const more = after.length - before.length
  if (added.length === 0 && removed.length === 0) {
    if (more !== 0) return [more > 0 ? "an instruction was added" : "an instruction was removed"]
    return before.every(({ text }, at) => text === after[at]?.text) ? [] : ["the instructions are in a different order"]
  }
  const programs = printable([...new Set(added.map(({ program }) => program))].join(" and "))
  if (removed.length === 0) return [`an instruction for ${programs} was added`]
  return [added.length === 0 ? "an instruction was removed" : "an instruction was changed"]
}

/**
 * Returns the accounts and their rights in sorted order. The original order is not compared, because a wallet that sets
 * a compute unit price recompiles the message, which may reorder the accounts.
 */
const accountsOf = (message: Indexed): string =>
  resolveMessage(message as MessageV0, noLoadedAddresses)
    .accounts.filter(({ address }) => address !== computeBudgetProgram)
    .map(({ address, rights }) => `${address} ${rights}`)
    .toSorted()
    .join()

/** The differences between two messages, and whether a wallet's fee setting explains all of them. */
export interface Changes {
  readonly message: string
  readonly isFee: boolean
}

export const describeChanges = (before: MessageV0, after: Message): Changes => {
  if (after.version === 1) return { message: "the version is 1 instead of 0", isFee: false }
  const [old, now] = [instructionsOf(before), instructionsOf(after)]
  const [payer, newPayer] = [before.staticAccounts[0], after.staticAccounts[0]]
  const others = [
    ...(after.version === 0 ? [] : [`the version is ${after.version} instead of 0`]),
    ...(payer === newPayer ? [] : [`the fee payer is ${newPayer} instead of ${payer}`]),
    ...instructionChanges(old, now)
  ]
  const sameAccounts = others.length > 0 || accountsOf(before) === accountsOf(after)
  const serious = sameAccounts ? others : ["its accounts or their rights differ"]
  const fee = [
    ...budgetChanges(old, now),
    ...(before.lifetimeToken === after.lifetimeToken ? [] : ["the blockhash was replaced"])
  ]
  const all = [...serious, ...fee]
  return all.length === 0
    ? { message: "its encoding differs", isFee: false }
    : { message: all.join("; "), isFee: serious.length === 0 }
}
