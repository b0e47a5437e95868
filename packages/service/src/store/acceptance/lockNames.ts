/** The names of the locks that an acceptance holds. Replicas running the previous version use the same names. */
import { addressKey } from "../../chains/addressKey.js"
import * as OperationNonces from "../operationNonces.js"
import type { Accepted } from "../SwapRecord.js"
import type { Call } from "./decide.js"
import { paymentLocks } from "./paymentLimits.js"

/** The name of the lock for transactions that determine whether an order becomes a swap. */
export const orderLock = (orderId: string): string => `order ${orderId}`

/** The name of the lock for transactions that reserve an amount of a token on a chain. */
export const inventoryLock = ({ destinationChain, outputToken }: Accepted): string =>
  `inventory ${destinationChain} ${addressKey(outputToken)}`

/**
 * The locks for a group, each once and in the order in which every transaction takes its locks, so that two groups
 * cannot deadlock.
 */
export const lockNames = (calls: ReadonlyArray<Call>): ReadonlyArray<string> =>
  [
    ...new Set(
      calls.flatMap(({ keys: { input, nonce, wallet }, swap }) => [
        `wallet ${swap.originChain} ${input} ${wallet}`,
        inventoryLock(swap),
        orderLock(swap.orderId),
        ...(nonce === undefined ? [] : [OperationNonces.lockName(nonce)]),
        ...paymentLocks(swap)
      ])
    )
  ].toSorted()
