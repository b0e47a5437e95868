/** The first half of a swap: the input comes in, or the swap fails before anything moved. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, Impossible } from "../../Chains.js"
import type { SwapRecord } from "../../SwapRecord.js"
import { stuck } from "./ends.js"
import { chainFor, jobOf } from "./jobs.js"
import { send, watch } from "./transaction.js"
import { type Advance, change, now, type Obstacle, raiseNonce, signAndStore, type Worker } from "./worker.js"

/** A Solana operation says its end in blocks; no blockhash lives longer than this. */
const longestBlockhashMillis = 180_000

/** Whether the wallet's signature is past its time by our own clock. */
const isLate = Effect.fnUntraced(function* ({ createdAt, operation }: SwapRecord) {
  const until = operation._tag === "evm" ? operation.deadline * 1000 : createdAt + longestBlockhashMillis
  return (yield* Clock.currentTimeMillis) > until
})

/** Whether the wallet's own storage says that it paid, whatever receipts and logs say. */
const isPaid = ({ operation, wallet }: SwapRecord, chain: Chain) =>
  chain.family === "evm" && operation._tag === "evm"
    ? chain.isPaid(wallet, BigInt(operation.nonce))
    : Effect.succeed(false)

/** The operation is used, and what the nodes show of our transactions does not say by what: it may be by them. */
const waitForProof = (swap: SwapRecord) =>
  stuck(swap, "the operation seems to be executed, and its event is not shown yet")

/** → failed. Once anything of ours was signed, the chain has to say as well that the wallet has not paid. */
const fail = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  failureCode: string,
  detail: string
): Effect.fn.Return<Advance, Obstacle> {
  const attempts = yield* worker.store.attempts(swap.id, "collect")
  const paid = attempts.length > 0 && (yield* isPaid(swap, chainFor(worker.directory.chains, swap, "collect")))
  return paid ? yield* waitForProof(swap) : now(yield* change(worker, swap, "failed", detail, { failureCode }))
})

const expired = "the operation expired before it was executed; nothing moved"

/** accepted → origin_prepared. Nothing of ours can land at this point, so that giving up is safe. */
export const prepareOrigin = (worker: Worker, swap: SwapRecord): Effect.Effect<Advance, Obstacle> =>
  Effect.gen(function* () {
    const chain = chainFor(worker.directory.chains, swap, "collect")
    const draft = yield* chain.prepare(jobOf(swap, "collect"))
    return now(yield* signAndStore(worker, swap, "collect", draft, "origin_prepared", "collect is signed"))
  }).pipe(
    Effect.catchTags({
      Impossible: ({ code, message }): Effect.Effect<Advance, Obstacle> =>
        code === "ALREADY_DONE"
          ? waitForProof(swap)
          : fail(worker, swap, code, `the chain would refuse the operation (${message}); nothing moved`),
      ChainUnavailable: (error) =>
        Effect.flatMap(isLate(swap), (late): Effect.Effect<Advance, Obstacle> =>
          late ? fail(worker, swap, "OPERATION_EXPIRED", expired) : Effect.fail(error)
        )
    })
  )

/** origin_prepared → origin_sent. */
export const sendOrigin = (worker: Worker, swap: SwapRecord) => send(worker, swap, "collect", "origin_sent")

/** The operation's deadline is past for good: at a block that cannot be undone. */
const isOver = (swap: SwapRecord) => (chain: Chain) =>
  chain.family === "evm" && swap.operation._tag === "evm"
    ? Effect.map(chain.finalTime, (time) => swap.operation._tag === "evm" && time > swap.operation.deadline)
    : Effect.succeed(false)

/** What went wrong with a transaction that did nothing, as far as the chain says so now. */
const reasonOf = (worker: Worker, swap: SwapRecord): Effect.Effect<Impossible["code"]> => {
  const chain = chainFor(worker.directory.chains, swap, "collect")
  return chain.prepare(jobOf(swap, "collect")).pipe(
    Effect.as("REVERTED" as const),
    Effect.catchTags({
      Impossible: ({ code }) => Effect.succeed(code),
      // Solana does not try again what is in a block already: then the balance is the best guess.
      ChainUnavailable: () =>
        Effect.map(chain.balanceOf(swap.inputToken, swap.wallet), (balance) =>
          balance < swap.amount ? ("INSUFFICIENT_BALANCE" as const) : ("REVERTED" as const)
        )
    }),
    Effect.orElseSucceed(() => "REVERTED" as const)
  )
}

/** origin_sent → origin_final or failed; back to origin_prepared where the relayer's nonce went to something else. */
export const watchOrigin = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "collect",
    cancel: isOver(swap),
    done: ({ block, hash: originTxHash }) =>
      Effect.map(
        change(worker, swap, "origin_final", `the input arrived: ${originTxHash}`, { originTxHash, block }),
        now
      ),
    dead: ({ message, why }) =>
      Effect.gen(function* () {
        if (why === "reverted") {
          return yield* fail(worker, swap, yield* reasonOf(worker, swap), `the operation was refused (${message})`)
        }
        if (why === "expired" || (yield* isLate(swap))) return yield* fail(worker, swap, "OPERATION_EXPIRED", expired)
        yield* raiseNonce(worker, swap, "collect")
        return yield* prepareOrigin(worker, swap)
      })
  })
