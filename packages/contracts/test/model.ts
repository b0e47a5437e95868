/** A small model of the vault and its wallets: the expected outcome of every action, and the state after it. */
import { type Address, type Hex, maxUint256 } from "viem"
import { type Method, methods } from "./payments.ts"

/** An action. */
export type Action =
  | Single
  | {
      readonly kind: "collectMany"
      readonly by: "relayer" | "stranger"
      readonly items: ReadonlyArray<Payment>
    }
  | {
      readonly kind: "deliverMany" | "refundMany"
      readonly by: "owner" | "relayer" | "stranger"
      readonly items: ReadonlyArray<Release>
    }

export type Batch = Extract<Action, { readonly items: unknown }>
export type Payment = Extract<Single, { readonly kind: "collect" | "pay" }>
export type Release = Extract<Single, { readonly kind: "deliver" | "refund" }>

/** An action that is not a batch. */
export type Single =
  | {
      readonly kind: "collect"
      readonly by: "relayer" | "stranger"
      readonly wallet: number
      readonly token: number
      readonly amount: bigint
      readonly nonce: bigint
      /** Seconds between the block and the deadline. */
      readonly left: bigint
      /** Whether the wallet signed this exact operation. */
      readonly honest: boolean
    }
  | {
      readonly kind: "pay"
      readonly method: Method
      readonly by: "relayer" | "stranger"
      readonly wallet: number
      readonly token: number
      readonly amount: bigint
      /** The number of the order, which is also its index. */
      readonly order: bigint
      readonly left: bigint
      readonly honest: boolean
    }
  | { readonly kind: "approve"; readonly wallet: number; readonly token: number }
  | {
      readonly kind: "deliver" | "refund"
      readonly by: "owner" | "relayer" | "stranger"
      readonly id: Hex
      readonly token: number
      readonly to: "recipient" | "zeroAddress" | "vault"
      readonly amount: bigint
    }
  | { readonly kind: "withdraw"; readonly token: number; readonly amount: bigint }
  | { readonly kind: "setCap" | "setRefundCap"; readonly token: number; readonly perHour: bigint }
  | { readonly kind: "pause" | "unpause" }
  | { readonly kind: "delegate"; readonly wallet: number; readonly to: number }

/** The tokens of the model, by index. The last one is native and cannot be collected. */
const native = 2

/** An amount of one clock hour. */
interface Hourly {
  readonly hour: bigint
  amount: bigint
}

export interface State {
  /** By token. */
  readonly vault: Array<bigint>
  readonly caps: Array<bigint>
  /** Undefined for a token that has only a delivery cap. */
  readonly refundCaps: Array<bigint | undefined>
  readonly delivered: Array<Hourly>
  readonly refunded: Array<Hourly>
  /** By token: every input, oldest first, and the amount that relayers have not refunded. */
  readonly inputs: Array<Array<Hourly>>
  /** By wallet, then by token. */
  readonly wallets: Array<Array<bigint>>
  /** By wallet: the target that it delegates to. The first two are accounts of the vault. */
  readonly delegates: Array<number>
  readonly nonces: Array<Set<bigint>>
  /** By wallet: the orders that were paid by EIP-3009, with their token. */
  readonly authorizations: Array<Set<string>>
  /** By wallet: the used indexes of nonces in Permit2. */
  readonly indexes: Array<Set<bigint>>
  /** By wallet, then by token: the allowance for Permit2, and the next nonce of a permit. */
  readonly allowances: Array<Array<bigint>>
  readonly permits: Array<Array<bigint>>
  readonly ids: Set<Hex>
  paused: boolean
}

/** The initial state: the vault and the wallets have the same balance of each token, the wallets no native tokens. */
export const initial = (holding: bigint, cap: bigint): State => ({
  vault: [holding, holding, holding],
  caps: [cap, cap, cap],
  refundCaps: [undefined, undefined, undefined],
  delivered: [0, 1, 2].map(() => ({ hour: 0n, amount: 0n })),
  refunded: [0, 1, 2].map(() => ({ hour: 0n, amount: 0n })),
  inputs: [[], [], []],
  wallets: [0, 1].map(() => [holding, holding, 0n]),
  delegates: [0, 0],
  nonces: [new Set(), new Set()],
  authorizations: [new Set(), new Set()],
  indexes: [new Set(), new Set()],
  allowances: [0, 1].map(() => [maxUint256, maxUint256]),
  permits: [0, 1].map(() => [0n, 0n]),
  ids: new Set(),
  paused: false
})

