/** Swaps and shared steps for the store contract cases. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Claim, type Holding, type Kind, nameOf, type Phase } from "../../domain/Claim.js"
import type { Accepted, Attempt, State, SwapRecord } from "../../domain/SwapRecord.js"
import type { Acceptance, ClaimDenial, Reservation } from "../../store/acceptance/Acceptance.js"
import type { Store } from "../../store/Store.js"
import type { Change } from "../../store/swaps/Change.js"
import { violated } from "../contractAssertions.js"

/** A number as 32 bytes in hex. */
export const bytes = (number: number): string => `0x${number.toString(16).padStart(64, "0")}`

export const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
export const weth = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
export const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
export const relayer = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** The swap for an order: 10 units of USDC on one chain for 4 units of another token on another chain. */
export const order = (number: number, over: Partial<Accepted> = {}): Accepted => ({
  id: `swap-${number}`,
  accountId: "account-1",
  orderId: bytes(number),
  operationHash: bytes(1_000_000 + number),
  originChain: 31_337,
  destinationChain: 31_338,
  inputToken: usdc,
  outputToken: weth,
  wallet,
  recipient: wallet,
  amount: 10n,
  output: 4n,
  minOutput: 3n,
  terms: bytes(7),
  feeBps: 12.5,
  networkCost: 1n,
  opensAccount: false,
  operation: {
    _tag: "evm",
    delegate: weth,
    nonce: `${number}`,
    deadline: 1_767_225_690,
    signature: `0x${"5b".repeat(65)}`,
    vault: "vault",
    method: "message"
  },
  quotedAt: 1_767_225_600_000 + number,
  createdAt: 1_767_225_600_000 + number,
  ...over
})

/** A balance: an amount as of a block. */
export const held = (amount: bigint, block = 0n): Holding => ({ amount, block })

/** The limits of an order's claims, as a node would report them. */
export interface Limits {
  readonly balance: Holding
  readonly inventory: Holding
  /** How much of the input token Permit2 may spend for the wallet (default: more than enough). */
  readonly approval?: Holding
  /** The orders in flight with the same target (default: more than enough). */
  readonly inFlightPerTarget?: number
  readonly until?: number
  /** The vault of both chains (default: `vault`, which is not an address). */
  readonly vault?: string
}

const whole = 2n ** 256n - 1n

/** The claims of an order. */
export const claimsOf = (
  { amount, destinationChain, inputToken, operation, originChain, output, outputToken, wallet }: Accepted,
  { approval, balance, inFlightPerTarget = 1_000_000, inventory, vault = "vault" }: Limits
): ReadonlyArray<Claim> => {
  const claim = (phase: Phase, kind: Kind, name: string, amount: bigint, limit: Holding): Claim => ({
    phase,
    kind,
    name,
    amount,
    limit
  })
  const [method, target] = operation._tag === "evm" ? [operation.method, operation.target] : []
  const owner = nameOf(originChain, inputToken, wallet)
  const outputs = nameOf(destinationChain, vault, outputToken)
  const anything = held(whole, balance.block)
  return [
    claim("collection", "input", owner, amount, balance),
    ...(method === "permit2" ? [claim("collection", "approval", owner, amount, approval ?? anything)] : []),
    ...(method === "erc2612" ? [claim("collection", "approval", owner, whole, anything)] : []),
    ...(target === undefined
      ? []
      : [claim("collection", "target", nameOf(originChain, target), 1n, held(BigInt(inFlightPerTarget)))]),
    claim("delivery", "output", outputs, output, inventory),
    claim("delivery", "vault", outputs, output, inventory),
    claim("refund", "refund", nameOf(originChain, vault, inputToken), amount, held(2n ** 300n, 2n ** 60n))
  ]
}

/** Why claims were not granted, with the kind of the resource as the tag. */
const described = (denial: ClaimDenial) => {
  if (denial._tag === "Exceeded") return { _tag: `${denial.claim.kind} exceeded` as const, used: denial.used }
  const blockOf = (wanted: Kind) => denial.since.find(({ kind }) => kind === wanted)?.block ?? 0n
  return { _tag: "Outdated" as const, balanceSince: blockOf("input"), inventorySince: blockOf("output") }
}

