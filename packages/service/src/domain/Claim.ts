/**
 * What swaps use up together. A swap is accepted only if all of its claims can be granted with those of all other swaps,
 * so that what is accepted together can be executed together. `docs/architecture.md` lists the resources.
 */
import { addressKey } from "./addressKey.js"
import type { State } from "./SwapRecord.js"

/**
 * The part of a swap that needs a claim. `collection`: until the input has arrived in a final block. `delivery`: until the
 * output is delivered, or will not be. `refund`: until the input will not be refunded anymore, or has been.
 */
export type Phase = "collection" | "delivery" | "refund"

/**
 * The kinds of resources. `vault` is never stored: it is what a vault holds, which covers both its outputs and the
 * refunds that it owes.
 */
export const kinds = [
  "input",
  "approval",
  "target",
  "wallet exposure",
  "visitor exposure",
  "account exposure",
  "chain exposure",
  "wallet value",
  "account value",
  "output",
  "vault",
  "refund",
  "gas"
] as const
export type Kind = (typeof kinds)[number]

/** Something that can run out. */
export interface Resource {
  readonly kind: Kind
  /** The chain, followed by what the kind needs, such as a token and a wallet. */
  readonly name: string
}

/** What a swap uses of a resource. A swap has at most one claim of each kind in each phase. */
export interface Claim extends Resource {
  readonly phase: Phase
  readonly amount: bigint
  /** The most that all claims on the resource may add up to, and the block at which it was read. */
  readonly limit: Holding
}

/** A resource, and the block from which its limit must be read. */
export interface Since extends Resource {
  readonly block: bigint
}

export const keyOf = ({ kind, name }: Resource): string => `${kind} ${name}`

/** The name of a resource on a chain, from the addresses that it depends on. */
export const nameOf = (chainId: number, ...addresses: ReadonlyArray<string>): string =>
  [chainId, ...addresses.map(addressKey)].join(" ")

/**
 * The resources whose limits are balances: money leaves them when their phase is over. Their limits must not be older than
 * the block at which a claim was released (see releases.ts).
 */
export const balances: ReadonlyArray<Kind> = ["input", "approval", "output", "refund", "gas"]

/**
 * The resources of a whole chain or account, which many swaps share. They are locked only if more than half of their limit
 * is used. Otherwise, all swaps of a chain would wait for each other. Groups that are written at the same time do not see
 * each other's claims, so together they can exceed half of the limit, but not the limit: a group has few claims.
 */
export const widelyShared: ReadonlyArray<Kind> = [
  "account exposure",
  "chain exposure",
  "account value",
  "refund",
  "gas"
]

/**
 * The resources that have no limit. What is claimed of them is what a chain could take back: the value of the swaps in
 * flight of a wallet or an account, in cents. It determines when a swap's transactions are final.
 */
export const atRisk: ReadonlyArray<Kind> = ["wallet value", "account value"]

/** The resources whose totals are kept, because many swaps use them at the same time (see claimTotals.ts). */
export const summed: ReadonlyArray<Kind> = [...widelyShared, "output"]

/** The phases that end when a swap reaches a state. */
export const endedBy: Readonly<Record<State, ReadonlyArray<Phase>>> = {
  accepted: [],
  origin_prepared: [],
  origin_sent: [],
  origin_final: ["collection"],
  delivery_prepared: ["collection"],
  delivery_sent: ["collection"],
  refund_prepared: ["collection", "delivery"],
  refund_sent: ["collection", "delivery"],
  settled: ["collection", "delivery", "refund"],
  failed: ["collection", "delivery", "refund"],
  refunded: ["collection", "delivery", "refund"]
}

/** The phase whose money has moved when a swap reaches a state. */
export const movedBy: Readonly<Partial<Record<State, Phase>>> = {
  origin_final: "collection",
  settled: "delivery",
  refunded: "refund"
}

/** An amount, and the block (EVM) or slot (Solana) at which it was read. */
export interface Holding {
  readonly amount: bigint
  readonly block: bigint
}
