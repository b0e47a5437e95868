/** How many nodes of a chain must agree before a terminal fact is believed, and what their answers add up to. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ChainUnavailable, type Outcome } from "./Chains.js"

/** The answer of one node. */
export interface Answer<A> {
  /** Without path and credentials: a path is often a key. */
  readonly host: string
  readonly value: A
}

/** What became of the same question to every node. */
export interface Answers<A> {
  readonly answers: ReadonlyArray<Answer<A>>
  /** Of the nodes that did not answer. */
  readonly failures: ReadonlyArray<ChainUnavailable>
}

/** The part of a chain's configuration that the quorum depends on. */
export interface Chain {
  readonly id: number
  readonly name: string
  readonly rpcUrls: ReadonlyArray<string>
  readonly quorum?: number
}

/** How many nodes must agree: as configured, by default a majority. */
export const quorumOf = ({ quorum, rpcUrls }: Pick<Chain, "quorum" | "rpcUrls">): number =>
  quorum ?? Math.floor(rpcUrls.length / 2) + 1

/** Every node failed. */
export const noAnswer = (chainId: number, failures: ReadonlyArray<ChainUnavailable>): ChainUnavailable =>
  new ChainUnavailable({
    chainId,
    message: failures.map(({ message }) => message).join(" "),
    timeout: failures.every(({ timeout }) => timeout),
    ...(failures.some(({ behind }) => behind) && { behind: true })
  })

/** Fewer nodes answered than must agree. */
export const belowQuorum = (
  chain: Chain,
  { answers, failures }: Pick<Answers<unknown>, "answers" | "failures">
): ChainUnavailable =>
  new ChainUnavailable({
    chainId: chain.id,
    message: [
      `Chain ${chain.id} (${chain.name}) is below its quorum: ${answers.length} of ${chain.rpcUrls.length} nodes answered,`,
      `and ${quorumOf(chain)} must combineViews.`,
      ...failures.map(({ message }) => message)
    ].join(" "),
    timeout: failures.length > 0 && failures.every(({ timeout }) => timeout)
  })

/** Asks every node, all at once. */
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

/** Asks every node, and fails unless as many answer as must agree. */
export const askQuorum = <N extends { readonly host: string }, A>(
  chain: Chain,
  nodes: ReadonlyArray<N>,
  question: (node: N) => Effect.Effect<A, ChainUnavailable>
): Effect.Effect<ReadonlyArray<Answer<A>>, ChainUnavailable> =>
  Effect.flatMap(askEach(nodes, question), (responses) =>
    responses.answers.length < quorumOf(chain) ? belowQuorum(chain, responses) : Effect.succeed(responses.answers)
  )

/** The highest value that so many answers reach, for values that only rise, such as heights, times and nonces. */
export const reachedBy = <V extends bigint | number>(quorum: number, values: ReadonlyArray<V>): V | undefined =>
  values.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))[quorum - 1]

/** What one node knows about a job, and its height at that time. */
export interface NodeView {
  readonly height: bigint
  readonly outcome: Outcome
}

/** What the views of several nodes add up to. */
export type QuorumResult =
  /** A quorum reports the same terminal outcome, and all others are only behind. */
  | { readonly _tag: "Agreed"; readonly outcome: Outcome }
  /** Too few report a terminal outcome, and the others are only behind: this is what those see. */
  | { readonly _tag: "Behind"; readonly outcome: Outcome }
  /** A node contradicts the terminal outcome of another. `open` is what it reports, unless that is terminal as well. */
  | { readonly _tag: "Contradiction"; readonly open?: Outcome }

/** Whether an outcome is terminal. */
export const isTerminal = ({ _tag }: Outcome): boolean => _tag === "Done" || _tag === "Dead"

/** What must be the same for all nodes: of `Done` the block as well, since balances are compared with it. */
const summaryOf = (outcome: Outcome): string =>
  outcome._tag === "Done" ? `Done by ${outcome.hash} in block ${outcome.block}` : outcome._tag

/** The views of nodes in words. */
export const describeViews = (views: ReadonlyArray<Answer<NodeView>>): string =>
  views.map(({ host, value }) => `${host} says ${summaryOf(value.outcome)} at block ${value.height}`).join(", ")

/** Of terminal outcomes with the same gist, one whose reason a quorum reports; otherwise one that claims the least. */
const reasonOf = (terminal: ReadonlyArray<NodeView>, quorum: number): Outcome | undefined => {
  const whyOf = ({ outcome }: NodeView) => (outcome._tag === "Dead" ? outcome.why : "")
  const supported = terminal.find((one) => terminal.filter((other) => whyOf(other) === whyOf(one)).length >= quorum)
  return (supported ?? terminal.find((one) => whyOf(one) !== "reverted") ?? terminal[0])?.outcome
}

/**
 * Combines the views of the nodes that answered, at least one of which is terminal. A node that is below all nodes with
 * a terminal outcome is only behind, unless it is more than `mostBehind` below them and they are no quorum.
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