const isDenial = (result: Acceptance | Reservation): result is ClaimDenial =>
  result._tag === "Exceeded" || result._tag === "Outdated"

/** The result of accepting an order. */
export type Answer = Exclude<Acceptance, { readonly _tag: "Exceeded" | "Outdated" }> | ReturnType<typeof described>

/** Accepts an order within limits. */
export const accept = (store: Pick<Store, "accept">, swap: Accepted, limits: Limits) =>
  Effect.map(store.accept(swap, { claims: claimsOf(swap, limits), until: limits.until }), (result): Answer =>
    isDenial(result) ? described(result) : result
  )

/** Grants the claims of an order's delivery again. */
export const reserve = (store: Pick<Store, "reserve">, swap: SwapRecord, owner: string, inventory: Holding) => {
  const claims = claimsOf(swap, { ...plenty, inventory }).filter(({ phase }) => phase === "delivery")
  return Effect.map(store.reserve(swap, owner, claims), (result) => (isDenial(result) ? described(result) : result))
}

export const plenty: Limits = { balance: held(10n ** 30n), inventory: held(10n ** 30n) }
export const me = "worker-1"
export const aMinute = 60_000

/** Accepts orders and claims their swaps. */
export const working = (store: Store, ...orders: ReadonlyArray<Accepted>) =>
  Effect.gen(function* () {
    for (const swap of orders) yield* accept(store, swap, plenty)
    return yield* store.claim({ owner: me, leaseMillis: aMinute, limit: orders.length })
  })

/** Fails the case because `claim` did not return the expected swaps. */
export const notClaimed = (): never =>
  violated("claim must return every swap that has been accepted and is not claimed.")

/** Returns the only element of a list. */
const one = <A>(all: ReadonlyArray<A>): A => {
  const [first] = all
  return first === undefined || all.length > 1 ? notClaimed() : first
}

/** Accepts an order and claims its swap. */
export const underWay = (store: Store, number = 1, over: Partial<Accepted> = {}) =>
  Effect.map(working(store, order(number, over)), one)

/** Creates a change to a swap by the worker that claimed it. */
export const to = (swap: SwapRecord, state: State, over: Partial<Change> = {}): Change => ({
  swap,
  owner: me,
  to: state,
  detail: `now ${state}`,
  ...over
})

/** Moves a swap through several states. */
export const through = Effect.fnUntraced(function* (store: Store, swap: SwapRecord, ...states: ReadonlyArray<State>) {
  let current = swap
  for (const state of states) current = yield* store.change(to(current, state))
  return current
})

export const attempt = (number: number, over: Partial<Attempt> = {}): Attempt => ({
  raw: `0x02${number.toString(16).padStart(6, "0")}`,
  hash: bytes(number),
  nonce: 0,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
  cancels: false,
  createdAt: 1_767_225_601_000 + number,
  ...over
})

/** A clock that blocks its readers until it is released. */
export const pausedClock = Effect.fnUntraced(function* (millis: number) {
  const clock = yield* Clock.Clock
  const [reached, opened] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const paused: Clock.Clock = {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
    currentTimeMillis: Deferred.succeed(reached, undefined).pipe(
      Effect.andThen(Deferred.await(opened)),
      Effect.as(millis)
    )
  }
  return { clock: paused, reached: Deferred.await(reached), opened: Deferred.succeed(opened, undefined) }
})

/** Waits for several turns of the event loop, so that other fibers can continue. */
export const someTurns = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve))
})

/** What a store contains: swaps, their events, and the sum of the reserved outputs. */
export const contentsOf = Effect.fnUntraced(function* (store: Store) {
  const swaps = yield* store.list({ limit: 1_000 })
  const events = yield* Effect.forEach(swaps, ({ id }) => store.events(id))
  const reserved = (yield* store.reserved).reduce((sum, { amount }) => sum + amount, 0n)
  return { swaps: swaps.length, events: events.flat().length, reserved }
})
