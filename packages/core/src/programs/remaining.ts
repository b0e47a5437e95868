/** What is left of a policy's budgets. Nothing here reserves anything. */
import * as Effect from "effect/Effect"
import type * as Ledger from "../Ledger.js"
import type { Budget } from "../Policy.js"
import type { LedgerError } from "../SwapError.js"
import { reservationOf, swapCountOf } from "./reservation.js"

/** Returns what is left of a limit. Reserves nothing, because the amount exceeds the limit. */
const leftOf = (ledger: Ledger.Ledger, scope: Ledger.Scope, limit: Ledger.Limit): Effect.Effect<bigint, LedgerError> =>
  Effect.map(
    ledger.reserve({ ...scope, id: "view", amount: limit.amount + 1n, limits: [limit] }),
    (exhausted) => exhausted?.left ?? 0n
  )

/** Returns how much of a budget a wallet may still spend. */
export const budgetLeft = (
  ledger: Ledger.Ledger,
  walletAddress: string,
  { amount, chain, token, window = "total" }: Budget
): Effect.Effect<bigint, LedgerError> =>
  leftOf(ledger, reservationOf({ walletAddress, originChain: chain, inputToken: token }, "view"), { window, amount })

/** Returns how many more swaps of a wallet may be signed in this hour. */
export const swapsLeft = (
  ledger: Ledger.Ledger,
  walletAddress: string,
  maxSwapsPerHour: number
): Effect.Effect<bigint, LedgerError> =>
  leftOf(ledger, swapCountOf({ walletAddress }, "view"), { window: "hour", amount: BigInt(maxSwapsPerHour) })
