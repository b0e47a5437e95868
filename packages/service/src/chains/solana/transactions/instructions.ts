/** The instructions for each kind of job. */
import { getTransferSolInstruction } from "@solana-program/system"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import * as Effect from "effect/Effect"
import type { CollectJob, SendJob } from "../../../domain/Job.js"
import { type ChainContext, isNative, tokenOf } from "../context.js"
import * as Messages from "./messages.js"
import { sizes } from "../accounts/rent.js"
import { feeOf, unitsOf } from "./programs.js"
import { isSame, littleEndian, ofMessage, read, type Wire } from "./wireTransaction.js"

/**
 * The instructions for `build-solana-tx` (see docs/protocol.md), which a wallet signs: the wallet pays the vault. The
 * memo contains the order id.
 */
export const collectInstructions = Effect.fnUntraced(function* (
  context: ChainContext,
  job: Pick<CollectJob, "wallet" | "token" | "amount"> & { readonly memo: string },
  budget: Messages.Budget
) {
  const { amount, memo, wallet } = job
  const token = yield* tokenOf(context, job.token)
  const source = yield* context.tokenAccountOf(wallet, job.token)
  const destination = yield* context.tokenAccountOf(context.vault.address, job.token)
  return [
    ...Messages.budgetOf(budget),
    Messages.transfer(token, source, destination, wallet, amount),
    Messages.memo(memo)
  ]
})

/** Decodes the number in an instruction's data. The number follows the byte for the instruction's type. */
const numberIn = ({ compiled }: Wire, index: number) => {
  const data = compiled.version === 0 ? compiled.instructions[index]?.data : undefined
  return littleEndian(data?.slice(1) ?? [])
}

/** The compute budget of a transaction. */
export const budgetIn = (wire: Wire) => ({
  units: Number(BigInt.asUintN(32, numberIn(wire, 0))),
  price: BigInt.asUintN(64, numberIn(wire, 1))
})

/**
 * Returns the transaction that the wallet signed, if it is exactly the transaction for this job. The relayer's key
 * signs no other transaction from a wallet, no matter what the database contains. The compute budget is taken from the
 * transaction, because the configuration may have changed.
 */
export const collectWire = Effect.fnUntraced(function* (
  context: ChainContext,
  { operation, orderId, terms, ...job }: CollectJob
) {
  const wire = operation._tag === "solana" ? read(operation.transaction) : undefined
  if (wire?.compiled.version !== 0) return undefined
  const memo = `geoswap:${orderId}:${terms}`
  const instructions = yield* collectInstructions(context, { ...job, memo }, budgetIn(wire))
  const message = Messages.compile(context.relayer.address, wire.compiled.lifetimeToken, instructions)
  return isSame(message, wire.message) ? wire : undefined
})

/** The memo of a payment from the vault, by which the payment's order is found. */
export const memoOf = ({ kind, orderId }: SendJob) =>
  `geoswap:${orderId}:${kind === "deliver" ? "delivered" : "refunded"}`

/** A payment from the vault, without the budget. The relayer can open the recipient's token account. */
const paymentOf = Effect.fnUntraced(function* (context: ChainContext, job: SendJob) {
  const { amount, opensAccount, to, token: mint } = job
  const [relayer, vault] = [context.relayer.address, context.vault.address]
  const memo = Messages.memo(memoOf(job))
  if (isNative(mint)) {
    const source = createNoopSigner(vault as Address)
    return [getTransferSolInstruction({ source, destination: to as Address, amount }), memo]
  }
  const token = yield* tokenOf(context, mint)
  const source = yield* context.tokenAccountOf(vault, mint)
  const destination = yield* context.tokenAccountOf(to, mint)
  return [
    ...(opensAccount
      ? [
          // Opens the recipient's token account, unless it exists.
          getCreateAssociatedTokenIdempotentInstruction({
            payer: createNoopSigner(relayer as Address),
            ata: destination,
            owner: to as Address,
            mint: mint as Address
          })
        ]
      : []),
    Messages.transfer(token, source, destination, vault, amount),
    memo
  ]
})

/** What the cost of a payment depends on. */
type CostOfSend = Pick<SendJob, "opensAccount" | "token">

/** The highest compute unit limit of payments. A payment in a batch has only the units that it needs. */
export const unitsFor = (jobs: ReadonlyArray<CostOfSend>) =>
  jobs.reduce((units, { opensAccount, token }) => {
    if (isNative(token)) return units + unitsOf.sendNative
    return units + (opensAccount || jobs.length === 1 ? unitsOf.send : unitsOf.sendToHolder)
  }, 0)

/** How many token accounts payments may open. */
const openedBy = (jobs: ReadonlyArray<CostOfSend>) =>
  jobs.filter(({ opensAccount, token }) => opensAccount && !isNative(token)).length

/** The compute units that opening a token account needs at most. */
const openingUnits = 60_000

/**
 * The compute unit limit of payments whose simulation used this many units: a quarter more. A recipient can close an
 * account after the simulation, so what opens an account keeps the units for it.
 */
export const unitsAfter = (jobs: ReadonlyArray<CostOfSend>, used: bigint) =>
  Math.min(unitsFor(jobs), Math.ceil(Number(used) * 1.25) + 1_000 + openedBy(jobs) * openingUnits)

/** The most that the relayer may pay for payments from the vault: the fees, and the rent of the accounts that may be opened. */
export const mostCostOfSends = Effect.fnUntraced(function* (
  context: ChainContext,
  jobs: ReadonlyArray<CostOfSend>,
  units: number,
  price: bigint
) {
  const opened = openedBy(jobs)
  const rent = opened === 0 ? 0n : yield* context.rentOf(sizes.tokenAccount)
  return feeOf(units, price) + BigInt(opened) * rent
})

/** The instructions for payments from the vault. */
export const sendInstructions = Effect.fnUntraced(function* (
  context: ChainContext,
  jobs: ReadonlyArray<SendJob>,
  budget: Messages.Budget
) {
  const payments = yield* Effect.forEach(jobs, (job) => paymentOf(context, job))
  return [...Messages.budgetOf(budget), ...payments.flat()]
})

/** A placeholder for a blockhash. Nodes replace it with their own one if they are asked to. */
export const noBlockhash = "11111111111111111111111111111111"

/** Compiles a transaction that the relayer pays for, without signatures. */
export const compileWire = ({ relayer }: ChainContext, blockhash: string, instructions: ReadonlyArray<Instruction>) => {
  const wire = ofMessage(Messages.compile(relayer.address, blockhash, instructions))
  return wire === undefined ? Effect.die("The compiled message cannot be decoded.") : Effect.succeed(wire)
}
