/** Signs transactions that have been simulated. */
import { type Blockhash, getBase58Decoder } from "@solana/kit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CollectJob, SendJob } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { SolanaKey } from "../../Keys.js"
import * as Quorum from "../../quorum.js"
import { isSignedBy } from "../accounts/ed25519.js"
import { type ChainContext, unavailable } from "../context.js"
import { Epoch, Lifetime, Validity } from "../nodes/rpcSchemas.js"
import { budgetIn, collectWire, compileWire, mostCostOfSends, noBlockhash, sendInstructions } from "./instructions.js"
import { raised } from "./priorityFee.js"
import { feeOf } from "./programs.js"
import { type Wire, writableIn, write } from "./wireTransaction.js"

/** Payments from the vault in one transaction, and its compute unit limit. */
export interface Sends {
  readonly sends: ReadonlyArray<SendJob>
  readonly units: number
}

/** What a transaction does: one collection, or at least one payment from the vault. */
export type Plan = { readonly collect: CollectJob } | Sends

/** The number of blocks for which a blockhash is valid. */
const lifetimeBlocks = 150n

/**
 * Returns the latest confirmed blockhash and the last height at which it is valid. One node provides the blockhash, and
 * a quorum of nodes must have seen it. The last height is derived from the quorum's heights. Otherwise, one node could
 * make a transaction look expired even though it can still land.
 */
export const latestBlockhash = Effect.fnUntraced(function* (context: ChainContext) {
  const { config, nodes } = context
  const { value } = yield* nodes.use((node) =>
    node.ask("getLatestBlockhash", Lifetime, (rpc) => rpc.getLatestBlockhash({ commitment: "confirmed" }))
  )
  const { blockhash } = value
  const answers = yield* Quorum.askQuorum(
    config,
    nodes.all,
    Effect.fnUntraced(function* (node) {
      const { value: known } = yield* node.ask("isBlockhashValid", Validity, (rpc) =>
        rpc.isBlockhashValid(blockhash as Blockhash, { commitment: "processed" })
      )
      // Read the height after `isBlockhashValid`, because a node that has seen the blockhash has reached at least the
      // blockhash's block.
      const { blockHeight } = yield* node.ask("getEpochInfo", Epoch, (rpc) =>
        rpc.getEpochInfo({ commitment: "processed" })
      )
      return { known, blockHeight }
    })
  )
  const heights = answers.flatMap(({ value }) => (value.known ? [value.blockHeight] : []))
  const height = Quorum.reachedBy(Quorum.quorumOf(config), heights)
  if (height === undefined) {
    return yield* unavailable(context, "Too few nodes have seen the latest blockhash. The other nodes may be behind.")
  }
  return { blockhash, lastValidBlockHeight: height + lifetimeBlocks }
})

const signatureOf = Effect.fnUntraced(function* (context: ChainContext, key: SolanaKey, message: Uint8Array) {
  const signature = yield* Effect.mapError(key.signMessage(message), (error) => unavailable(context, error.message))
  return (yield* isSignedBy(key.address, signature, message))
    ? signature
    : yield* unavailable(context, `The key for ${key.address} returned an invalid signature.`)
})

/** Adds the given keys' signatures to a transaction. */
const attemptOf = Effect.fnUntraced(function* (
  context: ChainContext,
  { message, signatures, signers }: Wire,
  keys: ReadonlyArray<SolanaKey>,
  lastValidBlockHeight: bigint,
  maxCost: bigint
): Effect.fn.Return<Attempt, ChainUnavailable> {
  const all = new Map(signers.map((signer, index) => [signer, signatures[index] ?? new Uint8Array(64)]))
  for (const key of keys) {
    if (all.has(key.address)) all.set(key.address, yield* signatureOf(context, key, message))
  }
  const [feePayer = ""] = signers
  return {
    raw: write({ message, signers }, all),
    hash: getBase58Decoder().decode(all.get(feePayer) ?? new Uint8Array(64)),
    lastValidBlockHeight,
    maxCost,
    cancels: false,
    createdAt: yield* Clock.currentTimeMillis
  }
})

const signCollect = Effect.fnUntraced(function* (context: ChainContext, job: CollectJob) {
  const wire = yield* collectWire(context, job)
  if (wire === undefined || job.operation._tag !== "solana") {
    return yield* Effect.die("The transaction was not prepared.")
  }
  const { price, units } = budgetIn(wire)
  const lastValid = BigInt(job.operation.lastValidBlockHeight)
  return yield* attemptOf(context, wire, [context.relayer], lastValid, feeOf(units, price))
})

const signSends = Effect.fnUntraced(function* (context: ChainContext, { sends, units }: Sends) {
  const compileAt = Effect.fnUntraced(function* (price: bigint, blockhash: string) {
    return yield* compileWire(context, blockhash, yield* sendInstructions(context, sends, { units, price }))
  })
  const tries = Math.max(0, ...sends.map((job) => job.tries ?? 0))
  const market = yield* context.priceFor(writableIn(yield* compileAt(0n, noBlockhash)))
  const price = raised(market, context.config.computeUnitPrice, tries)
  const { blockhash, lastValidBlockHeight } = yield* latestBlockhash(context)
  const wire = yield* compileAt(price, blockhash)
  const maxCost = yield* mostCostOfSends(context, sends, units, price)
  return yield* attemptOf(context, wire, [context.relayer, context.vault], lastValidBlockHeight, maxCost)
})

/** Adds the relayer's signature to the wallet's transaction, or signs the vault's transaction with a new blockhash. */
export const sign = (context: ChainContext, plan: Plan): Effect.Effect<Attempt, ChainUnavailable> =>
  "collect" in plan ? signCollect(context, plan.collect) : signSends(context, plan)
