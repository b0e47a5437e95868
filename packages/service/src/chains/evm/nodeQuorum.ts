/** The nodes of an EVM chain: the first that answers for what may be wrong, a quorum of them for what must not. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ChainUnavailable } from "../Chains.js"
import type * as Config from "../../config/Config.js"
import * as Quorum from "../quorum.js"
import type { Nodes } from "./rpcNodes.js"
import * as Reads from "./reads.js"

/** A question to one node. */
type Question<A> = (reads: Reads.Reads, host: string) => Effect.Effect<A, ChainUnavailable>

export interface NodeQuorum {
  /** Reads of the first node that can answer. */
  readonly first: Reads.Reads
  /** How many nodes there are. */
  readonly count: number
  /** How many of them must agree on a terminal fact. */
  readonly quorum: number
  /** Asks every node; never fails. */
  readonly askEach: <A>(question: Question<A>) => Effect.Effect<Quorum.Answers<A>>
  /** Asks every node. Nodes that do not answer are left out; fails if none does. */
  readonly askAll: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Asks every node, and fails if fewer than the quorum answer. */
  readonly askQuorum: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /**
   * Like `askAll`, but without nodes that take longer than `graceMillis` after half of them have answered: of three, a
   * fast one does not decide alone, and a slow one delays nothing.
   */
  readonly askWithin: <A>(
    graceMillis: number,
    question: Question<A>
  ) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Asks all nodes, and takes the first answer. */
  readonly askAny: <A>(question: Question<A>) => Effect.Effect<A, ChainUnavailable>
  /** Fewer nodes answered than must agree. */
  readonly belowQuorum: (asked: Quorum.Answers<unknown>) => ChainUnavailable
}

/** Asks at once, and takes the first answer; fails once all have failed. */
export const race = <A>(
  chainId: number,
  questions: ReadonlyArray<Effect.Effect<A, ChainUnavailable>>
): Effect.Effect<A, ChainUnavailable> =>
  Effect.raceAll(questions).pipe(
    Effect.catchCause((cause) => {
      const failures = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
      return failures.length === 0 ? Effect.failCause(cause) : Effect.fail(Quorum.noAnswer(chainId, failures))
    })
  )

export const make = (nodes: Nodes, config: Config.EvmChain): NodeQuorum => {
  const { id } = config
  const all = nodes.all.map(({ ask, host }) => ({ host, reads: Reads.make(ask, id) }))
  /** Of two, one: there is no majority of two, and one that hangs would delay everything. */
  const half = Math.ceil(all.length / 2)

  const askEach: NodeQuorum["askEach"] = (question) => Quorum.askEach(all, ({ host, reads }) => question(reads, host))

  const askAll: NodeQuorum["askAll"] = (question) =>
    Effect.flatMap(askEach(question), ({ answers, failures }) =>
      answers.length === 0 ? Quorum.noAnswer(id, failures) : Effect.succeed(answers)
    )

  return {
    first: Reads.make(nodes.ask, id),
    count: all.length,
    quorum: Quorum.quorumOf(config),
    askEach,
    askAll,
    askQuorum: (question) => Quorum.askQuorum(config, all, ({ host, reads }) => question(reads, host)),
    askWithin: Effect.fnUntraced(function* (graceMillis, question) {
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
      return yield* askAll((reads, host) =>
        Effect.raceFirst(
          Effect.tap(question(reads, host), () => count),
          late
        )
      )
    }),
    askAny: (question) =>
      race(
        id,
        all.map(({ host, reads }) => question(reads, host))
      ),
    belowQuorum: (asked) => Quorum.belowQuorum(config, asked)
  }
}
