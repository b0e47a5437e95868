/** How many lamports the relayer can spend. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Holding } from "../../../domain/Claim.js"
import type { SolanaChain } from "../../Chains.js"
import type { ChainContext } from "../context.js"
import { sizes } from "./rent.js"
import { readAccountAt } from "./tokenAccounts.js"

/**
 * Creates the function that reads the relayer's lamports, without the rent that its account must keep. They are read at
 * most once per poll interval, unless a newer slot is required. Concurrent callers share one read.
 */
export const make = ({ config, nodes, relayer, rentOf }: ChainContext): SolanaChain["fundsAt"] => {
  const reading = Semaphore.makeUnsafe(1)
  let latest: { readonly funds: Holding; readonly readAt: number } | undefined
  const read = Effect.fnUntraced(function* (since: bigint) {
    const now = yield* Clock.currentTimeMillis
    if (latest !== undefined && latest.funds.block >= since && now - latest.readAt < config.pollMillis) {
      return latest.funds
    }
    const [{ account, slot }, rent] = yield* Effect.all(
      [nodes.use((node) => readAccountAt(node, relayer.address, since)), rentOf(sizes.wallet)],
      { concurrency: "unbounded" }
    )
    const lamports = account?.lamports ?? 0n
    const funds = { amount: lamports > rent ? lamports - rent : 0n, block: slot }
    latest = { funds, readAt: now }
    return funds
  })
  return (since) => reading.withPermit(read(since))
}
