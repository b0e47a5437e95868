/** Checked by `tsc`: the types of the promise and the Effect API. */
import type { SwapError, Transport } from "@geoswap/core"
import { type ClientOptions, createClient } from "@geoswap/core/promise"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expectTypeOf } from "vitest"
import { FetchTransport, fetchTransport, type FetchTransportOptions } from "../src/index.js"

/** Whether `T` contains an Effect, a layer or a redacted value, including arguments and results of functions. */
type HoldsEffect<T, Depth extends ReadonlyArray<unknown> = []> = Depth["length"] extends 6
  ? false
  : T extends Effect.Effect<unknown, unknown, unknown> | Layer.Layer<never, unknown, unknown> | Redacted.Redacted
    ? true
    : T extends AbortSignal | URL | Response | RequestInit
      ? false
      : T extends (...input: infer I) => infer O
        ? HoldsEffect<I[number], [...Depth, 0]> | HoldsEffect<O, [...Depth, 0]>
        : T extends Promise<infer A>
          ? HoldsEffect<A, [...Depth, 0]>
          : T extends object
            ? { [K in keyof T]-?: HoldsEffect<T[K], [...Depth, 0]> }[keyof T]
            : false

// The check itself works.
expectTypeOf<HoldsEffect<{ readonly a: () => Promise<Effect.Effect<number>> }>>().toEqualTypeOf<true>()
expectTypeOf<HoldsEffect<FetchTransport.Options>>().toEqualTypeOf<boolean>()
expectTypeOf<HoldsEffect<typeof FetchTransport.make>>().toEqualTypeOf<boolean>()

// The promise API has no Effect types, and returns what a client accepts.
expectTypeOf<HoldsEffect<FetchTransportOptions>>().toEqualTypeOf<false>()
expectTypeOf<HoldsEffect<typeof fetchTransport>>().toEqualTypeOf<false>()
expectTypeOf(fetchTransport).parameters.toEqualTypeOf<[options: FetchTransportOptions]>()
expectTypeOf(fetchTransport).returns.toEqualTypeOf<Transport.PromiseTransport>()
expectTypeOf(fetchTransport).returns.toEqualTypeOf<ClientOptions["transport"]>()
createClient({ transport: fetchTransport({ baseUrl: "https://swap.example", apiKey: async () => "key" }) })

// The Effect API shows the exact error type and no requirements.
expectTypeOf(FetchTransport.layer).returns.toEqualTypeOf<Layer.Layer<Transport.Transport, SwapError.InvalidInput>>()
expectTypeOf(FetchTransport.make).returns.toEqualTypeOf<Effect.Effect<Transport.Transport, SwapError.InvalidInput>>()
FetchTransport.layer({ baseUrl: new URL("https://swap.example"), apiKey: Redacted.make("key") })

// The global fetch is assignable to the option.
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", fetch: globalThis.fetch })

// @ts-expect-error a misspelt option
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", timeout: 5 })
// @ts-expect-error a misspelt call
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", timeouts: { "build-geo-op": 5 } })
// The key is optional, because a proxy may add it.
fetchTransport({ baseUrl: "https://swap.example" })
// @ts-expect-error promise users have no Redacted
fetchTransport({ baseUrl: "https://swap.example", apiKey: Redacted.make("key") })
