/** Types of the hooks and the query options. */
import type { Client as Programs } from "@geoswap/core"
import type { ChainInfo, Client, Quote, QuoteInput, Swap, SwapError } from "@geoswap/core/promise"
import { QueryClient } from "@tanstack/query-core"
import { useMutation, useQuery } from "@tanstack/react-query"
import type * as Layer from "effect/Layer"
import { createElement } from "react"
import { expectTypeOf } from "vitest"
import { GeoswapProvider, useQuote, useSwap, useSwapForm } from "../../src/index.js"
import {
  chainsQueryOptions,
  delegationQueryOptions,
  pendingQueryOptions,
  quoteQueryOptions,
  statusQueryOptions,
  swapMutationOptions
} from "../../src/query.js"

declare const client: Client
declare const request: QuoteInput
declare const layer: Layer.Layer<Programs.Services, Error>

/** Never called: only type-checked. */
export const useTypes = () => {
  // Exactly one of client and layer.
  createElement(GeoswapProvider, { client })
  createElement(GeoswapProvider, { layer })
  // @ts-expect-error: neither a client nor a layer
  createElement(GeoswapProvider, {})
  // @ts-expect-error: a client and a layer
  createElement(GeoswapProvider, { client, layer })

  // Errors narrow by their tag.
  const { error, quote } = useQuote(request)
  expectTypeOf(quote).toEqualTypeOf<Quote | undefined>()
  if (error?._tag === "RateLimited") expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>()
  const swap = useSwap({ onEnd: ({ phase }) => expectTypeOf(phase).toExtend<string>() })
  expectTypeOf(swap.error).toEqualTypeOf<SwapError | Error | undefined>()
  swap.start(request, { quote, minOutput: 1n })
  // @ts-expect-error: the hook has its own signal
  swap.start(request, { signal: AbortSignal.timeout(1) })

  // The request of the form is the input of a swap.
  const form = useSwapForm({
    tokens: [{ chain: 1, address: "0x", symbol: "USDC", decimals: 6 }],
    wallets: { evm: "0x" }
  })
  // @ts-expect-error: amounts are computed only from tokens that the page pins
  useSwapForm({ wallets: { evm: "0x" } })
  if (form.request) swap.start(form.request, { quote: form.quote.quote })

  // The options keep their types through any adapter.
  const chains = useQuery(chainsQueryOptions(client))
  expectTypeOf(chains.data).toEqualTypeOf<ReadonlyArray<ChainInfo> | undefined>()
  expectTypeOf(chains.error).toEqualTypeOf<SwapError | null>()
  expectTypeOf(useQuery(quoteQueryOptions(client, request, { scope: "a" })).data?.quote).toEqualTypeOf<
    Quote | undefined
  >()
  expectTypeOf(useQuery(statusQueryOptions(client, "id")).data).toEqualTypeOf<Swap | undefined>()
  const cache = new QueryClient()
  expectTypeOf(cache.query(chainsQueryOptions(client))).resolves.toEqualTypeOf<ReadonlyArray<ChainInfo>>()
  void cache.query(delegationQueryOptions(client, undefined))
  void cache.query(pendingQueryOptions(client))
  const mutation = useMutation(swapMutationOptions(client))
  mutation.mutate({ request, options: { quote } })
  expectTypeOf(mutation.data).toEqualTypeOf<Swap | undefined>()
  // @ts-expect-error: the scope is what keeps quotes apart
  quoteQueryOptions(client, request, {})
}
