/** Requests for a person's approval. Each is bound to exact terms, expires, and is used at most once. */
import { randomBytes } from "node:crypto"
import { type Store, SwapError } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ApprovalRefused } from "./PolicyError.js"

/** The exact terms of a swap, as a person approves them. Amounts are in the smallest unit. */
export const Terms = Schema.Struct({
  wallet: Schema.String,
  service: Schema.String,
  originChain: Schema.Int,
  destinationChain: Schema.Int,
  inputToken: Schema.String,
  outputToken: Schema.String,
  amount: Schema.String,
  recipient: Schema.String,
  /** The least that the signature accepts. */
  minOutput: Schema.String,
  /** The fee that the service claims. */
  feeBps: Schema.Finite,
  /** The contracts that the wallet may delegate to. Empty on Solana. */
  delegates: Schema.Array(Schema.String),
  vault: Schema.String
})
export type Terms = typeof Terms.Type

/** A request for approval, and its answer. Times are in Unix milliseconds. */
export const Approval = Schema.Struct({
  id: Schema.String,
  terms: Terms,
  reason: Schema.String,
  requestedAt: Schema.Finite,
  expiresAt: Schema.Finite,
  state: Schema.Literals(["pending", "approved", "rejected", "used"]),
  /** How a person answered. */
  by: Schema.optionalKey(Schema.Literals(["terminal", "elicitation"])),
  /** The budget reservation that used the approval. */
  reservation: Schema.optionalKey(Schema.String)
})
export type Approval = typeof Approval.Type

const Approvals = Schema.Array(Approval)
const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Approvals))
const encode = Schema.encodeSync(Schema.fromJsonString(Approvals))

/** The record of all approvals, so that each update sees all of them. */
const record = "agent-approvals"

/** How long an approval stays in the store after it has expired. */
const keptMillis = 86_400_000

/** How many requests may be pending. An agent that asks more often replaces its oldest requests. */
const maxPending = 20

const exactFields = (Object.keys(Terms.fields) as ReadonlyArray<keyof Terms>).filter(
  (field) => field !== "feeBps" && field !== "minOutput"
)

/** Whether an approval covers terms: nothing differs, except that the wallet may receive more or pay a lower fee. */
const covers = (approved: Terms, asked: Terms) => {
  const isSame = (field: keyof Terms) => JSON.stringify(approved[field]) === JSON.stringify(asked[field])
  return (
    exactFields.every(isSame) &&
    BigInt(asked.minOutput) >= BigInt(approved.minOutput) &&
    asked.feeBps <= approved.feeBps
  )
}

const update = <A>(
  store: Store.Store,
  change: (approvals: ReadonlyArray<Approval>, now: number) => readonly [ReadonlyArray<Approval>, A]
) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    store.records.update(record, (text) => {
      const decoded = text === undefined ? Result.succeed([]) : decode(text)
      if (Result.isFailure(decoded)) throw new SwapError.StoreError({ message: "The approvals cannot be read." })
      const before = decoded.success
      const now = clock.currentTimeMillisUnsafe()
      const [after, answer] = change(before, now)
      if (after === before) return [text, answer] as const
      const kept = after.filter(({ expiresAt }) => expiresAt > now - keptMillis)
      const excess = kept.filter(({ state }) => state === "pending").slice(0, -maxPending)
      return [encode(kept.filter((approval) => !excess.includes(approval))), answer] as const
    })
  )

/** All approvals that the store still has. */
export const list = (store: Store.Store) => update(store, (approvals) => [approvals, approvals])

/** Asks for an approval that is valid for some seconds, and returns the id of the request. Equal terms have one request. */
export const ask = (
  store: Store.Store,
  { reason, seconds, terms }: Pick<Approval, "reason" | "terms"> & { readonly seconds: number }
) =>
  update(store, (approvals, now) => {
    const waiting = approvals.find(
      (approval) => approval.state === "pending" && approval.expiresAt > now && covers(approval.terms, terms)
    )
    if (waiting) return [approvals, waiting.id]
    const id = `${terms.wallet.startsWith("0x") ? "evm" : "solana"}-${randomBytes(6).toString("hex")}`
    const expiresAt = now + seconds * 1000
    return [[...approvals, { id, terms, reason, requestedAt: now, expiresAt, state: "pending" }], id]
  })

const isUsable = ({ expiresAt, state, terms }: Approval, asked: Terms, now: number) =>
  state === "approved" && expiresAt > now && covers(terms, asked)

/**
 * Uses an approval for a reservation, or returns `false` if there is none. A reservation that has used an approval may
 * use it again, because the chain executes at most one of its signatures.
 */
export const take = (store: Store.Store, terms: Terms, reservation: string) =>
  update(store, (approvals, now) => {
    const isOwn = (approval: Approval) => approval.reservation === reservation && covers(approval.terms, terms)
    if (approvals.some(isOwn)) return [approvals, true]
    const usable = approvals.find((approval) => isUsable(approval, terms, now))
    return usable === undefined
      ? [approvals, false]
      : [approvals.map((one) => (one === usable ? { ...usable, state: "used", reservation } : one)), true]
  })

/** Whether an approval can be used for terms, or may be in use for them. Only `take` decides. */
export const isExpected = (store: Store.Store, terms: Terms) =>
  update(store, (approvals, now) => [
    approvals,
    approvals.some(
      (approval) =>
        isUsable(approval, terms, now) ||
        (approval.state === "used" && approval.expiresAt > now && covers(approval.terms, terms))
    )
  ])

/** Returns why a request cannot get an answer. An approval that was not used can still be rejected. */
const problemOf = (approval: Approval | undefined, answer: Answer["state"], now: number) => {
  if (approval === undefined) return "does not exist"
  if (approval.state === "pending") return approval.expiresAt > now ? undefined : "has expired"
  return approval.state === "approved" && answer === "rejected" ? undefined : `is already ${approval.state}`
}

/** An answer to a request. */
export interface Answer {
  readonly state: "approved" | "rejected"
  readonly by: "terminal" | "elicitation"
  /** How long an approval can be used. */
  readonly seconds: number
  /** A lower minimum output that the person accepts, in the smallest unit. */
  readonly minOutput?: string | undefined
}

/** Answers a pending request, or takes back an approval that was not used. */
export const answer = Effect.fnUntraced(function* (
  store: Store.Store,
  approvalId: string,
  { by, minOutput, seconds, state }: Answer
) {
  const result = yield* update<Approval | string>(store, (approvals, now) => {
    const found = approvals.find(({ id }) => id === approvalId)
    const problem = problemOf(found, state, now)
    if (found === undefined || problem !== undefined) return [approvals, problem ?? "does not exist"]
    const answered: Approval = {
      ...found,
      state,
      by,
      expiresAt: now + seconds * 1000,
      terms: { ...found.terms, minOutput: minOutput ?? found.terms.minOutput }
    }
    return [approvals.map((approval) => (approval === found ? answered : approval)), answered]
  })
  if (typeof result !== "string") return result
  return yield* new ApprovalRefused({
    message: `The approval ${approvalId} ${result}.`,
    next: "To list the requests, run 'geoswap approve --list'. To ask again, start the swap again."
  })
})
