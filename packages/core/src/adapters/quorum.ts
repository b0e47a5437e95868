/** Combines the responses of several nodes. At least `quorum` nodes have responded. */
import type { SignedState } from "../ChainReader.js"

/** Returns the result, or `undefined` if the responses contradict each other. */
export type Combine<A> = (answers: ReadonlyArray<A>, quorum: number) => A | undefined

/** More than half of the nodes, so that neither a failing nor a lying node decides alone if there are others. */
export const majorityOf = (nodes: number): number => Math.floor(nodes / 2) + 1

/** Requires that all nodes that responded agree. */
export const unanimous =
  <A>(describe: (answer: A) => string): Combine<A> =>
  (answers) =>
    new Set(answers.map(describe)).size === 1 ? answers[0] : undefined

/**
 * Returns the largest amount that `quorum` nodes report or exceed. A node that lags behind has not seen a payment yet, so
 * different amounts do not contradict each other.
 */
export const quorumAmount: Combine<bigint> = (amounts, quorum) =>
  amounts.toSorted((one, other) => (one < other ? 1 : one > other ? -1 : 0))[quorum - 1]

/**
 * Returns the state that `quorum` nodes report. Without such a quorum, the state is "open", because nodes may lag behind.
 * "used" and "expired" contradict each other, no matter how many nodes report them.
 */
export const quorumState: Combine<SignedState> = (states, quorum) => {
  const isAgreed = (state: SignedState) => states.filter((found) => found === state).length >= quorum
  if (states.includes("used") && states.includes("expired")) return undefined
  return isAgreed("used") ? "used" : isAgreed("expired") ? "expired" : "open"
}
