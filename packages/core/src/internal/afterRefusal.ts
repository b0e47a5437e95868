/** Whether something may be signed again for a swap after a signature for it has left the process. */
import * as Effect from "effect/Effect"
import { sameAddress } from "../Chain.js"
import { ChainReader, type SignedState } from "../ChainReader.js"
import type { Flow, Identity, Signed } from "../Journal.js"
import { Settings } from "../Settings.js"
import { OutcomeUnknown, type SwapError } from "../SwapError.js"
import { compact } from "./compact.js"
import { bounded, monotonicMillis } from "./patience.js"
import type { Built } from "./verbs.js"

/** Everything that was signed for a flow and may still be executed, the last first. */
export const signedOf = ({ submission, operation, signedAt, earlier = [] }: Flow): ReadonlyArray<Signed> =>
  submission ? [compact({ submission, operation, signedAt }), ...earlier] : []

/** What identifies everything that was signed for a flow on its chain. */
export const identitiesOf = (flow: Flow): ReadonlyArray<Identity> =>
  flow.submission === undefined
    ? (flow.signed ?? [])
    : signedOf(flow).map(({ submission, operation, signedAt }) =>
        compact({
          operation,
          transaction: submission.kind === "solana" ? submission.signedTransaction : undefined,
          signedAt
        })
      )

/** The same Solana transaction with empty signatures, so that it cannot be submitted. */
const unsigned = (transaction: string): string => {
  const bytes = atob(transaction)
  const length = 64 * bytes.charCodeAt(0)
  return btoa(`${bytes[0]}${"\0".repeat(length)}${bytes.slice(1 + length)}`)
}

/** The same, without anything that can be submitted. */
export const keptOf = (flow: Flow): ReadonlyArray<Identity> =>
  identitiesOf(flow).map(({ transaction, ...rest }) =>
    transaction === undefined ? rest : { ...rest, transaction: unsigned(transaction) }
  )

/** What an error adds if the caller's own node has seen the operation executed. */
export const executed = "Your own node shows that the signed operation was executed."

/** The error for a swap that may be executed yet, or was, whatever the service says. */
export const unresolved = (flowId: string, cause: SwapError, fate: SignedState = "open"): OutcomeUnknown =>
  cause._tag === "OutcomeUnknown"
    ? cause
    : new OutcomeUnknown(
        compact({
          flowId,
          code: cause.code,
          requestId: cause.requestId,
          message: `${fate === "used" ? executed : "What was signed has left and may still be executed."} Resume flow ${flowId}. ${cause.message}`,
          cause
        })
      )

/**
 * Whether a chain executes one at most of what was signed and what was built now: the same wallet uses the same nonce of
 * the same account. What was signed has an `operation` only if the signer checked it against its hash.
 */
export const excludes = (signed: ReadonlyArray<Signed>, built: Built): boolean => {
  const geoOp = built.kind === "evm" ? built.geoOp : undefined
  return signed.every(
    ({ operation }) =>
      geoOp !== undefined &&
      operation !== undefined &&
      operation.nonce === geoOp.nonce &&
      sameAddress("evm", operation.delegate, geoOp.delegate)
  )
}

/** What the caller's own node says about one signature; `open` if there is no node or no answer. */
const stateOf = ({ request }: Flow, { operation, transaction, signedAt }: Identity): Effect.Effect<SignedState> =>
  Effect.flatMap(ChainReader, ({ evm, solana }) => {
    const { originChain: chainId, walletAddress: wallet } = request
    const asked =
      transaction !== undefined
        ? solana?.transactionState(compact({ chainId, signedTransaction: transaction, signedAt }))
        : operation && evm?.operationState({ chainId, wallet, ...operation })
    return asked === undefined
      ? Effect.succeed("open")
      : Effect.catch(bounded(asked), ({ message }) =>
          Effect.as(Effect.annotateCurrentSpan({ "reader.error": message }), "open" as const)
        )
  })

/** What the caller's own node says about all that was signed: `used` if one was, `expired` if all are. */
export const fateOf = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<SignedState> {
  const states = yield* Effect.forEach(identitiesOf(flow), (identity) => stateOf(flow, identity))
  if (states.includes("used")) return "used"
  return states.length > 0 && states.every((state) => state === "expired") ? "expired" : "open"
})

const proofInterval = 2_000

/** Whether the caller's own node can be asked about all that was signed. */
export const isReadable = (flow: Flow): Effect.Effect<boolean> =>
  Effect.map(ChainReader, ({ evm, solana }) => {
    const identities = identitiesOf(flow)
    return (
      identities.length > 0 &&
      identities.every(({ operation, transaction }) => Boolean(transaction === undefined ? operation && evm : solana))
    )
  })

/** The same, asked again for a while (default: `Settings.proofTimeout`): a finalized block is behind the clock. */
export const awaitFate = Effect.fnUntraced(function* (flow: Flow, timeout?: number): Effect.fn.Return<SignedState> {
  const { proofTimeout } = yield* Settings
  const until = (yield* monotonicMillis) + ((yield* isReadable(flow)) ? (timeout ?? proofTimeout) : 0)
  for (;;) {
    const fate = yield* fateOf(flow)
    if (fate !== "open" || (yield* monotonicMillis) + proofInterval > until) return fate
    yield* Effect.sleep(proofInterval)
  }
})
