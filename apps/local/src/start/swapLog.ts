/** Logs swaps: one line when a swap is accepted, and one line when it finishes. */
import { formatAmount } from "@geoswap/core/promise"
import { Storage } from "@geoswap/server"
import { Store, SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StackDescription, Stack } from "../Stack.js"

const natives = { evm: { symbol: "ETH", decimals: 18 }, solana: { symbol: "SOL", decimals: 9 } }

const amountOf = ({ chains }: StackDescription, chainId: number, address: string, amount: bigint): string => {
  const chain = chains.find(({ id }) => id === chainId)
  if (chain === undefined) return `${amount} on chain ${chainId}`
  const listed = chain.tokens.find((token) => token.address.toLowerCase() === address.toLowerCase())
  const { decimals, symbol } = listed ?? natives[chain.family]
  return `${formatAmount(amount, decimals)} ${symbol} on ${chain.name}`
}

const routeOf = (description: StackDescription, swap: SwapRecord.SwapRecord): string => {
  const input = amountOf(description, swap.originChain, swap.inputToken, swap.amount)
  return `${swap.id}  ${input} → ${amountOf(description, swap.destinationChain, swap.outputToken, swap.output)}`
}

const timeOf = (millis: number): string => new Date(millis).toISOString().slice(11, 19)

const acceptedLine = (description: StackDescription, swap: SwapRecord.SwapRecord): string =>
  `${timeOf(swap.createdAt)}  accepted  ${routeOf(description, swap)}`

const finishedLine = (description: StackDescription, swap: SwapRecord.SwapRecord): string => {
  const { createdAt, deliveryTxHash, failureCode, originTxHash, refundTxHash, state, updatedAt } = swap
  const facts = [
    failureCode,
    originTxHash && `origin ${originTxHash}`,
    deliveryTxHash && `delivery ${deliveryTxHash}`,
    refundTxHash && `refund ${refundTxHash}`
  ]
  const seconds = ((updatedAt - createdAt) / 1000).toFixed(1)
  const line = [timeOf(updatedAt), state.padEnd(8), routeOf(description, swap), `in ${seconds} s`, ...facts]
  return line.filter((fact) => fact !== undefined).join("  ")
}

const pollMillis = 200
/**
 * Swaps are not stored in strict chronological order, so each poll overlaps the previous poll by this many
 * milliseconds.
 */
const overlapMillis = 10_000

/** Polls the service's database and logs its swaps until the program is interrupted. */
export const follow = Effect.fnUntraced(function* ({ database, description }: Stack, write: (line: string) => void) {
  const follows = Effect.gen(function* () {
    const store = yield* Store.Store
    const seen = new Set<string>()
    const open = new Set<string>()
    let newest = 0
    const poll = Effect.gen(function* () {
      for (const swap of yield* store.list({ since: newest - overlapMillis, oldestFirst: true, limit: 1_000 })) {
        newest = Math.max(newest, swap.createdAt)
        if (seen.has(swap.id)) continue
        seen.add(swap.id)
        open.add(swap.id)
        write(acceptedLine(description, swap))
      }
      for (const id of open) {
        const swap = Option.getOrUndefined(yield* store.swap(id))
        if (swap === undefined || !SwapRecord.isTerminal(swap.state)) continue
        open.delete(id)
        write(finishedLine(description, swap))
      }
    })
    // If the database is busy, the next poll tries again.
    return yield* Effect.forever(Effect.andThen(Effect.ignore(poll), Effect.sleep(pollMillis)))
  })
  return yield* Effect.provide(follows, Storage.store(database))
})
