/** Checked by `tsc`: what the two kinds of users see. */
import type { SwapError, Transport } from "@geoswap/core"
import { type ClientOptions, createClient } from "@geoswap/core/promise"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expectTypeOf } from "vitest"
import { FetchTransport, fetchTransport, type FetchTransportOptions } from "../src/index.js"

/** Whether an Effect, a layer or a redacted value is anywhere in `T`, down to functions' arguments and results. */
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

// The probe itself finds one where there is one.
expectTypeOf<HoldsEffect<{ readonly a: () => Promise<Effect.Effect<number>> }>>().toEqualTypeOf<true>()
expectTypeOf<HoldsEffect<FetchTransport.Options>>().toEqualTypeOf<boolean>()
expectTypeOf<HoldsEffect<typeof FetchTransport.make>>().toEqualTypeOf<boolean>()

// A promise user sees no Effect type, and gets what a client takes.
expectTypeOf<HoldsEffect<FetchTransportOptions>>().toEqualTypeOf<false>()
expectTypeOf<HoldsEffect<typeof fetchTransport>>().toEqualTypeOf<false>()
expectTypeOf(fetchTransport).parameters.toEqualTypeOf<[options: FetchTransportOptions]>()
expectTypeOf(fetchTransport).returns.toEqualTypeOf<Transport.PromiseTransport>()
expectTypeOf(fetchTransport).returns.toEqualTypeOf<ClientOptions["transport"]>()
createClient({ transport: fetchTransport({ baseUrl: "https://swap.example", apiKey: async () => "key" }) })

// An Effect user sees exactly what can fail, and no requirement.
expectTypeOf(FetchTransport.layer).returns.toEqualTypeOf<Layer.Layer<Transport.Transport, SwapError.InvalidInput>>()
expectTypeOf(FetchTransport.make).returns.toEqualTypeOf<Effect.Effect<Transport.Shape, SwapError.InvalidInput>>()
FetchTransport.layer({ baseUrl: new URL("https://swap.example"), apiKey: Redacted.make("key") })

// The runtime's own fetch is one that can be given.
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", fetch: globalThis.fetch })

// @ts-expect-error a misspelt option
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", timeout: 5 })
// @ts-expect-error a misspelt call
fetchTransport({ baseUrl: "https://swap.example", apiKey: "key", timeouts: { "build-geo-op": 5 } })
// @ts-expect-error the key is needed
fetchTransport({ baseUrl: "https://swap.example" })
// @ts-expect-error promise users have no Redacted
fetchTransport({ baseUrl: "https://swap.example", apiKey: Redacted.make("key") })
