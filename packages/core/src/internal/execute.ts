/** One swap from quote to its end, with the recovery for everything that has one. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SignedState } from "../ChainReader.js"
import type { Authorization } from "../Delegation.js"
import { type Flow, Journal, type Signed } from "../Journal.js"
import { type Agreement, unsafe } from "../Operation.js"
import { Policy } from "../Policy.js"
import { Settings } from "../Settings.js"
import type { Signers } from "../Signer.js"
import type { Swap } from "../Swap.js"
import { Expired, type InvalidAuthorization, type NeedsDelegation, type SwapError } from "../SwapError.js"
import { type Emit, previewOf } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { awaitFate, excludes, signedOf, unresolved } from "./afterRefusal.js"
import { authorize, type DelegationOptions, ensureDelegable } from "./authorize.js"
import { compact } from "./compact.js"
import { finish } from "./finish.js"
import { type Hold, type Lost, noHold } from "./hold.js"
import { type KeyOptions, keyed } from "./keyed.js"
import { newName } from "./newName.js"
import { monotonicMillis, patient } from "./patience.js"
import type { WaitOptions } from "./poll.js"
import { type ExecuteInput, prepare, type Prepared } from "./prepare.js"
import { first, isStale, type QuoteOptions, renew } from "./renew.js"
import { afterUndo, signAndSubmit } from "./signAndSubmit.js"
import { forgetUnchanged, submitAll } from "./submitFlow.js"
import { build } from "./verbs.js"
import { verify } from "./verify.js"

/** What a caller may say about one swap. */
export interface ExecuteOptions extends QuoteOptions, DelegationOptions, WaitOptions, KeyOptions {}

/** A flow that the service has accepted. */
interface Accepted {
  readonly flow: Flow
  readonly swap: Swap
}

const maxReauthorizations = 2

/** A refusal with this code says that the service accepted another operation with the same nonce. */
const nonceUsed = (error: SwapError): boolean => error._tag === "Rejected" && error.code === "NONCE_USED"

