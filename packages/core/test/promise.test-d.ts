/** The types of the promise entry contain no Effect types. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"
import type { Address } from "viem"
import type { OrderId } from "../src/Id.js"
import {
  type Client,
  type ClientOptions,
  createClient,
  type ExecuteInput,
  type ExecuteOptions,
  type FlowId,
  type IndicativeQuote,
  type isSwapError,
  type Locks,
  storageStore,
  type SwapError,
  type SwapId
} from "../src/promise.js"

type EffectType = Effect.Effect<unknown, unknown, unknown> | Stream.Stream<unknown, unknown, unknown>

/** Whether a type contains an Effect type, to a depth that covers the options of the client. */
type Holds<T, Depth extends ReadonlyArray<unknown> = []> = Depth["length"] extends 7
  ? false
  : 0 extends 1 & T
    ? true
    : unknown extends T
      ? false
      : [T] extends [never]
        ? false
        : true extends (T extends unknown ? Inside<T, [...Depth, 0]> : never)
          ? true
          : false

type Inside<T, Depth extends ReadonlyArray<unknown>> = T extends
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | AbortSignal
  ? false
  : T extends EffectType
    ? true
    : T extends (...args: infer A) => infer R
      ? true extends Holds<A[number], Depth> | Holds<R, Depth>
        ? true
        : false
      : T extends Promise<infer A> | AsyncIterable<infer A> | ReadonlyArray<infer A>
        ? Holds<A, Depth>
        : true extends { [K in keyof T]: Holds<T[K], Depth> }[keyof T]
          ? true
          : false

// The check itself works.
expectTypeOf<Holds<() => Promise<{ readonly a: Effect.Effect<number> }>>>().toEqualTypeOf<true>()
expectTypeOf<Holds<(f: () => Stream.Stream<number>) => void>>().toEqualTypeOf<true>()
expectTypeOf<Holds<{ readonly a: (b: string) => Promise<ReadonlyArray<Date>> }>>().toEqualTypeOf<false>()

expectTypeOf<Holds<ReturnType<typeof createClient>>>().toEqualTypeOf<false>()
expectTypeOf<Holds<ClientOptions>>().toEqualTypeOf<false>()
expectTypeOf<Holds<SwapError>>().toEqualTypeOf<false>()

// An indicative quote has no token, and can be neither built nor executed.
expectTypeOf<ReturnType<Client["indicativeQuote"]>>().toEqualTypeOf<Promise<IndicativeQuote>>()
expectTypeOf<IndicativeQuote>().not.toHaveProperty("geoQuoteToken")
expectTypeOf<IndicativeQuote>().not.toExtend<NonNullable<ExecuteOptions["quote"]>>()

// Errors narrow by their tag to their own fields.
declare const error: unknown
declare const check: typeof isSwapError
if (check(error)) {
  expectTypeOf(error.retry).toEqualTypeOf<"now" | "later" | "requote" | "reauthorize" | "resume" | "never">()
  if (error._tag === "WaitTimeout") expectTypeOf(error.swapId).toEqualTypeOf<SwapId>()
  if (error._tag === "RateLimited") expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>()
}

// The storage and the locks of a page fit a store.
expectTypeOf<LockManager>().toExtend<Locks>()

// An id cannot be used in place of an id of another kind, but a plain string can.
declare const client: Client
declare const ids: { readonly swap: SwapId; readonly flow: FlowId; readonly order: OrderId; readonly row: string }
void client.resume(ids.flow)
void client.resume(ids.row)
void client.status(ids.swap)
void client.status(ids.row)
// @ts-expect-error: a swap id is not a flow id
void client.resume(ids.swap)
// @ts-expect-error: a flow id is not a swap id
void client.wait(ids.flow)
// @ts-expect-error: an order id is not a swap id
void client.status(ids.order)

// Addresses of viem go in without a cast.
declare const address: Address
expectTypeOf<{
  readonly originChain: 1
  readonly destinationChain: 2
  readonly inputToken: Address
  readonly outputToken: Address
  readonly amount: 5n
  readonly walletAddress: Address
}>().toExtend<ExecuteInput>()
expectTypeOf({
  chains: [{ id: 1, name: "a", family: "evm" as const, deployment: { delegates: [address], vault: address } }]
}).toExtend<ClientOptions["network"]>()

// A store without locks has flows only: no budgets and no keys.
declare const page: Storage
declare const flowsOnlyOptions: Omit<ClientOptions, "policy" | "store">
const budget = { chainId: 8453, token: "0x01", amount: 1n }
const unlocked = storageStore(page)
const flowsOnlyClient = createClient({ ...flowsOnlyOptions, store: unlocked })
declare const input: ExecuteInput
void flowsOnlyClient.execute(input)
// @ts-expect-error: a key needs locks
void flowsOnlyClient.execute(input, { idempotencyKey: "order-17" })
// @ts-expect-error: a budget needs locks
void createClient({ ...flowsOnlyOptions, store: unlocked, policy: { budgets: [budget] } })
// @ts-expect-error: the number of swaps needs locks
void createClient({ ...flowsOnlyOptions, store: unlocked, policy: { maxSwapsPerHour: 5 } })
const locked = storageStore(page, { locks: navigator.locks })
void createClient({ ...flowsOnlyOptions, store: locked, policy: { budgets: [budget] } }).execute(input, {
  idempotencyKey: "order-17"
})
