/**
 * The quorum of a chain's nodes: how many nodes must agree on a terminal outcome, and how their responses are combined.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { ChainUnavailable } from "./ChainError.js"
import type { Access } from "./nodeLimits.js"
import type { Agreement, Outcome } from "./Outcome.js"

/** One node's response. */
export interface Answer<A> {
  /** The host without the path and credentials, which may be secret. */
  readonly host: string
  readonly value: A
}

/** The nodes' responses to one query. */
export interface Answers<A> {
  readonly answers: ReadonlyArray<Answer<A>>
  /** The errors from the nodes that did not respond. */
  readonly failures: ReadonlyArray<ChainUnavailable>
}

/** The part of a chain's configuration that the quorum depends on. */
export interface Chain {
  readonly id: number
  readonly name: string
  readonly rpcUrls: ReadonlyArray<string>
  readonly quorum?: number
}

/** How many nodes must agree (default: a majority). */
export const quorumOf = ({ quorum, rpcUrls }: Pick<Chain, "quorum" | "rpcUrls">): number =>
  quorum ?? Math.floor(rpcUrls.length / 2) + 1

/** Creates the error for a chain that cannot be used at the moment, or whose state is unknown. */
export const unavailable = ({ id }: Pick<Chain, "id">, message: string): ChainUnavailable =>
  new ChainUnavailable({ chainId: id, message, timeout: false })

/** Creates the error for a query that failed on every node. */
export const noAnswer = (chainId: number, failures: ReadonlyArray<ChainUnavailable>): ChainUnavailable =>
  new ChainUnavailable({
    chainId,
    message: failures.map(({ message }) => message).join(" "),
    timeout: failures.every(({ timeout }) => timeout),
    ...(failures.every(({ unanswered }) => unanswered) && { unanswered: true }),
    ...(failures.some(({ behind }) => behind) && { behind: true })
  })

/** Creates the error for a query to which fewer nodes responded than the quorum requires. */
export const belowQuorum = (chain: Chain, { answers, failures }: Answers<unknown>): ChainUnavailable =>
  new ChainUnavailable({
    chainId: chain.id,
    message: [
      `Chain ${chain.id} (${chain.name}) is below its quorum: ${answers.length} of ${chain.rpcUrls.length} nodes responded,`,
      `but ${quorumOf(chain)} must agree.`,
      ...failures.map(({ message }) => message)
    ].join(" "),
    timeout: failures.length > 0 && failures.every(({ timeout }) => timeout)
  })

