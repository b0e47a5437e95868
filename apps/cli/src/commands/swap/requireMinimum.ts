/** `--yes` signs what the service quotes, so it requires a minimum that does not come from the service. */
import * as Effect from "effect/Effect"
import { isGoverned } from "../../agent/signingSession.js"
import { Flags } from "../../flags/Flags.js"
import type { SwapArgs } from "../../flags/swapFlags.js"
import { Settings } from "../../config/Settings.js"
import { usage } from "../../output/Exit.js"
import * as OwnPrices from "../../swap/OwnPrices.js"
import * as SwapRequest from "../../swap/SwapRequest.js"

/**
 * Fails if `--yes` is passed, and neither a flag nor a policy sets a minimum for the swap. A policy for agents sets one,
 * or asks a person to approve the exact terms. The `minOutput` of the configuration does not depend on the amount of the
 * swap, so it is not enough. Nothing is sent to the service.
 */
export const requireMinimum = Effect.fnUntraced(function* (args: SwapArgs) {
  const { yes } = yield* Flags
  if (!yes || (args.minOutput ?? args.minOutputRaw ?? args.maxLoss) !== undefined) return
  // A chain that only the service knows is in no configuration, so there is no own price for its tokens.
  const order = yield* Effect.catchTag(SwapRequest.resolveOrder(args), "UnknownName", () => Effect.succeed(undefined))
  const { policy } = yield* Settings
  if (order !== undefined) {
    if (policy.maxLossBps !== undefined && (yield* OwnPrices.coverPair(order))) return
    if (yield* isGoverned(order.origin.chain.family)) return
  }
  const token = order?.destination.token
  const flag = token?.pinned === false ? "--min-output-raw <units>" : "--min-output <amount>"
  const received = token === undefined ? "" : ` ${token.pinned ? token.symbol : token.address}`
  return yield* usage(
    "With --yes, only the service would decide how much you receive: no flag and no policy sets a minimum. Nothing was sent or signed.",
    `Run the same command with ${flag}: the least${received} that you accept, computed from a price that does not come from the service. Or set your own prices (policy.prices in the configuration) and pass --max-loss <percent>. At a terminal, omit --yes to see the terms first.`
  )
})
