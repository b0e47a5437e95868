/** Combines the transactions that are observed on a node at the same time into few requests. */
import type { Signature } from "@solana/kit"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ChainUnavailable } from "../../ChainError.js"
import { finalBlock } from "../transactions/prepare.js"
import type { Failure, Node } from "./rpcNodes.js"
import { type Epoch, Status, Statuses } from "./rpcSchemas.js"

/** The statuses of some transactions, in their order. */
export interface Snapshot {
  /** The latest finalized block. The statuses cover every block up to this one. */
  readonly final: typeof Epoch.Type
  readonly statuses: ReadonlyArray<Status>
}

/** Reads the statuses of transactions. All requests are sent after the call. */
export type ReadStatuses = (signatures: ReadonlyArray<string>) => Effect.Effect<Snapshot, ChainUnavailable>

/** One caller's transactions. */
interface Waiting {
  readonly signatures: ReadonlyArray<string>
  readonly answer: Deferred.Deferred<Snapshot, ChainUnavailable>
}

type StatusResult = Result.Result<Status, ChainUnavailable>

/** The maximum number of statuses per request. */
const maxStatuses = 256
/** How long to wait for other callers. */
const waitMillis = 10

const decodeStatus = Schema.decodeUnknownResult(Status)

/** Waits in real time, not on Effect's clock. */
const pause = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, waitMillis)))

/**
 * Rejects a response that is based on an older slot than an earlier response. This can happen because several nodes may
 * share one URL.
 */
export const atLeast = <A extends { readonly context: { readonly slot: bigint } }>(
  node: Node,
  slot: bigint,
  answer: A
) =>
  answer.context.slot < slot
    ? Effect.fail(node.invalidAnswer(`is at slot ${answer.context.slot}, but slot ${slot} is already final`))
    : Effect.succeed(answer)

/** Creates the function that reads statuses from one node. */
export const make = (node: Node): ReadStatuses => {
  let waiting: Array<Waiting> | undefined

  const request = Effect.fnUntraced(function* (signatures: ReadonlyArray<string>) {
    const answer = yield* node.tryAsk("getSignatureStatuses", Statuses, (rpc) =>
      rpc.getSignatureStatuses(
        signatures.map((each) => each as Signature),
        { searchTransactionHistory: true }
      )
    )
    if (answer.value.length === signatures.length) return answer
    // Without as many statuses as signatures, it is unknown which status belongs to which transaction.
    const error = node.invalidAnswer("returned a different number of statuses than requested")
    return yield* Effect.fail<Failure>({ fault: "refused", error })
  })

  /**
   * Reads the statuses of at most 256 transactions. A request that the node refuses is split, because the reason may be
   * a single transaction.
   */
  const readSome = (signatures: ReadonlyArray<string>, finalSlot: bigint): Effect.Effect<ReadonlyArray<StatusResult>> =>
    Effect.matchEffect(request(signatures), {
      onSuccess: (answer) =>
        Effect.match(atLeast(node, finalSlot, answer), {
          onSuccess: ({ value }) =>
            value.map((status) =>
              Result.mapError(decodeStatus(status), () =>
                node.invalidAnswer("returned an invalid response to getSignatureStatuses")
              )
            ),
          onFailure: (error) => signatures.map((): StatusResult => Result.fail(error))
        }),
      onFailure: ({ error, fault }) => {
        if (fault !== "refused" || signatures.length === 1) {
          return Effect.succeed(signatures.map((): StatusResult => Result.fail(error)))
        }
        const half = Math.ceil(signatures.length / 2)
        return Effect.map(
          Effect.all([readSome(signatures.slice(0, half), finalSlot), readSome(signatures.slice(half), finalSlot)]),
          (halves) => halves.flat()
        )
      }
    })

  const readAll = Effect.fnUntraced(function* (callers: ReadonlyArray<Waiting>) {
    // Read the height first, so that the statuses read later cover every block up to this height.
    const final = yield* finalBlock(node)
    const signatures = [...new Set(callers.flatMap((caller) => caller.signatures))]
    const found = new Map<string, StatusResult>()
    for (let from = 0; from < signatures.length; from += maxStatuses) {
      const some = signatures.slice(from, from + maxStatuses)
      const results = yield* readSome(some, final.absoluteSlot)
      for (const [index, result] of results.entries()) found.set(some[index] ?? "", result)
    }
    return { final, found }
  })

  const flush = Effect.gen(function* () {
    yield* pause
    const callers = waiting ?? []
    waiting = undefined
    const exit = yield* Effect.exit(readAll(callers))
    for (const { answer, signatures } of callers) {
      yield* Deferred.completeWith(
        answer,
        Effect.flatMap(exit, ({ final, found }) =>
          Effect.map(
            Effect.forEach(signatures, (signature) =>
              Effect.fromResult(
                found.get(signature) ?? Result.fail(node.invalidAnswer(`returned no status for ${signature}`))
              )
            ),
            (statuses) => ({ final, statuses })
          )
        )
      )
    }
  })

  return (signatures) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<Snapshot, ChainUnavailable>()
      if (waiting !== undefined) {
        waiting.push({ signatures, answer })
        return Deferred.await(answer)
      }
      waiting = [{ signatures, answer }]
      return Effect.andThen(Effect.forkDetach(flush), Deferred.await(answer))
    })
}
