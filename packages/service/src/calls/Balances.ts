/** A wallet's balances of all tokens on a chain and of the native token, for the swap page. */
import { Chain as Chains, type Delegation } from "@geoswap/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain } from "../chains/Chains.js"
import { chainOfWallet } from "../chains/Directory.js"
import { addressKey } from "../domain/addressKey.js"
import type { Refusal } from "../domain/Refusal.js"
import { call } from "./call.js"

/** A balance, in the token's smallest unit. */
export interface Balance {
  readonly token: string
  readonly amount: bigint
}

/** Reads a wallet's balance of every token listed on a chain, and of its native token. */
export type Balances = (query: Delegation.DelegationQuery) => Effect.Effect<ReadonlyArray<Balance>, Refusal>

/** The maximum number of concurrent node requests for one wallet. */
const concurrency = 8

const read = (chain: Chain, wallet: string) =>
  Effect.forEach(
    [...chain.tokens.map(({ address }) => address), Chains.nativeToken[chain.family]],
    (address) => Effect.map(chain.balanceOf(address, wallet), (amount): Balance => ({ token: address, amount })),
    { concurrency }
  )

/**
 * Runs one effect at a time for each key. A request that arrives during a run waits for the next run, which all waiting
 * requests share. As a result, no response is older than its request. If one caller disconnects, the other callers
 * still get
 * the result.
 */
const oneAtATime = <A, E>(): ((key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  /** The keys that have a run in progress. Each value is the next run, if any request is waiting for it. */
  const running = new Map<string, Deferred.Deferred<A, E> | undefined>()

  const run = (key: string, effect: Effect.Effect<A, E>, answer: Deferred.Deferred<A, E>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(effect), (exit) => {
      const next = running.get(key)
      if (next === undefined) running.delete(key)
      else running.set(key, undefined)
      const answered = Effect.asVoid(Deferred.done(answer, exit))
      return next === undefined ? answered : Effect.andThen(answered, run(key, effect, next))
    })

  return (key, effect) =>
    Effect.suspend(() => {
      const isFirst = !running.has(key)
      const answer = running.get(key) ?? Deferred.makeUnsafe<A, E>()
      running.set(key, isFirst ? undefined : answer)
      const started = isFirst ? Effect.forkDetach(run(key, effect, answer)) : Effect.void
      return Effect.andThen(started, Deferred.await(answer))
    })
}

/**
 * Creates a function that reads balances on these chains. Nothing is cached: every balance is read after its request
 * arrives. The response to a request made after a swap has finished therefore reflects that swap, no matter which
 * server executed it.
 */
export const make = (chains: ReadonlyMap<number, Chain>): Balances => {
  const share = oneAtATime<ReadonlyArray<Balance>, ChainUnavailable>()
  return call(
    "Balances.read",
    Effect.fnUntraced(function* (query: Delegation.DelegationQuery) {
      const chain = yield* chainOfWallet(chains, query)
      const wallet = addressKey(query.walletAddress)
      // Addresses contain no spaces, so each key is unique.
      return yield* share(`${chain.id} ${wallet}`, read(chain, wallet))
    })
  )
}
