/** The names of the locks that an acceptance holds. */
import { type Claim, keyOf, widelyShared } from "../../domain/Claim.js"
import type { Call } from "./decide.js"
import * as OperationNonces from "./operationNonces.js"

/** The name of the lock for transactions that determine whether an order becomes a swap. */
export const orderLock = (orderId: string): string => `order ${orderId}`

/** The locks for claims. What a vault holds is locked with its outputs. */
export const claimLocks = (claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  claims.flatMap((claim) => (claim.kind === "vault" || widelyShared.includes(claim.kind) ? [] : [keyOf(claim)]))

/**
 * The locks for a group, each once and in the order in which every transaction takes its locks, so that two groups
 * cannot deadlock.
 */
export const lockNames = (calls: ReadonlyArray<Call>): ReadonlyArray<string> =>
  [
    ...new Set(
      calls.flatMap(({ claims, nonce, swap }) => [
        orderLock(swap.orderId),
        ...(nonce === undefined ? [] : [OperationNonces.lockName(nonce)]),
        ...claimLocks(claims)
      ])
    )
  ].toSorted()
