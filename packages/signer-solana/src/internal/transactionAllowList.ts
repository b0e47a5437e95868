/** The allow-list for transactions: exactly these signers, instructions and accounts. */
import { Operation, type SwapError } from "@geoswap/core"
import { toLatin1 } from "./bytes.js"
import { printable } from "./describeValue.js"
import { computeBudgetProgram, memoProgram, tokenProgram } from "./programs.js"
import type { Account, Instruction, ResolvedMessage, Rights } from "./resolvedMessage.js"

/** The values that a transaction must contain to match what the caller agreed to. */
export interface Expected {
  readonly wallet: string
  readonly relayer: string | undefined
  readonly mint: string
  readonly source: string
  readonly destination: string
  readonly amount: bigint
  readonly terms: string
}

type Rule = readonly [field: string, fits: boolean, expected: string, found: string]

const describe = (instruction: Instruction | undefined): string =>
  instruction === undefined
    ? "nothing"
    : `${instruction.program ?? "a program from a lookup table"} with ${instruction.data.length} bytes ` +
      `starting with ${instruction.data[0]}, and ${instruction.accounts.length} accounts`

/** Returns a rule that an instruction must have this program, first byte, number of bytes and number of accounts. */
const shape = (
  field: string,
  instruction: Instruction | undefined,
  [program, kind, size, accounts]: readonly [program: string, kind: number, size: number, accounts: number]
): Rule => [
  field,
  instruction?.program === program &&
    instruction.data[0] === kind &&
    instruction.data.length === size &&
    instruction.accounts.length === accounts,
  `${program} with ${size} bytes starting with ${kind}, and ${accounts} accounts`,
  describe(instruction)
]

const amountOf = ({ data }: Instruction): bigint =>
  Uint8Array.from(data.slice(1, 9)).reduceRight((amount, byte) => amount * 256n + BigInt(byte), 0n)

/**
 * Whether the accounts from lookup tables have been loaded. Until they are loaded, missing accounts are not a
 * violation.
 */
type Stage = "before the tables" | "whole"

const transferRules = (transfer: Instruction | undefined, expected: Expected, stage: Stage): ReadonlyArray<Rule> => {
  const [source, mint, destination, authority] = transfer?.accounts ?? []
  const amount = transfer && amountOf(transfer)
  const same = (field: string, expected: string, found: string | undefined): Rule => [
    field,
    found === expected || (found === undefined && stage === "before the tables"),
    expected,
    found ?? "nothing"
  ]
  return [
    shape("transfer", transfer, [tokenProgram, 12, 10, 4]),
    ["amount", amount === expected.amount, `${expected.amount}`, `${amount}`],
    same("source", expected.source, source),
    same("token", expected.mint, mint),
    same("destination", expected.destination, destination),
    same("authority", expected.wallet, authority)
  ]
}

const memoRules = (memo: Instruction | undefined, { terms }: Expected): ReadonlyArray<Rule> => {
  const text = toLatin1(memo?.data ?? [])
  const [, found] = /^geoswap:0x[0-9a-f]{64}:(0x[0-9a-f]{64})$/.exec(text) ?? []
  return [
    ["memoProgram", memo?.program === memoProgram, memoProgram, memo?.program ?? "nothing"],
    ["memoAccounts", memo?.accounts.length === 0, "0", `${memo?.accounts.length}`],
    ["memo", found !== undefined, "geoswap:<order id>:<terms>", printable(text)],
    ["terms", found === terms, terms, `${found}`]
  ]
}

/**
 * Describes the first account that is duplicated, is not allowed or has the wrong rights. If every account is correct
 * but the number of accounts is wrong, describes the number.
 */
const accountProblem = (
  accounts: ReadonlyArray<Account>,
  expected: ReadonlyMap<string, Rights>,
  stage: Stage
): string | undefined => {
  const seen = new Set<string>()
  for (const { address, rights } of accounts) {
    if (seen.has(address)) return `${address} twice`
    if (expected.get(address) !== rights) return `${address} as ${rights}`
    seen.add(address)
  }
  return seen.size === 8 || stage === "before the tables" ? undefined : `${seen.size} different accounts`
}

const accountRule = (
  { accounts, signers }: ResolvedMessage,
  { destination, mint, source, wallet }: Expected,
  stage: Stage
): Rule => {
  const rights = new Map<string, Rights>([
    [computeBudgetProgram, "read-only"],
    [tokenProgram, "read-only"],
    [memoProgram, "read-only"],
    [mint, "read-only"],
    [source, "writable"],
    [destination, "writable"],
    [wallet, "read-only signer"],
    [`${signers[0]}`, "writable signer"]
  ])
  const problem = accountProblem(accounts, rights, stage)
  return ["accounts", problem === undefined, "the eight required accounts, each with minimal rights", `${problem}`]
}

/** Returns the first violation of the allow-list, or `undefined` if there is no violation. */
export const findViolation = (
  view: ResolvedMessage,
  expected: Expected,
  stage: Stage
): SwapError.UnsafeOperation | undefined => {
  const { instructions, signers } = view
  const [limit, price, transfer, memo] = instructions
  const { relayer, wallet } = expected
  const [feePayer] = signers
  const payerFits = feePayer !== wallet && (relayer === undefined || feePayer === relayer)
  const rules: ReadonlyArray<Rule> = [
    ["feePayer", payerFits, relayer ?? "any account except the wallet", `${feePayer}`],
    ["signers", signers.length === 2, "2", `${signers.length}`],
    ["signers", signers[1] === wallet, `the fee payer and the wallet ${wallet}`, signers.join(" and ")],
    ["instructions", instructions.length === 4, "4", `${instructions.length}`],
    shape("computeUnitLimit", limit, [computeBudgetProgram, 2, 5, 0]),
    shape("computeUnitPrice", price, [computeBudgetProgram, 3, 9, 0]),
    ...transferRules(transfer, expected, stage),
    ...memoRules(memo, expected),
    accountRule(view, expected, stage)
  ]
  const broken = rules.find(([, fits]) => !fits)
  return broken && Operation.unsafe(broken[0], broken[2], broken[3])
}
