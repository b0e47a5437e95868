/** Batches: payments that share one transaction, which makes all of them or none. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { SendJob } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { Draft } from "../../Draft.js"
import type { ChainContext } from "../context.js"
import { prepareSends, unsignedSends } from "./prepare.js"
import { memoProgram, systemProgram, tokenProgram } from "./programs.js"
import type { Plan } from "./sign.js"
import { littleEndian, maxBytes, read, sizeOf } from "./wireTransaction.js"

/** How many payments fit into a transaction, if all of them are in the same token and open no account. */
export const mostPayments = 6

/** A transfer in one of our transactions, and the memo after it. */
export interface Payment {
  readonly memo: string
  readonly token: string
  /** The token account, or the address that gets lamports. */
  readonly account: string
  readonly amount: bigint
}

/** The types of the instructions in our transactions: `TransferChecked` and `Transfer` of lamports. */
const transferChecked = [12]
const transferLamports = [2, 0, 0, 0]

const startsWith = (data: ReadonlyArray<number>, type: ReadonlyArray<number>) =>
  type.every((byte, index) => data[index] === byte)

/** Decodes the amount after the type of an instruction. */
const amountAfter = (data: ReadonlyArray<number>, { length }: ReadonlyArray<number>) =>
  littleEndian(data.slice(length, length + 8))

/** Returns the payments in one of our transactions. */
export const paymentsIn = ({ raw }: Attempt): ReadonlyArray<Payment> => {
  const compiled = read(raw)?.compiled
  if (compiled?.version !== 0) return []
  const { instructions, staticAccounts } = compiled
  const decoded = instructions.map(({ accountIndices = [], data = [], programAddressIndex }) => ({
    program: staticAccounts[programAddressIndex],
    accounts: accountIndices.map((index) => staticAccounts[index] ?? ""),
    data: Array.from(data)
  }))
  return decoded.flatMap((instruction, index): ReadonlyArray<Payment> => {
    const transfer = decoded[index - 1]
    if (instruction.program !== memoProgram || transfer === undefined) return []
    const { accounts, data, program } = transfer
    const memo = new TextDecoder().decode(Uint8Array.from(instruction.data))
    if (program === tokenProgram && startsWith(data, transferChecked)) {
      const [, token = "", account = ""] = accounts
      return [{ memo, token, account, amount: amountAfter(data, transferChecked) }]
    }
    if (program === systemProgram && startsWith(data, transferLamports)) {
      const [, account = ""] = accounts
      return [{ memo, token: Chain.nativeToken.solana, account, amount: amountAfter(data, transferLamports) }]
    }
    return []
  })
}

/** Whether an attempt is a batch. */
export const isBatch = (attempt: Attempt) => paymentsIn(attempt).length > 1

/**
 * Combines as many of the first drafts as fit into one transaction. One payment that fails would make all of them fail, so
 * they are simulated together. If the simulation fails, fewer are combined. The last one that is left was simulated
 * separately before.
 */
export const combine = Effect.fnUntraced(function* (
  context: ChainContext,
  drafts: readonly [Draft, ...ReadonlyArray<Draft>]
) {
  const [{ plan, relayer }] = drafts
  const jobs = drafts.flatMap(({ job }): ReadonlyArray<SendJob> => (job.kind === "collect" ? [] : [job]))
  const fits = (count: number) =>
    Effect.map(unsignedSends(context, jobs.slice(0, count)), (wire) => sizeOf(wire) <= maxBytes)
  /** Returns the compute unit limit of the first payments, or `undefined` if they fail together. */
  const unitsOf = (count: number) =>
    prepareSends(context, jobs.slice(0, count)).pipe(
      Effect.catchTag("Impossible", ({ message }) =>
        Effect.as(Effect.logWarning(`fewer payments share a transaction: ${message}`), undefined)
      )
    )
  let count = Math.min(jobs.length, context.config.maxBatch, mostPayments)
  while (count > 1 && !(yield* fits(count))) count -= 1
  while (count > 1) {
    const units = yield* unitsOf(count)
    if (units !== undefined) return { relayer, plan: { sends: jobs.slice(0, count), units } satisfies Plan, count }
    count = Math.ceil(count / 2)
  }
  return { relayer, plan, count: 1 }
})
