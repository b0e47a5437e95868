/** Simulates a transaction before it is signed and paid for. */
import { Chain } from "@geoswap/core"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CollectJob, Job, SendJob } from "../../../domain/Job.js"
import { type ChainUnavailable, Impossible } from "../../ChainError.js"
import type { Draft } from "../../Draft.js"
import { type Account, readAccounts, tokenAccount } from "../accounts/tokenAccounts.js"
import { type ChainContext, isNative, unavailable } from "../context.js"
import { describeError } from "../nodes/describeError.js"
import type { Node } from "../nodes/rpcNodes.js"
import { Epoch, Simulation } from "../nodes/rpcSchemas.js"
import { collectWire, compileWire, noBlockhash, sendInstructions, unitsAfter, unitsFor } from "./instructions.js"
import type { Plan } from "./sign.js"
import { write } from "./wireTransaction.js"

type Prepared = Effect.Effect<void, ChainUnavailable | Impossible>

const impossible = ({ config }: ChainContext, code: Impossible["code"], message: string) =>
  new Impossible({ chainId: config.id, code, message })

/** The latest finalized block. One response contains both its slot and its height. */
export const finalBlock = (node: Node) =>
  node.ask("getEpochInfo", Epoch, (rpc) => rpc.getEpochInfo({ commitment: "finalized" }))

/**
 * Simulates a transaction. Returns the slot of the simulation, the error, or `null` if it succeeded, and the compute
 * units that it used, if the node reports them.
 */
export const simulate = (node: Node, transaction: string, replaceRecentBlockhash: boolean) =>
  Effect.map(
    node.ask("simulateTransaction", Simulation, (rpc) =>
      rpc.simulateTransaction(transaction as Base64EncodedWireTransaction, {
        commitment: "confirmed",
        encoding: "base64",
        replaceRecentBlockhash,
        sigVerify: false
      })
    ),
    ({ context, value }) => ({ err: value.err, slot: context.slot, units: value.unitsConsumed ?? undefined })
  )

const isCustomError = Schema.is(
  Schema.Struct({ InstructionError: Schema.Tuple([Schema.Unknown, Schema.Struct({ Custom: Schema.Unknown })]) })
)

/** Returns the custom error number of a program, if the transaction failed with such a number. */
const customError = (err: unknown) => (isCustomError(err) ? Number(err.InstructionError[1].Custom) : undefined)

const isPoorAccount = Schema.is(
  Schema.Struct({ InsufficientFundsForRent: Schema.Struct({ account_index: Schema.Unknown }) })
)

/** If a transaction failed because an account would no longer be rent-exempt, returns the index of that account. */
const poorAccount = (err: unknown) =>
  isPoorAccount(err) ? Number(err.InsufficientFundsForRent.account_index) : undefined

/** The error number that the token program and the system program use for insufficient funds. */
const insufficientFunds = 1

/** Whether a simulation failed because the relayer, which pays the fees, has too few lamports. */
export const isRelayersFault = (err: unknown) =>
  err === "InsufficientFundsForFee" || err === "AccountNotFound" || poorAccount(err) === 0

const relayerTooPoor = ({ relayer }: ChainContext) =>
  `The relayer ${relayer.address} has too few lamports to pay for transactions. Top up the relayer.`

const prepareCollect = Effect.fnUntraced(function* (context: ChainContext, job: CollectJob) {
  const { operation } = job
  const wire = yield* collectWire(context, job)
  if (wire === undefined || operation._tag !== "solana") {
    return yield* impossible(context, "REVERTED", "The wallet did not sign this swap's transaction.")
  }
  const explainCollectError = Effect.fnUntraced(function* (node: Node, err: unknown) {
    if (err === "BlockhashNotFound") {
      const { blockHeight } = yield* finalBlock(node)
      if (blockHeight > BigInt(operation.lastValidBlockHeight)) {
        return yield* impossible(context, "OPERATION_EXPIRED", "The blockhash that the wallet signed has expired.")
      }
      return yield* node.invalidAnswer("has not yet seen the blockhash that the wallet signed")
    }
    // The transaction has been processed, so it must not be reported as impossible. The stored attempt is observed
    // instead.
    if (err === "AlreadyProcessed") return yield* node.invalidAnswer("already has this transaction")
    if (isRelayersFault(err)) return yield* unavailable(context, relayerTooPoor(context))
    if (customError(err) === insufficientFunds) {
      return yield* impossible(context, "INSUFFICIENT_BALANCE", "The wallet's balance of the input token is too low.")
    }
    return yield* impossible(
      context,
      "REVERTED",
      `The chain would reject the wallet's transaction: ${describeError(err)}.`
    )
  })
  yield* context.nodes.use((node) =>
    Effect.flatMap(simulate(node, operation.transaction, false), ({ err }): Prepared =>
      err === null ? Effect.void : explainCollectError(node, err)
    )
  )
})

