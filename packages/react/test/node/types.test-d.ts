/** Types of the hooks and the query options. */
import type { ChainInfo, Client, Delegation, Flow, Quote, QuoteInput, Swap, SwapError } from "@geoswap/core/promise"
import { QueryClient } from "@tanstack/query-core"
import { useMutation, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { createElement } from "react"
import { expectTypeOf } from "vitest"
import {
  GeoswapProvider,
  useChains,
  useDelegation,
  useQuote,
  useResumableSwaps,
  useSwap,
  useSwapForm,
  useSwapStatus
} from "../../src/index.js"
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

/** Never called: only type-checked. */
export const useTypes = () => {
  createElement(GeoswapProvider, { client })
  // @ts-expect-error: no client
  createElement(GeoswapProvider, {})

  // The hooks return the results of TanStack Query, and take its options.
  expectTypeOf(useChains()).toEqualTypeOf<UseQueryResult<ReadonlyArray<ChainInfo>, SwapError>>()
  expectTypeOf(useDelegation(undefined)).toEqualTypeOf<UseQueryResult<Delegation, SwapError>>()
  expectTypeOf(useSwapStatus("id")).toEqualTypeOf<UseQueryResult<Swap, SwapError>>()
  expectTypeOf(useQuote(request)).toExtend<UseQueryResult<Quote, SwapError>>()
  expectTypeOf(useResumableSwaps()).toExtend<UseQueryResult<ReadonlyArray<Flow>, SwapError>>()
  const selected = useSwapStatus("id", { query: { select: ({ status }) => status, staleTime: 1_000 } })
  expectTypeOf(selected.data).toEqualTypeOf<Swap["status"] | undefined>()
  const output = useQuote(request, { query: { select: ({ output }) => output, refetchInterval: false } })
  expectTypeOf(output.data).toEqualTypeOf<bigint | undefined>()
  const count = useResumableSwaps({ query: { select: ({ length }) => length, enabled: false } })
  expectTypeOf(count.data).toEqualTypeOf<number | undefined>()
  // @ts-expect-error: the hook sets the key
  useChains({ query: { queryKey: ["mine"] } })
  // @ts-expect-error: a quote is not kept
  useQuote(request, { query: { gcTime: 1_000 } })
  // @ts-expect-error: signed flows are not persisted
  useResumableSwaps({ query: { persister: undefined } })

  // Errors narrow by their tag, and data by the status.
  const { error, data: quote, ...state } = useQuote(request)
  expectTypeOf(quote).toEqualTypeOf<Quote | undefined>()
  expectTypeOf(state.secondsLeft).toEqualTypeOf<number | undefined>()
  const chainList = useChains()
  if (chainList.isSuccess) expectTypeOf(chainList.data).toEqualTypeOf<ReadonlyArray<ChainInfo>>()
  if (error?._tag === "RateLimited") expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>()
  const swap = useSwap({ onSuccess: ({ status }) => expectTypeOf(status).toExtend<string>() })
  expectTypeOf(swap.error).toEqualTypeOf<SwapError | Error | null>()
  if (swap.isSuccess) expectTypeOf(swap.data).toEqualTypeOf<Swap>()
  const started = swap.mutate({ request, quote, minOutput: 1n })
  if (!started.started) expectTypeOf(started.reason).toEqualTypeOf<"running" | "resumable">()
  expectTypeOf(swap.mutateAsync({ flowId: "flow", signal: AbortSignal.timeout(1) })).resolves.toEqualTypeOf<Swap>()
  // @ts-expect-error: a flow is resumed with its own request
  swap.mutate({ request, flowId: "flow" })

  // The request of the form is the input of a swap.
  const form = useSwapForm({
    network: {
      chains: [{ id: 1, name: "a", family: "evm", tokens: [{ address: "0x", symbol: "USDC", decimals: 6 }] }]
    },
    wallets: { evm: "0x" }
  })
  // @ts-expect-error: amounts are computed only from tokens that the page pins
  useSwapForm({ wallets: { evm: "0x" } })
  if (form.request) swap.mutate({ request: form.request, quote: form.quote.data })

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
  expectTypeOf(cache.query(pendingQueryOptions(client))).resolves.toEqualTypeOf<ReadonlyArray<Flow>>()
  expectTypeOf(useQuery(pendingQueryOptions(client)).data).toEqualTypeOf<ReadonlyArray<Flow> | undefined>()
  const mutation = useMutation(swapMutationOptions(client))
  mutation.mutate({ request, quote })
  expectTypeOf(mutation.data).toEqualTypeOf<Swap | undefined>()
  // @ts-expect-error: the scope is what keeps quotes apart
  quoteQueryOptions(client, request, {})
}
