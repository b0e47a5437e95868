/** What is left of a policy's budgets. Nothing here reserves anything. */
import type * as Effect from "effect/Effect"
import * as Store from "../Store.js"
import type { Budget } from "../Policy.js"
import type { StoreError } from "../SwapError.js"
import { reservationOf, swapCountOf } from "./reservation.js"

/** Returns how much of a budget a wallet may still spend. */
export const budgetLeft = (
  store: Store.Store,
  walletAddress: string,
  { amount, chain, token, window = "total" }: Budget
): Effect.Effect<bigint, StoreError> =>
  Store.left(store, reservationOf({ walletAddress, originChain: chain, inputToken: token }, "view"), { window, amount })

/** Returns how many more swaps of a wallet may be signed in this hour. */
export const swapsLeft = (
  store: Store.Store,
  walletAddress: string,
  maxSwapsPerHour: number
): Effect.Effect<bigint, StoreError> =>
  Store.left(store, swapCountOf({ walletAddress }, "view"), { window: "hour", amount: BigInt(maxSwapsPerHour) })
