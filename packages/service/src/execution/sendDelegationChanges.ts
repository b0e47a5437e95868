/**
 * Sends accepted delegation changes. Each change is a stored record with four states, because its transaction uses one
 * of the relayer's nonces: if a process crashed between taking a nonce and sending the transaction, the gap would block
 * all later transactions, including those of swaps. The transaction is therefore stored together with its nonce before
 * it is broadcast, and is broadcast or replaced until the chain shows at a finalized block that the nonce was used.
 *
 * Sending a change twice is harmless: the chain applies an authorization at most once, because of the account's nonce.
 * A second inclusion only costs gas, and the store accepts one change per wallet, chain and nonce.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EvmChain } from "../chains/Chains.js"
import type { Relayers } from "../chains/Draft.js"
import { type DelegationChange, isTerminal, type State } from "../domain/DelegationChange.js"
import type { Attempt } from "../domain/SwapRecord.js"
import type { Worker } from "./Worker.js"

/** How long a lease lasts if it is not renewed. Each round renews the leases of this process. */
const leaseMillis = 30_000
/** How often to look for changes, and to observe the changes that were sent. */
const pollMillis = 1_000
/** The maximum number of changes on a chain that one process works on at once. */
const batch = 50
/** The minimum time before a transaction is broadcast again if it is not in a block. */
const rebroadcastMillis = 2_000
/** How many polls of the chain to wait before that, because a block may take one, and observing it another. */
const rebroadcastPolls = 4
/** How many of the relayer's nonces a change may use. Each of them costs gas, whether or not its transaction is canceled. */
const maxNonces = 3
/** How long to try to send a change. After that, the caller no longer expects it. */
const maxAgeMillis = 600_000

/** Sends changes until the scope closes. */
export const runDelegations = (worker: Pick<Worker, "chains" | "lanes" | "owner" | "signals" | "store">) => {
  const { lanes, owner, signals, store } = worker
  const { delegations } = store
  /** When each change's transaction was last broadcast. Empty at startup, so all transactions are broadcast again. */
  const sentAt = new Map<string, number>()

  const broadcast = Effect.fnUntraced(function* (chain: EvmChain, id: string, attempt: Attempt) {
    yield* Effect.catch(chain.broadcast(attempt), (error) =>
      Effect.logWarning(`the broadcast to chain ${chain.id} got no clear response: ${error.message}`)
    )
    sentAt.set(id, yield* Clock.currentTimeMillis)
  })

  const finish = Effect.fnUntraced(function* (
    change: DelegationChange,
    to: State,
    facts: { readonly txHash?: string | undefined; readonly failureCode?: string } = {}
  ) {
    yield* delegations.step({ change, to, ...facts })
    sentAt.delete(change.id)
    if (isTerminal(to)) yield* signals.publish(change.id)
    yield* Effect.logInfo(`delegation change ${to}`).pipe(
      Effect.annotateLogs({ changeId: change.id, chainId: change.authorization.chainId })
    )
  })

  /** accepted → sent, or failed if the authorization can no longer be applied. */
  const sendChange = Effect.fnUntraced(function* (chain: EvmChain, change: DelegationChange) {
    const { authorization, createdAt, id, wallet } = change
    // An accepted change has no transaction that can still be included, so this needs no response from the chain.
    if ((yield* Clock.currentTimeMillis) - createdAt > maxAgeMillis) {
      return yield* finish(change, "failed", { failureCode: "NOT_INCLUDED" })
    }
    const { nonce } = yield* chain.walletState(wallet)
    if (nonce > authorization.nonce) {
      // Another transaction has used the nonce. It may have carried the same authorization, so wait until a finalized
      // block shows the account's code.
      const result = yield* chain.delegations.observe(wallet, authorization, yield* delegations.attempts(id))
      if (result._tag === "Applied") return yield* finish(change, "applied", { txHash: result.hash })
      if (result._tag === "Stale") return yield* finish(change, "failed", { failureCode: "INVALID_AUTHORIZATION" })
      return
    }
    // All transactions of a change are sent by the same relayer, because the store identifies them by their nonces.
    const [earlier] = yield* delegations.attempts(id)
    const relayers: Relayers = earlier === undefined ? yield* lanes.order(chain) : [yield* chain.signerOf(earlier)]
    const attempt = yield* lanes.signing(
      chain,
      Effect.fnUntraced(function* ({ pending, withNonce }) {
        const draft = yield* chain.delegations.prepare(authorization, relayers, pending)
        return yield* withNonce(draft.relayer, (nonce) =>
          Effect.tap(chain.delegations.sign(draft, nonce), (signed) =>
            delegations.step({ change, to: "sent", intent: { signer: draft.relayer, attempt: signed } })
          )
        )
      })
    )
    yield* broadcast(chain, id, attempt)
  })

  /** sent → applied or failed. Goes back to accepted if another transaction has used the relayer's nonce. */
  const watchChange = Effect.fnUntraced(function* (chain: EvmChain, change: DelegationChange) {
    const { authorization, id, wallet } = change
    const attempts = yield* delegations.attempts(id)
    const result = yield* chain.delegations.observe(wallet, authorization, attempts)
    switch (result._tag) {
      case "Applied":
        return yield* finish(change, "applied", { txHash: result.hash })
      case "Stale":
        return yield* finish(change, "failed", { failureCode: "INVALID_AUTHORIZATION" })
      case "Unused": {
        const used = new Set(attempts.map(({ nonce }) => nonce)).size
        if (used >= maxNonces) return yield* finish(change, "failed", { failureCode: "NOT_INCLUDED" })
        const [first] = attempts
        const relayer = first === undefined ? chain.relayer : yield* chain.signerOf(first)
        yield* store.raiseNonce(chain.id, relayer, yield* chain.relayerNonce(relayer))
        return yield* finish(change, "accepted")
      }
      case "Waiting": {
        const replacement = yield* chain.delegations.replace(attempts)
        if (replacement !== undefined) {
          const intent = { signer: yield* chain.signerOf(replacement), attempt: replacement }
          yield* delegations.step({ change, to: "sent", intent })
          return yield* broadcast(chain, id, replacement)
        }
        const newest = attempts.at(-1)
        const since = (yield* Clock.currentTimeMillis) - (sentAt.get(id) ?? 0)
        const waitMillis = Math.max(rebroadcastMillis, rebroadcastPolls * chain.pollMillis)
        if (newest !== undefined && since >= waitMillis) yield* broadcast(chain, id, newest)
      }
    }
  })

  const work = (chain: EvmChain, change: DelegationChange) =>
    Effect.catch(change.state === "accepted" ? sendChange(chain, change) : watchChange(chain, change), (error) =>
      Effect.logWarning(`a delegation change is tried again later: ${error.message}`)
    )

  const round = (chain: EvmChain) =>
    delegations.claim({ chainId: chain.id, owner, leaseMillis, limit: batch }).pipe(
      Effect.flatMap((changes) =>
        Effect.forEach(changes, (change) => work(chain, change), { concurrency: 10, discard: true })
      ),
      Effect.catch((error) => Effect.logWarning(`delegation changes cannot be claimed at the moment: ${error.message}`))
    )

  // Each chain has separate rounds, because those of a chain that does not respond take as long as its timeouts.
  const chains = [...worker.chains.values()].filter((chain) => chain.family === "evm")
  return Effect.forEach(chains, (chain) => Effect.forever(Effect.andThen(round(chain), Effect.sleep(pollMillis))), {
    concurrency: "unbounded",
    discard: true
  })
}
