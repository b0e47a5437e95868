/** The native token that relayers hold: how much together, and which of them can pay for a transaction. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { formatUnits } from "viem"
import { together } from "../../../concurrency/together.js"
import type { Holding } from "../../../domain/Claim.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { EvmChain } from "../../Chains.js"
import type { PendingCosts, Relayers } from "../../Draft.js"
import { unavailable } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { addressOf } from "../transactions/vaultCalls.js"

/** Creates the function that reads relayers' balances at one block. The balances at a block are read once, and together. */
export const make = ({ balanceAt }: Pick<EvmChain, "balanceAt">, all: Relayers): EvmChain["fundsAt"] => {
  const fundsAt = Effect.fnUntraced(function* (
    since: bigint,
    relayers: Relayers = all
  ): Effect.fn.Return<Holding, ChainUnavailable> {
    const held = yield* together(relayers.map((relayer) => balanceAt(Chain.nativeToken.evm, relayer, since)))
    const newest = held.reduce((latest, { block }) => (block > latest ? block : latest), since)
    // A block has arrived between the reads.
    if (held.some(({ block }) => block !== newest)) return yield* fundsAt(newest, relayers)
    return { amount: held.reduce((sum, { amount }) => sum + amount, 0n), block: newest }
  })
  return fundsAt
}

/** Reads a relayer's native balance, once per block. */
export const relayerBalance = ({ quorum: { recent } }: EvmContext, relayer: string) =>
  Effect.flatMap(recent, ([node]) =>
    node.feed.perHead(`balance of ${addressOf(relayer)}`, node.balanceOf(Chain.nativeToken.evm, relayer))
  )

/**
 * Returns the first relayer whose balance covers a cost and what it has pending. A relayer that cannot pay for all of its
 * transactions is stuck: no node accepts the first one that exceeds the balance, and its nonce blocks all later ones. A
 * balance is read at the latest block and pending costs count until a block is final, so a transaction in a block
 * counts twice until then.
 */
export const relayerFor = Effect.fnUntraced(function* (
  context: EvmContext,
  relayers: Relayers,
  kind: string,
  cost: bigint,
  pending: PendingCosts
) {
  const { config } = context
  const [first] = relayers
  const held = yield* relayerBalance(context, first)
  for (const relayer of relayers) {
    const balance = relayer === first ? held : yield* relayerBalance(context, relayer)
    if (balance - pending.of(relayer) < cost) continue
    pending.add(relayer, cost, balance)
    return relayer
  }
  const formatNative = (amount: bigint) => `${formatUnits(amount, 18)} ${config.native.symbol}`
  const has = `The relayer ${addressOf(first)} has ${formatNative(held)} on chain ${config.id} (${config.name})`
  const needs = `the ${kind} transaction may cost ${formatNative(cost)}`
  const message = `${has}. Its pending transactions may cost ${formatNative(pending.of(first))}, and ${needs}. Top up the relayer.`
  return yield* unavailable(config, message)
})
