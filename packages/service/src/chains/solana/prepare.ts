/** Simulating a transaction before anybody signs or pays for it. */
import { Chain } from "@geoswap/core"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { type ChainUnavailable, type CollectJob, type Draft, Impossible, type Job, type SendJob } from "../Chains.js"
import { Epoch, Simulation } from "./rpcSchemas.js"
import { type Bench, isNative, unavailable } from "./context.js"
import { collectWire, sendInstructions } from "./jobs.js"
import * as Messages from "./messages.js"
import type { Node } from "./rpcNodes.js"
import { readAccounts, tokenAccount } from "./tokenAccounts.js"
import { ofMessage, write } from "./wireTransaction.js"
import { wordsOf } from "./describeError.js"

type Prepared = Effect.Effect<void, ChainUnavailable | Impossible>

const impossible = ({ config }: Bench, code: Impossible["code"], message: string) =>
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

const relayerWords = ({ relayer }: Bench) =>
  `The relayer ${relayer.address} has too few lamports to pay for transactions: send it some.`

const prepareCollect = Effect.fnUntraced(function* (
  bench: Bench,
  job: CollectJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  const { operation } = job
  const wire = yield* collectWire(bench, job)
  if (wire === undefined || operation._tag !== "solana") {
    return yield* impossible(bench, "REVERTED", "What the wallet signed is not the transaction of this swap.")
  }
  const judge = Effect.fnUntraced(function* (node: Node, err: unknown) {
    if (err === "BlockhashNotFound") {
      const { blockHeight } = yield* finalBlock(node)
      if (blockHeight > BigInt(operation.lastValidBlockHeight)) {
        return yield* impossible(bench, "OPERATION_EXPIRED", "The blockhash that the wallet signed is too old.")
      }
      return yield* node.distrust("does not know the blockhash that the wallet signed yet")
    }
    // Whoever stored an attempt finds it there. Nothing is said to be impossible that has happened.
    if (err === "AlreadyProcessed") return yield* node.distrust("has this transaction already")
    if (isRelayersFault(err)) return yield* unavailable(bench, relayerWords(bench))
    if (customError(err) === insufficientFunds) {
      return yield* impossible(bench, "INSUFFICIENT_BALANCE", "The wallet has too little of the input token.")
    }
    return yield* impossible(bench, "REVERTED", `The chain would refuse the wallet's transaction: ${wordsOf(err)}.`)
  })
  yield* bench.nodes.use((node) =>
    Effect.flatMap(simulate(node, operation.transaction, false), (err): Prepared =>
      err === null ? Effect.void : judge(node, err)
    )
  )
})

/**
 * Refuses to pay into an account that is not the recipient's: its owner can be changed. Where the transaction opens the
 * account, the chain looks at that itself.
 */
const checkAccount = Effect.fnUntraced(function* (
  bench: Bench,
  node: Node,
  { opensAccount, to, token }: SendJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  if (opensAccount || isNative(token)) return
  const at = yield* bench.tokenAccountOf(to, token)
  const [account] = yield* readAccounts(node, [at])
  const held = tokenAccount(account)
  if (held === undefined) {
    return yield* impossible(bench, "REVERTED", `${to} has no token account ${at}, and nobody paid for one.`)
  }
  if (held.owner !== to) {
    return yield* impossible(bench, "REVERTED", `The token account ${at} of ${to} belongs to ${held.owner} by now.`)
  }
  if (held.mint !== token) {
    return yield* impossible(bench, "REVERTED", `The token account ${at} of ${to} is one of another token.`)
  }
})

/** Stands where a node puts a blockhash of its own. */
const noBlockhash = "11111111111111111111111111111111"

/** The transaction of a job without signatures and with a placeholder as its blockhash. */
export const unsignedSend = Effect.fnUntraced(function* (bench: Bench, job: SendJob) {
  const message = Messages.compile(bench.relayer.address, noBlockhash, yield* sendInstructions(bench, job))
  const wire = ofMessage(message)
  return wire === undefined ? yield* Effect.die("A message that was just written cannot be read.") : wire
})

const prepareSend = Effect.fnUntraced(function* (
  bench: Bench,
  job: SendJob
): Effect.fn.Return<void, ChainUnavailable | Impossible> {
  if (!Chain.isAddress("solana", job.to)) {
    return yield* impossible(bench, "REVERTED", "The recipient is no address on Solana.")
  }
  const wire = yield* unsignedSend(bench, job)
  const vaultIndex = wire.compiled.staticAccounts.findIndex((account) => account === bench.vault.address)
  const refusal = (err: unknown): Impossible => {
    const poor = poorAccount(err)
    if (isRelayersFault(err)) return impossible(bench, "INSUFFICIENT_INVENTORY", relayerWords(bench))
    return customError(err) === insufficientFunds || (poor !== undefined && poor === vaultIndex)
      ? impossible(bench, "INSUFFICIENT_INVENTORY", `The vault or the relayer has too little: ${wordsOf(err)}.`)
      : impossible(bench, "REVERTED", `The chain would refuse to pay ${job.to}: ${wordsOf(err)}.`)
  }
  const transaction = write(wire, new Map())
  yield* bench.nodes.use(
    Effect.fnUntraced(function* (node): Effect.fn.Return<void, ChainUnavailable | Impossible> {
      yield* checkAccount(bench, node, job)
      const err = yield* simulate(node, transaction, true)
      if (err !== null) return yield* refusal(err)
    })
  )
})

/** Simulates a job. All that its transaction is follows from the job, so the draft holds no more. */
export const prepare = (bench: Bench, job: Job): Effect.Effect<Draft, ChainUnavailable | Impossible> =>
  Effect.as(job.kind === "collect" ? prepareCollect(bench, job) : prepareSend(bench, job), { job, plan: undefined })
