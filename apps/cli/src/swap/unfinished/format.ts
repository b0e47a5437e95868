/** Formats an unfinished swap, which is one that has been signed but whose outcome is not yet known. */
import type { Store } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Directory } from "../../chains/Directory.js"
import { fields, sanitize, type Style } from "../../output/Output.js"
import { formatAgo } from "../../output/time.js"
import { signedTerms } from "../History.js"
import { formatPair } from "../outcome.js"

/** Formats a flow as a block of fields. */
export const format = Effect.fnUntraced(function* (flow: Store.Flow, style: Style) {
  const directory = yield* Directory
  const now = yield* Clock.currentTimeMillis
  return fields(
    [
      ["Unfinished", flow.id],
      ["Started", `${new Date(flow.createdAt).toISOString()}, ${formatAgo(flow.createdAt, now)}`],
      ["Swap", formatPair(signedTerms(directory, flow))],
      ["Wallet", flow.request.walletAddress],
      [
        "State",
        flow.swapId === undefined
          ? "signed; it is not known whether the service accepted the swap"
          : `accepted as ${sanitize(flow.swapId)}`
      ]
    ],
    style.dim
  )
})
