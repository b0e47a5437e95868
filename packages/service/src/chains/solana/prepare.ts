/** Simulating a transaction before anybody signs or pays for it. */
import { Chain } from "@geoswap/core"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { type ChainUnavailable, type CollectJob, type Draft, Impossible, type Job, type SendJob } from "../Chains.js"
import { Epoch, Simulation } from "./rpcSchemas.js"
import { type ChainContext, isNative, unavailable } from "./context.js"
import { collectWire, sendInstructions } from "./jobs.js"
import * as Messages from "./messages.js"
import type { Node } from "./rpcNodes.js"
import { readAccounts, tokenAccount } from "./tokenAccounts.js"
import { ofMessage, write } from "./wireTransaction.js"
import { describeError } from "./describeError.js"

type Prepared = Effect.Effect<void, ChainUnavailable | Impossible>

const impossible = ({ config }: ChainContext, code: Impossible["code"], message: string) =>
  new Impossible({ chainId: config.id, code, message })

/** The newest final block. Its slot and height belong together, as they come in one answer. */
export const finalBlock = (node: Node) =>
  node.ask("getEpochInfo", Epoch, (rpc) => rpc.getEpochInfo({ commitment: "finalized" }))

/** Why a transaction would fail, or `null`, and the slot at which it was simulated. */
export const simulateAt = (node: Node, transaction: string, replaceRecentBlockhash: boolean) =>
  node
    .ask("simulateTransaction", Simulation, (rpc) =>
      rpc.simulateTransaction(transaction as Base64EncodedWireTransaction, {
        commitment: "confirmed",
        encoding: "base64",
        replaceRecentBlockhash,
        sigVerify: false
      })
    )
    .pipe(Effect.map(({ context, value }) => ({ err: value.err, slot: context.slot })))

const simulate = (node: Node, transaction: string, replaceRecentBlockhash: boolean) =>
  Effect.map(simulateAt(node, transaction, replaceRecentBlockhash), ({ err }) => err)

/** The number of a program's own error, where an instruction failed with one. */
const customError = (err: unknown): number | undefined => {
  if (typeof err !== "object" || err === null || !("InstructionError" in err)) return undefined
  const [, inner] = Array.isArray(err.InstructionError) ? (err.InstructionError as ReadonlyArray<unknown>) : []
  return typeof inner === "object" && inner !== null && "Custom" in inner ? Number(inner.Custom) : undefined
}

/** Which account would be left with too little to exist. */
const poorAccount = (err: unknown): number | undefined => {
  if (typeof err !== "object" || err === null || !("InsufficientFundsForRent" in err)) return undefined
  const { InsufficientFundsForRent: at } = err
  return typeof at === "object" && at !== null && "account_index" in at ? Number(at.account_index) : undefined
}

/** The number with which the token program and the system program say that there is too little. */
const insufficientFunds = 1

/** The relayer, who pays, has too little. */
export const isRelayersFault = (err: unknown): boolean =>
  err === "InsufficientFundsForFee" || err === "AccountNotFound" || poorAccount(err) === 0

const relayerTooPoor = ({ relayer }: ChainContext) =>
  `The relayer ${relayer.address} has too few lamports to pay for transactions: send it some.`

