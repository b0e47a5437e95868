/** The lamports that an account must keep, which the cluster can change. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SingleFlight from "../../../concurrency/singleFlight.js"
import type { SolanaChain } from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import { askQuorum, quorumOf, reachedBy } from "../../quorum.js"
import type { Nodes } from "../nodes/rpcNodes.js"
import { Rent } from "../nodes/rpcSchemas.js"

/** The sizes of the accounts that our transactions open or pay from, in bytes. */
export const sizes = { wallet: 0, tokenAccount: 165 } as const
type Size = (typeof sizes)[keyof typeof sizes]

/** Rents change with votes of the cluster, at most once per epoch of about two days. */
const lifetimeMillis = 600_000

/**
 * Creates the function that reads the rent of an account. It is the highest one that a quorum of nodes has, because
 * quotes charge for it. If the nodes do not respond, the last known rent is used.
 */
export const make = (config: SolanaChain, { all }: Nodes) => {
  const known = new Map<Size, { readonly rent: bigint; readonly readAt: number }>()
  const share = SingleFlight.make<bigint, ChainUnavailable>()

  const read = Effect.fnUntraced(function* (size: Size) {
    const answers = yield* askQuorum(config, all, (node) =>
      node.ask("getMinimumBalanceForRentExemption", Rent, (rpc) => rpc.getMinimumBalanceForRentExemption(BigInt(size)))
    )
    return (
      reachedBy(
        quorumOf(config),
        answers.map(({ value }) => value)
      ) ?? 0n
    )
  })

  return Effect.fnUntraced(function* (size: Size) {
    const now = yield* Clock.currentTimeMillis
    const found = known.get(size)
    if (found !== undefined && now - found.readAt < lifetimeMillis) return found.rent
    const reading = share(
      `${size}`,
      Effect.tap(read(size), (rent) => Effect.sync(() => known.set(size, { rent, readAt: now })))
    )
    return yield* found === undefined ? reading : Effect.orElseSucceed(reading, () => found.rent)
  })
}
