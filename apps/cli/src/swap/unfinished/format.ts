/** Formats an unfinished swap, which is one that has been signed but whose outcome is not yet known. */
import type { Store } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { formatAmount, tokenAt, Directory } from "../../chains/Directory.js"
import { fields, sanitize, type Style } from "../../output/Output.js"
import { formatAgo } from "../../output/time.js"

const formatPair = ({ output, request }: Store.Flow, { chains }: Directory) => {
  const sideOf = (chainId: number, address: string, amount: bigint) => {
    const chain = chains.find(({ id }) => id === chainId)
    const token = tokenAt(chain, address)
    const formatted = formatAmount(amount, token ?? { pinned: false, address, native: false })
    return `${formatted} on ${chain?.name ?? `chain ${chainId}`}`
  }
  const { amount, destinationChain, inputToken, originChain, outputToken } = request
  return `${sideOf(originChain, inputToken, amount)} for ${sideOf(destinationChain, outputToken, output)}`
}

/** Formats a flow as a block of fields. */
export const format = Effect.fnUntraced(function* (flow: Store.Flow, style: Style) {
  const directory = yield* Directory
  const now = yield* Clock.currentTimeMillis
  return fields(
    [
      ["Unfinished", flow.id],
      ["Started", `${new Date(flow.createdAt).toISOString()}, ${formatAgo(flow.createdAt, now)}`],
      ["Swap", formatPair(flow, directory)],
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