const checkAccount = Effect.fnUntraced(function* (
  context: ChainContext,
  { to, token }: SendJob,
  at: string,
  account: Account | undefined
) {
  const held = tokenAccount(account)
  const problem =
    held === undefined
      ? `${to} does not have the token account ${at}, and the swap does not pay to create it.`
      : held.owner !== to
        ? `The token account ${at}, derived for ${to}, now belongs to ${held.owner}.`
        : held.mint !== token
          ? `The token account ${at}, derived for ${to}, holds another token.`
          : undefined
  if (problem !== undefined) return yield* impossible(context, "REVERTED", problem)
})

/**
 * Refuses to pay into a token account that the recipient no longer owns. If the transaction may open the account, the
 * chain itself performs this check.
 */
const checkAccounts = Effect.fnUntraced(function* (context: ChainContext, node: Node, jobs: ReadonlyArray<SendJob>) {
  const holders = jobs.filter(({ opensAccount, token }) => !opensAccount && !isNative(token))
  if (holders.length === 0) return
  const addresses = yield* Effect.forEach(holders, ({ to, token }) => context.tokenAccountOf(to, token))
  const accounts = yield* readAccounts(node, addresses)
  for (const [index, job] of holders.entries()) {
    yield* checkAccount(context, job, addresses[index] ?? "", accounts[index])
  }
})

/** The transaction for payments as it is simulated: without signatures, and with the highest limit and the lowest price. */
export const unsignedSends = Effect.fnUntraced(function* (context: ChainContext, jobs: ReadonlyArray<SendJob>) {
  const budget = { units: unitsFor(jobs), price: context.config.computeUnitPrice.floor }
  return yield* compileWire(context, noBlockhash, yield* sendInstructions(context, jobs, budget))
})

/** Simulates one transaction for payments. Returns its compute unit limit. */
export const prepareSends = Effect.fnUntraced(function* (context: ChainContext, jobs: ReadonlyArray<SendJob>) {
  const recipients = jobs.map(({ to }) => to)
  if (!recipients.every((to) => Chain.isAddress("solana", to))) {
    return yield* impossible(context, "REVERTED", "The recipient is not a Solana address.")
  }
  const wire = yield* unsignedSends(context, jobs)
  const vaultIndex = wire.compiled.staticAccounts.findIndex((account) => account === context.vault.address)
  const refusal = (err: unknown) => {
    const poor = poorAccount(err)
    if (isRelayersFault(err)) return impossible(context, "INSUFFICIENT_INVENTORY", relayerTooPoor(context))
    return customError(err) === insufficientFunds || (poor !== undefined && poor === vaultIndex)
      ? impossible(
          context,
          "INSUFFICIENT_INVENTORY",
          `The vault's or the relayer's balance is too low: ${describeError(err)}.`
        )
      : impossible(
          context,
          "REVERTED",
          `The chain would reject the payment to ${recipients.join(", ")}: ${describeError(err)}.`
        )
  }
  const transaction = write(wire, new Map())
  return yield* context.nodes.use(
    Effect.fnUntraced(function* (node) {
      yield* checkAccounts(context, node, jobs)
      const { err, units } = yield* simulate(node, transaction, true)
      if (err !== null) return yield* refusal(err)
      return units === undefined ? unitsFor(jobs) : unitsAfter(jobs, units)
    })
  )
})

/**
 * The key of a payment that can share a transaction. A transfer of wrapped SOL also changes lamports, so tokens and SOL do
 * not share one.
 */
const sharing = ({ config }: ChainContext, { kind, token }: SendJob) =>
  config.maxBatch > 1 && { shares: `${kind} ${isNative(token) ? "lamports" : "tokens"}` }

/** Simulates a job. The transaction is derived from the job, so the plan contains only the job. */
export const prepare = (context: ChainContext, job: Job): Effect.Effect<Draft, ChainUnavailable | Impossible> => {
  const { address: relayer } = context.relayer
  if (job.kind === "collect") {
    return Effect.as(prepareCollect(context, job), { job, relayer, plan: { collect: job } satisfies Plan })
  }
  return Effect.map(prepareSends(context, [job]), (units) => {
    const plan: Plan = { sends: [job], units }
    return { job, relayer, plan, ...sharing(context, job) }
  })
}
