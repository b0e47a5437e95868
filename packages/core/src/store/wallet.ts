/** The document of one wallet, and the rules for its changes. */
import * as Schema from "effect/Schema"
import type { FlowId } from "../Id.js"
import { StoreError } from "../SwapError.js"
import { Flow, nextStates, withoutSubmission } from "./flow.js"
import * as Spending from "./spending.js"

/** Everything that is stored for one wallet. It changes as a whole. */
export const Wallet = /* @__PURE__ */ Schema.Struct({
  /** The address. EVM addresses are in lowercase. */
  address: Schema.String,
  /** The flows that are being signed, and the signed flows whose outcome is not yet known. */
  flows: /* @__PURE__ */ Schema.Array(Flow),
  /** What was spent of each token, and the number of swaps. */
  spent: /* @__PURE__ */ Schema.Array(Spending.Spent)
})
export type Wallet = typeof Wallet.Type

/** Returns whether a living process works on a flow. `undefined`: unknown, because the records have no flow locks. */
export type IsBusy = (flowId: FlowId) => boolean | undefined

/** What an update knows besides the document. */
export interface UpdateContext {
  readonly now: () => number
  /** How long the bytes to submit are kept, in milliseconds. */
  readonly lifetime: number
  readonly isBusy: IsBusy
}

/** Removes a flow that was never signed, with everything that was reserved for it. */
export const discard = (document: Wallet, flowId: FlowId): Wallet => ({
  ...document,
  flows: document.flows.filter(({ id }) => id !== flowId),
  spent: Spending.release(document.spent, (id) => id === flowId || id.startsWith(`${flowId}.`))
})

/** Fails if a change takes a flow to a state that may not follow the flow's current one. */
export const checkStates = (before: Wallet, after: Wallet): void => {
  for (const { id, state } of after.flows) {
    const from = before.flows.find((flow) => flow.id === id)?.state
    if (from === undefined || nextStates[from].includes(state)) continue
    throw new StoreError({ message: `Flow ${id} cannot change from ${from} to ${state}.` })
  }
}

/** Whether a flow's submission has been stored for too long. */
export const isStale = (
  { createdAt, signedAt = createdAt, submission }: Flow,
  now: number,
  lifetime: number
): boolean => submission !== undefined && now - signedAt > lifetime

/** How long a flow that was never signed is kept, in milliseconds, if it is not known whether its process has ended. */
const unsignedLifetime = 86_400_000

/** Removes what ended processes have left: flows that were never signed, and bytes that no process has submitted in time. */
export const sweep = (document: Wallet, { isBusy, lifetime, now }: UpdateContext): Wallet => {
  const isLeft = ({ createdAt, id, state }: Flow) => {
    const busy = state === "signing" ? isBusy(id) : true
    return busy === false || (busy === undefined && now() - createdAt > unsignedLifetime)
  }
  const kept = document.flows.filter(isLeft).reduce((rest, { id }) => discard(rest, id), document)
  return kept.flows.some((flow) => isStale(flow, now(), lifetime))
    ? { ...kept, flows: kept.flows.map((flow) => (isStale(flow, now(), lifetime) ? withoutSubmission(flow) : flow)) }
    : kept
}
