/** What wallets have of the tokens that can be swapped, for a page that shows it. */
import type { Delegation } from "@geoswap/core"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Chain } from "./Chains.js"
import { chainOfWallet } from "./internal/calls/directory.js"
import { chainRefusal } from "./internal/refusals.js"
import type { Refusal } from "./Refusal.js"

/** An amount in smallest units. */
export interface Balance {
  readonly token: string
  readonly amount: bigint
}

/** What a wallet has of every token that is listed on a chain. */
export type Balances = (query: Delegation.DelegationQuery) => Effect.Effect<ReadonlyArray<Balance>, Refusal>

/** How long an answer counts, and how many are remembered. */
const rememberedMillis = 1_000
const rememberedMost = 10_000

/** Questions to a node at once, for one wallet. */
const concurrency = 8

const read = (chain: Chain, wallet: string) =>
  Effect.forEach(
    chain.tokens,
    ({ address }) => Effect.map(chain.balanceOf(address, wallet), (amount): Balance => ({ token: address, amount })),
    { concurrency }
  )

/** Balances on these chains. Those who ask at the same time share one answer; a failure is remembered for nobody. */
export const make = (chains: ReadonlyMap<number, Chain>): Effect.Effect<Balances> =>
  Effect.map(
    Cache.makeWith(
      (key: string) => {
        // No address has a space in it.
        const [id, wallet = ""] = key.split(" ")
        const chain = chains.get(Number(id))
        return chain === undefined ? Effect.succeed([]) : Effect.mapError(read(chain, wallet), chainRefusal)
      },
      { capacity: rememberedMost, timeToLive: (exit) => (Exit.isSuccess(exit) ? rememberedMillis : 0) }
    ),
    (cache) =>
      Effect.fn("Balances.read")(function* (query: Delegation.DelegationQuery) {
        const { family, id } = yield* chainOfWallet(chains, query)
        const wallet = family === "evm" ? query.walletAddress.toLowerCase() : query.walletAddress
        return yield* Cache.get(cache, `${id} ${wallet}`)
      })
  )