const prepareCollect = Effect.fnUntraced(function* (
  context: ChainContext,
  job: CollectJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  const { operation } = job
  const wire = yield* collectWire(context, job)
  if (wire === undefined || operation._tag !== "solana") {
    return yield* impossible(context, "REVERTED", "What the wallet signed is not the transaction of this swap.")
  }
  const explainCollectError = Effect.fnUntraced(function* (node: Node, err: unknown) {
    if (err === "BlockhashNotFound") {
      const { blockHeight } = yield* finalBlock(node)
      if (blockHeight > BigInt(operation.lastValidBlockHeight)) {
        return yield* impossible(context, "OPERATION_EXPIRED", "The blockhash that the wallet signed is too old.")
      }
      return yield* node.invalidAnswer("does not know the blockhash that the wallet signed yet")
    }
    // Whoever stored an attempt finds it there. Nothing is said to be impossible that has happened.
    if (err === "AlreadyProcessed") return yield* node.invalidAnswer("has this transaction already")
    if (isRelayersFault(err)) return yield* unavailable(context, relayerTooPoor(context))
    if (customError(err) === insufficientFunds) {
      return yield* impossible(context, "INSUFFICIENT_BALANCE", "The wallet has too little of the input token.")
    }
    return yield* impossible(
      context,
      "REVERTED",
      `The chain would refuse the wallet's transaction: ${describeError(err)}.`
    )
  })
  yield* context.nodes.use((node) =>
    Effect.flatMap(simulate(node, operation.transaction, false), (err): Prepared =>
      err === null ? Effect.void : explainCollectError(node, err)
    )
  )
})

/**
 * Refuses to pay into an account that is not the recipient's: its owner can be changed. Where the transaction opens the
 * account, the chain looks at that itself.
 */
const checkAccount = Effect.fnUntraced(function* (
  context: ChainContext,
  node: Node,
  { opensAccount, to, token }: SendJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  if (opensAccount || isNative(token)) return
  const at = yield* context.tokenAccountOf(to, token)
  const [account] = yield* readAccounts(node, [at])
  const held = tokenAccount(account)
  if (held === undefined) {
    return yield* impossible(context, "REVERTED", `${to} has no token account ${at}, and nobody paid for one.`)
  }
  if (held.owner !== to) {
    return yield* impossible(context, "REVERTED", `The token account ${at} of ${to} belongs to ${held.owner} by now.`)
  }
  if (held.mint !== token) {
    return yield* impossible(context, "REVERTED", `The token account ${at} of ${to} is one of another token.`)
  }
})

/** Stands where a node puts a blockhash of its own. */
const noBlockhash = "11111111111111111111111111111111"

/** The transaction of a job without signatures and with a placeholder as its blockhash. */
export const unsignedSend = Effect.fnUntraced(function* (context: ChainContext, job: SendJob) {
  const message = Messages.compile(context.relayer.address, noBlockhash, yield* sendInstructions(context, job))
  const wire = ofMessage(message)
  return wire === undefined ? yield* Effect.die("A message that was just written cannot be read.") : wire
})

const prepareSend = Effect.fnUntraced(function* (
  context: ChainContext,
  job: SendJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  if (!Chain.isAddress("solana", job.to)) {
    return yield* impossible(context, "REVERTED", "The recipient is no address on Solana.")
  }
  const wire = yield* unsignedSend(context, job)
  const vaultIndex = wire.compiled.staticAccounts.findIndex((account) => account === context.vault.address)
  const refusal = (err: unknown): Impossible => {
    const poor = poorAccount(err)
    if (isRelayersFault(err)) return impossible(context, "INSUFFICIENT_INVENTORY", relayerTooPoor(context))
    return customError(err) === insufficientFunds || (poor !== undefined && poor === vaultIndex)
      ? impossible(context, "INSUFFICIENT_INVENTORY", `The vault or the relayer has too little: ${describeError(err)}.`)
      : impossible(context, "REVERTED", `The chain would refuse to pay ${job.to}: ${describeError(err)}.`)
  }
  const transaction = write(wire, new Map())
  yield* context.nodes.use(
    Effect.fnUntraced(function* (node): Effect.fn.Return<void, ChainUnavailable | Impossible> {
      yield* checkAccount(context, node, job)
      const err = yield* simulate(node, transaction, true)
      if (err !== null) return yield* refusal(err)
    })
  )
})

/** Simulates a job. All that its transaction is follows from the job, so the draft holds no more. */
export const prepare = (context: ChainContext, job: Job): Effect.Effect<Draft, ChainUnavailable | Impossible> =>
  Effect.as(job.kind === "collect" ? prepareCollect(context, job) : prepareSend(context, job), { job, plan: undefined })