/** Reads an existing item. */
export const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item at ${index}`)
  return item
}

const move = (balances: Array<bigint>, token: number, amount: bigint): void => {
  balances[token] = at(balances, token) + amount
}

const shortOf = (token: number): string => (token === native ? "InsufficientBalance" : "ERC20InsufficientBalance")

const amountIn = (flow: Hourly, hour: bigint): bigint => (flow.hour === hour ? flow.amount : 0n)

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The inputs of a token that relayers can refund in an hour. */
const recent = (state: State, token: number, hour: bigint): ReadonlyArray<Hourly> =>
  at(state.inputs, token).filter((input) => input.hour > hour - 3n)

const refundCapOf = (state: State, token: number): bigint =>
  least(at(state.caps, token), state.refundCaps[token] ?? at(state.caps, token))

const collectedOf = (state: State, token: number, hour: bigint): bigint =>
  recent(state, token, hour).reduce((sum, { amount }) => sum + amount, 0n)

/** The amount of a token that relayers may refund at a time. */
export const refundable = (state: State, token: number, time: bigint): bigint => {
  const hour = time / 3600n
  const [cap, refunded] = [refundCapOf(state, token), amountIn(at(state.refunded, token), hour)]
  return least(cap > refunded ? cap - refunded : 0n, collectedOf(state, token, hour))
}

const takeCollected = (state: State, token: number, hour: bigint, amount: bigint): void => {
  let left = amount
  for (const input of recent(state, token, hour)) {
    const taken = least(left, input.amount)
    input.amount -= taken
    left -= taken
  }
}

const receive = (
  state: State,
  { amount, token, wallet }: { readonly amount: bigint; readonly token: number; readonly wallet: number },
  time: bigint
): void => {
  move(at(state.wallets, wallet), token, -amount)
  move(state.vault, token, amount)
  at(state.inputs, token).push({ hour: time / 3600n, amount })
}

/** The error of a payment by typed data, if any. */
const refusalOf = (state: State, action: Extract<Single, { readonly kind: "pay" }>): string | undefined => {
  const { amount, honest, left, method, order, token, wallet } = action
  const [delegate, balance] = [at(state.delegates, wallet), at(at(state.wallets, wallet), token)]
  if (amount === 0n) return "Nothing"
  switch (method) {
    case "typed":
      if (delegate > 1) return "NotDelegated"
      if (left < 0n) return "Expired"
      if (!honest) return "InvalidSignature"
      if (at(state.nonces, wallet).has(order)) return "NonceUsed"
      return amount > balance ? shortOf(token) : undefined
    case "eip3009":
      if (!honest) return "ERC3009InvalidSignature"
      if (left <= 0n) return "ERC3009InvalidAuthorizationTime"
      if (at(state.authorizations, wallet).has(`${token} ${order}`)) return "ERC3009UsedAuthorization"
      return amount > balance ? shortOf(token) : undefined
    case "permit2":
    case "erc2612": {
      if (left < 0n) return "SignatureExpired"
      if (at(state.indexes, wallet).has(order)) return "InvalidNonce"
      // The code of another provider does not know signatures.
      if (delegate === 2) return "without a reason"
      if (!honest) return delegate < 2 ? "InvalidContractSignature" : "InvalidSigner"
      const allowance = method === "erc2612" ? amount : at(at(state.allowances, wallet), token)
      return amount > balance || amount > allowance ? "Error" : undefined
    }
  }
}

/** The outcome of an action in a block at a given time: "done" with a changed state, or an error with the same state. */
const applySingle = (state: State, action: Single, time: bigint): string => {
  const byHand = action.kind === "refund" && action.by === "owner"
  if ("by" in action && !byHand) {
    if (state.paused) return "IsPaused"
    if (action.by !== "relayer") return "NotAllowed"
  }
  switch (action.kind) {
    case "collect": {
      const { amount, honest, left, nonce, token } = action
      const [balances, used] = [at(state.wallets, action.wallet), at(state.nonces, action.wallet)]
      if (amount === 0n) return "Nothing"
      if (at(state.delegates, action.wallet) > 1) return "NotDelegated"
      if (left < 0n) return "Expired"
      if (!honest) return "InvalidSignature"
      if (used.has(nonce)) return "NonceUsed"
      if (amount > at(balances, token)) return shortOf(token)
      used.add(nonce)
      receive(state, action, time)
      return "done"
    }
    case "pay": {
      const refused = refusalOf(state, action)
      if (refused !== undefined) return refused
      const { amount, method, order, token, wallet } = action
      if (method === "typed") at(state.nonces, wallet).add(order)
      if (method === "eip3009") at(state.authorizations, wallet).add(`${token} ${order}`)
      if (method === "permit2" || method === "erc2612") at(state.indexes, wallet).add(order)
      const allowances = at(state.allowances, wallet)
      if (method === "permit2" && allowances[token] !== maxUint256) move(allowances, token, -amount)
      if (method === "erc2612") {
        allowances[token] = 0n
        move(at(state.permits, wallet), token, 1n)
      }
      receive(state, action, time)
      return "done"
    }
    case "approve":
      at(state.allowances, action.wallet)[action.token] = maxUint256
      return "done"
    case "deliver":
    case "refund": {
      const { amount, id, to, token } = action
      const hour = time / 3600n
      const isRefund = action.kind === "refund"
      const flows = isRefund ? state.refunded : state.delivered
      const cap = isRefund ? refundCapOf(state, token) : at(state.caps, token)
      const sum = amountIn(at(flows, token), hour) + amount
      if (state.ids.has(id)) return "IdUsed"
      if (!byHand && sum > cap) return "CapExceeded"
      if (!byHand && isRefund && amount > collectedOf(state, token, hour)) return "ExceedsCollected"
      if (amount === 0n || to !== "recipient") return "Nothing"
      if (amount > at(state.vault, token)) return shortOf(token)
      state.ids.add(id)
      if (!byHand) flows[token] = { hour, amount: sum }
      if (!byHand && isRefund) takeCollected(state, token, hour, amount)
      move(state.vault, token, -amount)
      return "done"
    }
    case "withdraw":
      if (action.amount === 0n) return "Nothing"
      if (action.amount > at(state.vault, action.token)) return shortOf(action.token)
      move(state.vault, action.token, -action.amount)
      return "done"
    case "setCap":
      state.caps[action.token] = action.perHour
      return "done"
    case "setRefundCap":
      state.refundCaps[action.token] = action.perHour
      return "done"
    case "pause":
    case "unpause":
      state.paused = action.kind === "pause"
      return "done"
    case "delegate":
      state.delegates[action.wallet] = action.to
      return "done"
  }
}

/** The outcome of an action, or of every item of a batch: these are single actions, one after the other. */
export const apply = (state: State, action: Action, time: bigint): ReadonlyArray<string> | string => {
  if (!("items" in action)) return applySingle(state, action, time)
  if (state.paused) return "IsPaused"
  return action.by === "relayer" ? action.items.map((item) => applySingle(state, item, time)) : "NotAllowed"
}

/** A seeded random number generator (mulberry32). */
export const seededRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  const pick = <A>(items: ReadonlyArray<A>): A => at(items, below(items.length))
  return { below, pick, likely: (probability: number): boolean => next() < probability }
}

type Random = ReturnType<typeof seededRandom>

/** A random action, usually a valid one. Every sixth is a batch. */
export const anyAction = (random: Random, holding: bigint): Action => {
  const { below, likely, pick } = random
  if (!likely(1 / 6)) return anySingle(random, holding)
  const kind = pick(["collectMany", "deliverMany", "refundMany"] as const)
  const items = Array.from({ length: 1 + below(6) }, () =>
    anySingle(
      random,
      holding,
      kind === "collectMany" ? pick(["collect", "pay"]) : kind === "refundMany" ? "refund" : "deliver"
    )
  )
  // Items that are twice in a batch, or in two batches, must not be paid twice.
  if (likely(0.3)) items.push(pick(items))
  // Smaller amounts than in single actions, so that several items of a batch can settle.
  const all = items.map((item) => ({
    ...item,
    by: "relayer" as const,
    ...("amount" in item && { amount: item.amount / 16n })
  }))
  const by = likely(0.95) ? ("relayer" as const) : ("stranger" as const)
  return kind === "collectMany"
    ? { kind, by, items: withOnePermit(all as ReadonlyArray<Payment>) }
    : { kind, by: likely(0.05) ? "owner" : by, items: all as ReadonlyArray<Release> }
}

/** Permits of one wallet and token have consecutive nonces: a batch has at most one of them, which is signed in advance. */
const withOnePermit = (items: ReadonlyArray<Payment>): ReadonlyArray<Payment> => {
  const signed = new Set<string>()
  return items.filter((item) => {
    if (item.kind !== "pay" || item.method !== "erc2612") return true
    const key = `${item.wallet} ${item.token}`
    return !signed.has(key) && signed.add(key)
  })
}

/** A random action that is not a batch. */
const anySingle = (random: Random, holding: bigint, only?: Single["kind"]): Single => {
  const { below, likely, pick } = random
  const amount = () =>
    likely(0.05) ? 0n : likely(0.08) ? holding * 3n : (holding / 40n) * BigInt(1 + below(8)) + BigInt(below(9))
  const by = likely(0.95) ? ("relayer" as const) : ("stranger" as const)
  const any = pick([
    ...Array<"collect">(8).fill("collect"),
    ...Array<"pay">(14).fill("pay"),
    "approve",
    "approve",
    ...Array<"deliver">(6).fill("deliver"),
    ...Array<"refund">(6).fill("refund"),
    "withdraw",
    "setCap",
    "setRefundCap",
    likely(0.3) ? "pause" : "unpause",
    "unpause",
    "delegate",
    "delegate"
  ] as const)
  const kind = only ?? any
  switch (kind) {
    case "collect":
      return {
        kind,
        by,
        wallet: below(2),
        token: below(2),
        amount: amount() / 4n,
        nonce: pick([BigInt(below(2 ** 20)), 250n + BigInt(below(12)), 2n ** 256n - 1n - BigInt(below(3))]),
        left: likely(0.9) ? BigInt(below(2) * 60) : -1n,
        honest: likely(0.92)
      }
    case "pay":
      return {
        kind,
        method: pick(methods),
        by,
        wallet: below(2),
        token: below(2),
        amount: amount() / 4n,
        order: pick([BigInt(below(2 ** 20)), 250n + BigInt(below(12)), 2n ** 64n - 1n - BigInt(below(3))]),
        left: likely(0.9) ? BigInt(below(2) * 60) : -1n,
        honest: likely(0.92)
      }
    case "approve":
      return { kind, wallet: below(2), token: below(2) }
    case "deliver":
    case "refund": {
      const to = likely(0.94) ? ("recipient" as const) : pick(["zeroAddress", "vault"] as const)
      return {
        kind,
        by: likely(0.1) ? "owner" : by,
        id: `0x${below(likely(0.8) ? 2 ** 30 : 20)
          .toString(16)
          .padStart(64, "0")}`,
        token: kind === "refund" && likely(0.9) ? below(2) : below(3),
        to,
        amount: kind === "refund" ? amount() / 4n : amount()
      }
    }
    case "withdraw":
      return { kind, token: below(3), amount: amount() / 4n }
    case "setCap":
      return {
        kind,
        token: below(3),
        perHour: likely(0.2) ? 0n : (holding / 4n) * BigInt(1 + below(4))
      }
    case "setRefundCap":
      return {
        kind,
        token: below(3),
        perHour: likely(0.2) ? 0n : likely(0.3) ? 2n ** 256n - 1n : (holding / 8n) * BigInt(1 + below(8))
      }
    case "pause":
    case "unpause":
      return { kind }
    case "delegate":
      return { kind, wallet: below(2), to: pick([0, 0, 1, 1, 2, 3]) }
  }
}

/**
 * The targets of a delegation: the vault's account contract, a copy of it that the owner added, the account of another
 * provider, and none.
 */
export type Targets = readonly [own: Address, copy: Address, other: Address, none: Address]
