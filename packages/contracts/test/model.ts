/** The vault and its wallets as a few lines of arithmetic: what must come of every action, and what is left after it. */
import type { Address, Hex } from "viem"

/** What somebody tries. */
export type Action =
  | {
      readonly kind: "collect"
      readonly by: "relayer" | "stranger"
      readonly wallet: number
      readonly token: number
      readonly amount: bigint
      readonly nonce: bigint
      /** Seconds between the block and the deadline. */
      readonly left: bigint
      /** Whether the wallet signed this very operation. */
      readonly honest: boolean
    }
  | {
      readonly kind: "deliver" | "refund"
      readonly by: "owner" | "relayer" | "stranger"
      readonly id: Hex
      readonly token: number
      readonly to: "recipient" | "nobody" | "vault"
      readonly amount: bigint
    }
  | { readonly kind: "withdraw"; readonly token: number; readonly amount: bigint }
  | { readonly kind: "setCap"; readonly token: number; readonly perHour: bigint }
  | { readonly kind: "pause" | "unpause" }
  | { readonly kind: "delegate"; readonly wallet: number; readonly to: number }

/** The tokens of the model, by index. The last one is native and cannot be collected. */
const native = 2

export interface State {
  /** By token. */
  readonly vault: Array<bigint>
  readonly caps: Array<bigint>
  readonly sent: Array<{ hour: bigint; amount: bigint }>
  /** By wallet, then by token. */
  readonly wallets: Array<Array<bigint>>
  /** By wallet: which of the targets it is delegated to. The first two are accounts of the vault. */
  readonly delegates: Array<number>
  readonly nonces: Array<Set<bigint>>
  readonly ids: Set<Hex>
  paused: boolean
}

/** Where a sequence begins: the vault and the wallets hold the same of each token, the wallets nothing native. */
export const initial = (holding: bigint, cap: bigint): State => ({
  vault: [holding, holding, holding],
  caps: [cap, cap, cap],
  sent: [0, 1, 2].map(() => ({ hour: 0n, amount: 0n })),
  wallets: [0, 1].map(() => [holding, holding, 0n]),
  delegates: [0, 0],
  nonces: [new Set(), new Set()],
  ids: new Set(),
  paused: false
})

/** Reads an item that is there. */
export const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}

const move = (balances: Array<bigint>, token: number, amount: bigint): void => {
  balances[token] = at(balances, token) + amount
}

const shortOf = (token: number): string => (token === native ? "InsufficientBalance" : "ERC20InsufficientBalance")

/** What comes of an action in a block of a given time: "done", and the state has changed, or an error, and it has not. */
export const apply = (state: State, action: Action, time: bigint): string => {
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
      move(balances, token, -amount)
      move(state.vault, token, amount)
      return "done"
    }
    case "deliver":
    case "refund": {
      const { amount, id, to, token } = action
      const hour = time / 3600n
      const flow = at(state.sent, token)
      const sent = flow.hour === hour ? flow.amount : 0n
      if (state.ids.has(id)) return "IdUsed"
      if (!byHand && sent + amount > at(state.caps, token)) return "CapExceeded"
      if (amount === 0n || to !== "recipient") return "Nothing"
      if (amount > at(state.vault, token)) return shortOf(token)
      state.ids.add(id)
      if (!byHand) state.sent[token] = { hour, amount: sent + amount }
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
    case "pause":
    case "unpause":
      state.paused = action.kind === "pause"
      return "done"
    case "delegate":
      state.delegates[action.wallet] = action.to
      return "done"
  }
}

/** Chance that can be repeated: mulberry32. */
export const chanceOf = (seed: number) => {
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

/** Something to try, mostly sensible. */
export const anyAction = (chance: ReturnType<typeof chanceOf>, holding: bigint): Action => {
  const { below, likely, pick } = chance
  const amount = () =>
    likely(0.05) ? 0n : likely(0.08) ? holding * 3n : (holding / 40n) * BigInt(1 + below(8)) + BigInt(below(9))
  const by = likely(0.95) ? ("relayer" as const) : ("stranger" as const)
  const kind = pick([
    ...Array<"collect">(10).fill("collect"),
    ...Array<"deliver">(6).fill("deliver"),
    ...Array<"refund">(4).fill("refund"),
    "withdraw",
    "setCap",
    likely(0.3) ? "pause" : "unpause",
    "unpause",
    "delegate",
    "delegate"
  ] as const)
  switch (kind) {
    case "collect":
      return {
        kind,
        by,
        wallet: below(2),
        token: below(2),
        amount: amount(),
        nonce: pick([BigInt(below(40)), 250n + BigInt(below(12)), 2n ** 256n - 1n - BigInt(below(3))]),
        left: likely(0.9) ? BigInt(below(2) * 60) : -1n,
        honest: likely(0.92)
      }
    case "deliver":
    case "refund": {
      const to = likely(0.94) ? ("recipient" as const) : pick(["nobody", "vault"] as const)
      return {
        kind,
        by: likely(0.1) ? "owner" : by,
        id: `0x${below(120).toString(16).padStart(64, "0")}`,
        token: below(3),
        to,
        amount: amount()
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
    case "pause":
    case "unpause":
      return { kind }
    case "delegate":
      return { kind, wallet: below(2), to: pick([0, 0, 1, 1, 2, 3]) }
  }
}

/** What a wallet can be delegated to: two accounts of the vault, that of another provider, and nothing. */
export type Targets = readonly [first: Address, second: Address, other: Address, none: Address]
