/** Whether something may be signed again for a swap after a signature for it has left the process. */
import * as Effect from "effect/Effect"
import { sameAddress } from "../Chain.js"
import { ChainReader, type SignedState } from "../ChainReader.js"
import type { Flow, Signed } from "../Journal.js"
import { Settings } from "../Settings.js"
import { OutcomeUnknown, type SwapError } from "../SwapError.js"
import { compact } from "./compact.js"
import { bounded, monotonicMillis } from "./patience.js"
import type { Built } from "./verbs.js"

/** Everything that was signed for a flow and may still be executed, the last first. */
export const signedOf = ({ submission, operation, signedAt, earlier = [] }: Flow): ReadonlyArray<Signed> =>
  submission ? [compact({ submission, operation, signedAt }), ...earlier] : []

/** The error for a swap that may be executed yet, whatever the service says. */
export const unresolved = (flowId: string, cause: SwapError): OutcomeUnknown =>
  cause._tag === "OutcomeUnknown"
    ? cause
    : new OutcomeUnknown(
        compact({
          flowId,
          code: cause.code,
          requestId: cause.requestId,
          message: `What was signed has left and may still be executed: resume flow ${flowId}. ${cause.message}`,
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
const stateOf = ({ request }: Flow, { submission, operation, signedAt }: Signed): Effect.Effect<SignedState> =>
  Effect.flatMap(ChainReader, ({ evm, solana }) => {
    const { originChain: chainId, walletAddress: wallet } = request
    const asked =
      submission.kind === "solana"
        ? solana?.transactionState(compact({ chainId, signedTransaction: submission.signedTransaction, signedAt }))
        : operation && evm?.operationState({ chainId, wallet, ...operation })
    return asked === undefined
      ? Effect.succeed("open")
      : Effect.catch(bounded(asked), ({ message }) =>
          Effect.as(Effect.annotateCurrentSpan({ "reader.error": message }), "open" as const)
        )
  })

/** What the caller's own node says about all that was signed: `used` if one was, `expired` if all are. */
export const fateOf = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<SignedState> {
  const states = yield* Effect.forEach(signedOf(flow), (signed) => stateOf(flow, signed))
  if (states.includes("used")) return "used"
  return states.length > 0 && states.every((state) => state === "expired") ? "expired" : "open"
})

const proofInterval = 2_000

/** The same, asked again for a while: a finalized block is behind the clock. */
export const awaitFate = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<SignedState> {
  const { proofTimeout } = yield* Settings
  const readers = yield* ChainReader
  const readable = flow.submission?.kind === "solana" ? readers.solana : flow.operation && readers.evm
  const until = (yield* monotonicMillis) + (readable ? proofTimeout : 0)
  for (;;) {
    const fate = yield* fateOf(flow)
    if (fate !== "open" || (yield* monotonicMillis) + proofInterval > until) return fate
    yield* Effect.sleep(proofInterval)
  }
})