/** Queries all nodes concurrently. */
export const askEach = <N extends { readonly host: string }, A>(
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<Answers<A>> =>
  Effect.map(
    Effect.forEach(
      nodes,
      (node) => Effect.result(Effect.map(question(node), (value): Answer<A> => ({ host: node.host, value }))),
      { concurrency: "unbounded" }
    ),
    (results) => ({
      answers: results.filter(Result.isSuccess).map(({ success }) => success),
      failures: results.filter(Result.isFailure).map(({ failure }) => failure)
    })
  )

/** Queries all nodes concurrently and returns the first response. Fails once all queries have failed. */
export const askFirst = <N, A>(
  chainId: number,
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<A, ChainUnavailable> =>
  Effect.raceAll(nodes.map(question)).pipe(
    Effect.catchCause((cause) => {
      const failures = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
      return failures.length === 0 ? Effect.failCause(cause) : Effect.fail(noAnswer(chainId, failures))
    })
  )

/**
 * Sends a transaction to all nodes, because a single node could withhold it. Returns once one node has accepted it. The
 * others still receive it, even if it waits for their limits.
 */
export const sendToAll = <N, A>(
  chainId: number,
  nodes: ReadonlyArray<N>,
  send: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<A, ChainUnavailable> =>
  askFirst(chainId, nodes, (node) => Effect.flatMap(Effect.forkDetach(send(node)), Fiber.join))

/** A node of a quorum. */
interface Member {
  readonly host: string
  readonly access: Pick<Access, "isAside">
}

/** How long to wait for the other nodes once a quorum of nodes has responded. */
const graceMillis = 1_000

/** Queries all nodes concurrently. Once a quorum of them has responded, waits only a little longer for the others. */
const askWithin = Effect.fnUntraced(function* <N extends Member, A>(
  chain: Chain,
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
) {
  const enough = quorumOf(chain)
  if (nodes.length <= enough) return yield* askEach(nodes, question)
  const answered = Deferred.makeUnsafe<void>()
  let answers = 0
  const late = Deferred.await(answered).pipe(
    Effect.andThen(Effect.sleep(graceMillis)),
    Effect.andThen(
      new ChainUnavailable({ chainId: chain.id, message: "A node was slower than the others.", timeout: true })
    )
  )
  return yield* askEach(nodes, (node) =>
    Effect.raceFirst(
      Effect.tap(question(node), () =>
        Effect.sync(() => {
          if (++answers === enough) Deferred.doneUnsafe(answered, Effect.void)
        })
      ),
      late
    )
  )
})

/** Queries a quorum of nodes. Queries the nodes that refuse calls for a while only if the others are not enough. */
export const askEnough = Effect.fnUntraced(function* <N extends Member, A>(
  chain: Chain,
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.fn.Return<Answers<A>> {
  const now = yield* Clock.currentTimeMillis
  const enough = quorumOf(chain)
  const ready = nodes.filter(({ access }) => !access.isAside(now))
  if (ready.length === nodes.length || ready.length < enough) return yield* askWithin(chain, nodes, question)
  const first = yield* askWithin(chain, ready, question)
  if (first.answers.length >= enough) return first
  const others = yield* askEach(
    nodes.filter((node) => !ready.includes(node)),
    question
  )
  return { answers: [...first.answers, ...others.answers], failures: [...first.failures, ...others.failures] }
})

/** Like `askEnough`, but fails if fewer nodes respond than the quorum requires. */
export const askQuorum = <N extends Member, A>(
  chain: Chain,
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<ReadonlyArray<Answer<A>>, ChainUnavailable> =>
  Effect.flatMap(askEnough(chain, nodes, question), (responses) =>
    responses.answers.length < quorumOf(chain) ? belowQuorum(chain, responses) : Effect.succeed(responses.answers)
  )

/** Returns the highest value that a quorum has reached, for values that only increase: heights, times and nonces. */
export const reachedBy = <V extends bigint | number>(quorum: number, values: ReadonlyArray<V>): V | undefined =>
  values.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))[quorum - 1]

/** Counts the nodes that report the most common value. */
export const agreeing = (chain: Pick<Chain, "quorum" | "rpcUrls">, values: ReadonlyArray<string>): Agreement => ({
  nodes: chain.rpcUrls.length,
  agreeing: Math.max(0, ...values.map((value) => values.filter((other) => other === value).length)),
  quorum: quorumOf(chain)
})

/** A job's outcome as one node reports it, with that node's height. */
export interface NodeView {
  readonly height: bigint
  readonly outcome: Outcome
}

/** The result of combining several nodes' views. */
export type QuorumResult =
  /** A quorum reports the same terminal outcome. All other nodes are behind. */
  | { readonly _tag: "Agreed"; readonly outcome: Outcome }
  /**
   * Fewer nodes than the quorum requires report a terminal outcome. All other nodes are behind, and `outcome` is the
   * outcome reported by one of the nodes that are behind.
   */
  | { readonly _tag: "Behind"; readonly outcome: Outcome }
  /**
   * A node contradicts another node's terminal outcome. `open` is the contradicting node's outcome, if that outcome is
   * not terminal.
   */
  | { readonly _tag: "Contradiction"; readonly open?: Outcome }

/** Whether an outcome is terminal. */
export const isTerminal = ({ _tag }: Outcome): boolean => _tag === "Done" || _tag === "Dead"

/**
 * Describes what nodes must agree on. For `Done`, this includes the block, because balances are later compared with
 * that block.
 */
const summaryOf = (outcome: Outcome): string =>
  outcome._tag === "Done"
    ? `Done by ${outcome.hash} in block ${outcome.block}${outcome.amount === undefined ? "" : ` of ${outcome.amount} units`}`
    : outcome._tag

/** Describes the nodes' views. */
export const describeViews = (views: ReadonlyArray<Answer<NodeView>>): string =>
  views.map(({ host, value }) => `${host} reports ${summaryOf(value.outcome)} at block ${value.height}`).join(", ")

/**
 * Returns one of several terminal outcomes that may differ only in their reason. Prefers an outcome whose reason is
 * reported by a quorum. If there is no such outcome, prefers one whose reason is not a revert.
 */
const reasonOf = (terminal: ReadonlyArray<NodeView>, quorum: number): Outcome | undefined => {
  const whyOf = ({ outcome }: NodeView) => (outcome._tag === "Dead" ? outcome.why : "")
  const supported = terminal.find((one) => terminal.filter((other) => whyOf(other) === whyOf(one)).length >= quorum)
  return (supported ?? terminal.find((one) => whyOf(one) !== "reverted") ?? terminal[0])?.outcome
}

/**
 * Combines the views of the nodes that responded. At least one view must be terminal. A node is treated as behind if
 * its height is below that of every node with a terminal outcome. There is one exception: if too few nodes for a quorum
 * have a terminal outcome, a node that is more than `maxBehind` blocks below one of them contradicts them.
 */
export const combineViews = (views: ReadonlyArray<NodeView>, quorum: number, maxBehind?: bigint): QuorumResult => {
  const terminal = views.filter(({ outcome }) => isTerminal(outcome))
  const open = views.filter(({ outcome }) => !isTerminal(outcome))
  if (new Set(terminal.map(({ outcome }) => summaryOf(outcome))).size > 1) return { _tag: "Contradiction" }
  const isBehind = (view: NodeView) => terminal.every(({ height }) => view.height < height)
  const ahead = open.find((view) => !isBehind(view))
  if (ahead !== undefined) return { _tag: "Contradiction", open: ahead.outcome }
  const outcome = reasonOf(terminal, quorum)
  if (outcome !== undefined && terminal.length >= quorum) return { _tag: "Agreed", outcome }
  const isLost = ({ height }: NodeView) =>
    maxBehind !== undefined && terminal.some((other) => other.height - height > maxBehind)
  const lost = open.find(isLost)
  const [first] = open
  return lost !== undefined || first === undefined
    ? { _tag: "Contradiction", ...(lost !== undefined && { open: lost.outcome }) }
    : { _tag: "Behind", outcome: first.outcome }
}
