/** What is left of a policy's budgets. Nothing here reserves anything. */
import type * as Effect from "effect/Effect"
import * as Store from "../Store.js"
import type { StoreError } from "../SwapError.js"
import { type Budget, swapCount } from "../Policy.js"

/** Returns how much of a budget a wallet may still spend. */
export const budgetLeft = (
  store: Store.Store,
  wallet: string,
  { amount, chainId, token, window = "total" }: Budget
): Effect.Effect<bigint, StoreError> => Store.left(store, wallet, { chainId, token }, { window, amount })

/** Returns how many more swaps of a wallet may be signed in this hour. */
export const swapsLeft = (
  store: Store.Store,
  wallet: string,
  maxSwapsPerHour: number
): Effect.Effect<bigint, StoreError> =>
  Store.left(store, wallet, swapCount, { window: "hour", amount: BigInt(maxSwapsPerHour) })
