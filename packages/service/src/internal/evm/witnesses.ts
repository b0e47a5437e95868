/** The nodes of a chain as witnesses: money moves only on what all of them say that answer. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ChainUnavailable } from "../../Chains.js"
import type * as Config from "../../Config.js"
import type { Nodes } from "./node.js"
import * as Reads from "./reads.js"

/** What one node said. */
export interface Testimony<A> {
  readonly host: string
  readonly answer: A
}

export interface Witnesses {
  /** Reads of the first node that can answer. */
  readonly first: Reads.Reads
  /** How many there are. */
  readonly count: number
  /** Asks each node by itself. Those that do not answer are left out, unless none does. */
  readonly hear: <A>(
    question: (reads: Reads.Reads) => Effect.Effect<A, ChainUnavailable>
  ) => Effect.Effect<ReadonlyArray<Testimony<A>>, ChainUnavailable>
  /**
   * The same, but without nodes that take longer than `graceMillis` after half of them have answered: of three, a fast
   * one does not decide alone, and a slow one delays nothing.
   */
  readonly hearWithin: <A>(
    graceMillis: number,
    question: (reads: Reads.Reads) => Effect.Effect<A, ChainUnavailable>
  ) => Effect.Effect<ReadonlyArray<Testimony<A>>, ChainUnavailable>
  /** Asks all nodes, and takes the first answer. */
  readonly any: <A>(
    question: (reads: Reads.Reads) => Effect.Effect<A, ChainUnavailable>
  ) => Effect.Effect<A, ChainUnavailable>
}

/** Why all nodes failed. */
const together = (chainId: number, failures: ReadonlyArray<ChainUnavailable>) =>
  new ChainUnavailable({
    chainId,
    message: failures.map(({ message }) => message).join(" "),
    timeout: failures.every(({ timeout }) => timeout),
    ...(failures.some(({ behind }) => behind) && { behind: true })
  })

/** Asks at once, and takes the first answer; fails once all have failed. */
export const race = <A>(
  chainId: number,
  questions: ReadonlyArray<Effect.Effect<A, ChainUnavailable>>
): Effect.Effect<A, ChainUnavailable> =>
  Effect.raceAll(questions).pipe(
    Effect.catchCause((cause) => {
      const failures = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
      return failures.length === 0 ? Effect.failCause(cause) : Effect.fail(together(chainId, failures))
    })
  )

export const make = (nodes: Nodes, { id }: Config.EvmChain): Witnesses => {
  const all = nodes.all.map(({ ask, host }) => ({ host, reads: Reads.make(ask, id) }))
  /** Of two, one: there is no majority of two, and one that hangs would delay everything. */
  const half = Math.ceil(all.length / 2)

  const hear: Witnesses["hear"] = Effect.fnUntraced(function* (question) {
    const results = yield* Effect.forEach(
      all,
      ({ host, reads }) => Effect.result(Effect.map(question(reads), (answer) => ({ host, answer }))),
      { concurrency: "unbounded" }
    )
    const heard = results.filter(Result.isSuccess).map(({ success }) => success)
    if (heard.length > 0) return heard
    return yield* together(
      id,
      results.filter(Result.isFailure).map(({ failure }) => failure)
    )
  })

  return {
    first: Reads.make(nodes.ask, id),
    count: all.length,
    hear,
    hearWithin: Effect.fnUntraced(function* (graceMillis, question) {
      const answered = yield* Deferred.make<void>()
      let answers = 0
      const count = Effect.suspend(() =>
        ++answers < half ? Effect.void : Effect.asVoid(Deferred.succeed(answered, undefined))
      )
      const late = Deferred.await(answered).pipe(
        Effect.andThen(Effect.sleep(graceMillis)),
        Effect.andThen(
          new ChainUnavailable({ chainId: id, message: "A node was slower than the others.", timeout: true })
        )
      )
      return yield* hear((reads) =>
        Effect.raceFirst(
          Effect.tap(question(reads), () => count),
          late
        )
      )
    }),
    any: (question) =>
      race(
        id,
        all.map(({ reads }) => question(reads))
      )
  }
}