/** The loop from a quote to a submitted swap. */
const submitted = Effect.fnUntraced(function* (
  { family, request, deployment }: Prepared,
  options: ExecuteOptions,
  hold: Hold,
  emit: Emit
): Effect.fn.Return<Accepted, SwapError | Lost, Transport | Signers | Policy | Journal> {
  const { afterRefusal, maxLifetimeSeconds } = yield* Policy
  const { agreementTimeout } = yield* Settings
  const journal = yield* Journal
  const flowId = yield* newName
  /** The flow as the journal has it, as long as something that was signed for it may be executed. */
  let live: (Flow & Signed) | undefined
  /** The flow as it was written last. */
  let written: Flow | undefined
  let signatures = 0
  let undone: Effect.Effect<boolean> | undefined
  /** What the caller's own node said last about what was signed. */
  let fate: SignedState = "open"

  const loop = Effect.gen(function* () {
    if (family === "evm") yield* ensureDelegable(request)
    let held = yield* first(request, options, emit)
    const agreedAt = yield* monotonicMillis
    let delegationAsked = 0
    let reauthorizations = 0
    let authorization: Authorization | undefined

    const reauthorized = Effect.fnUntraced(function* (error: NeedsDelegation | InvalidAuthorization) {
      const bound =
        error._tag === "NeedsDelegation" ? delegationAsked++ >= 1 : reauthorizations++ >= maxReauthorizations
      return yield* bound || family !== "evm" ? Effect.fail(error) : authorize(request, deployment, options, emit)
    })

    /** Prepares for another build after a refusal, or fails with it. */
    const recover = Effect.fnUntraced(function* (error: SwapError) {
      if (error._tag === "NeedsDelegation" || error._tag === "InvalidAuthorization") {
        authorization = yield* reauthorized(error)
      } else if (error._tag === "Expired" || (error._tag === "Rejected" && error.code === "SLIPPAGE")) {
        held = yield* renew(request, held, options, emit, error)
      } else return yield* Effect.fail(error)
    })

    /** Renews a quote that ran out, and answers whether it did. An agreement ends, however often it is renewed. */
    const renewed = Effect.gen(function* () {
      if ((yield* monotonicMillis) - agreedAt > agreementTimeout) {
        const message = `The quote was accepted more than ${agreementTimeout / 1000} s ago: nothing more is signed for it.`
        return yield* new Expired({ what: "quote", message })
      }
      const stale = yield* isStale(held)
      if (stale) yield* recover(new Expired({ what: "quote", message: "The quote ran out." }))
      return stale
    })

    /** Whether nothing that was signed can be executed any more, as the caller's own node shows. */
    const isOver = Effect.fnUntraced(function* (flow: Flow) {
      fate = yield* awaitFate(flow)
      if (fate === "expired") live = undefined
      return fate === "expired"
    })

    /**
     * Without a key only the journal shows what a resume beside this has made of the flow: the id of its swap, or an end.
     * With a key, the ledger does.
     */
    const closedElsewhere = Effect.gen(function* () {
      if (!written || hold.key !== undefined) return undefined
      const now = yield* journal.get(flowId)
      if (now) return now.swapId
      live = undefined
      const message = `Another process has closed flow ${flowId}: your own node shows that it expired unused.`
      return yield* new Expired({ what: "operation", message })
    })

    while (true) {
      if (yield* renewed) continue
      const built = yield* Effect.result(
        patient(
          build(
            compact({
              originChain: request.originChain,
              geoQuoteToken: held.quote.geoQuoteToken,
              authorization,
              previousGeoOpToken: family === "evm" ? live?.submission.geoOpToken : undefined
            })
          )
        )
      )
      if (built._tag === "Failure") {
        const error = built.failure
        if (live && nonceUsed(error)) return yield* recovered(live)
        yield* error._tag === "Rejected" ? Effect.fail(error) : recover(error)
        continue
      }
      const operation = built.success
      const deadline = operation.kind === "evm" ? operation.geoOp?.deadline : undefined
      yield* emit(compact({ type: "built", family, deadline } as const))
      // A build may be slow, and a listener may ask a person: what is signed is of a quote that still holds.
      if (yield* renewed) continue

      const agreement: Agreement = compact({
        request,
        quote: previewOf(held.quote),
        deployment,
        maxLifetimeSeconds
      })
      const checked = yield* verify(operation, agreement)
      yield* emit({ type: "verified", checked })
      if (live && !(checked && excludes(signedOf(live), operation)) && !(yield* isOver(live))) {
        return yield* unsafe("nonce", "the refused one's", "another")
      }
      if (yield* renewed) continue
      const swapId = yield* closedElsewhere
      if (written && swapId !== undefined) return { flow: written, swap: { swapId, status: "pending" as const } }

      const answer = yield* Effect.result(
        signAndSubmit({
          operation,
          agreement,
          checked,
          flowId,
          previous: live,
          number: signatures + 1,
          // One reservation is enough for signatures of which one at most can be executed.
          reservation: afterRefusal === "trust-service" ? `${flowId}.${signatures}` : flowId,
          isSpent: afterRefusal !== "trust-service" && signatures > 0,
          hold,
          emit,
          left: (flow) => {
            live = written = flow
            signatures++
          },
          undoing: (undoing) => {
            undone = undoing
          }
        })
      )
      if (answer._tag === "Success") return answer.success
      const refused = answer.failure
      if (refused._tag !== "Refused") return yield* Effect.fail(refused)
      const { error, clear } = refused
      if (!clear || !live) return yield* Effect.fail(error)
      if (afterRefusal === "trust-service") live = undefined
      else if (nonceUsed(error)) return yield* recovered(live)
      else if (!live.operation && !(yield* isOver(live))) return yield* Effect.fail(error)
      yield* recover(error)
    }
  })

  /** The service has accepted one of the earlier signatures: which one, it says when it gets them again. */
  const recovered = (flow: Flow) =>
    Effect.mapBoth(submitAll(flow, emit), {
      onSuccess: (swap) => ({ flow, swap }),
      onFailure: ({ error }) => error
    })

  return yield* loop.pipe(
    Effect.mapError((error) => (live && error._tag !== "Lost" ? unresolved(flowId, error, fate) : error)),
    Effect.onExit((exit) =>
      exit._tag === "Success" || live
        ? Effect.void
        : afterUndo(
            undone,
            Effect.flatMap(hold.free, (freed) => (freed && written ? forgetUnchanged(written) : Effect.void))
          )
    )
  )
})

/** Runs a swap, telling every step. */
export const run = Effect.fn("geoswap.execute")(function* (
  input: ExecuteInput,
  options: ExecuteOptions,
  emit: Emit
): Effect.fn.Return<Swap, SwapError, Transport | Signers | Policy | Journal> {
  // Read before anything is sent: what is no duration must not come to light once a swap is under way.
  Duration.fromInputUnsafe(options.timeout ?? 0)
  const prepared = yield* prepare(input)
  const execute = (hold: Hold) =>
    Effect.flatMap(submitted(prepared, options, hold, emit), ({ flow, swap }) => finish(flow, swap, emit, options))
  return yield* options.idempotencyKey === undefined
    ? Effect.catchTag(execute(noHold), "Lost", Effect.die)
    : keyed(options.idempotencyKey, prepared.request, options, emit, execute)
})
