/** How much of the native token relayers hold together. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Holding } from "../../../domain/Claim.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { EvmChain } from "../../Chains.js"
import type { Relayers } from "../../Draft.js"

/** Creates the function that reads relayers' balances at one block. The balances at a block are read once, and together. */
export const make = ({ balanceAt }: Pick<EvmChain, "balanceAt">, all: Relayers): EvmChain["fundsAt"] => {
  const fundsAt = Effect.fnUntraced(function* (
    since: bigint,
    relayers: Relayers = all
  ): Effect.fn.Return<Holding, ChainUnavailable> {
    const held = yield* Effect.forEach(relayers, (relayer) => balanceAt(Chain.nativeToken.evm, relayer, since), {
      concurrency: "unbounded"
    })
    const newest = held.reduce((latest, { block }) => (block > latest ? block : latest), since)
    // A block has arrived between the reads.
    if (held.some(({ block }) => block !== newest)) return yield* fundsAt(newest, relayers)
    return { amount: held.reduce((sum, { amount }) => sum + amount, 0n), block: newest }
  })
  return fundsAt
}
