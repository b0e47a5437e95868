/** A client that swaps with Effect and records its own spans. */
import { type SwapEvent, Client, Policy, Store } from "@geoswap/core"
import type { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { networkOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"

const usdc = 1_000_000n

/** A caller with ten dollars on the first chain, which it swaps to the second one. */
export const makeCaller = Effect.fnUntraced(function* (devnet: Devnet.Devnet) {
  const { evmA, evmB } = devnet
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const { account } = yield* Effect.promise(() => evm.newWallet(devnet, evmA, { USDC: 10n * usdc }))
  const recipient = evm.newAddress()
  const network = yield* Effect.promise(() => networkOf(devnet))
  /** The recorded requests. */
  const bodies: Array<string> = []
  const services = (url: string, apiKey: string) =>
    Layer.mergeAll(
      FetchTransport.layer({
        baseUrl: url,
        apiKey,
        fetch: async (input, init) => {
          if (typeof init?.body === "string") bodies.push(init.body)
          const response = await fetch(input, init)
          bodies.push(await response.clone().text())
          return response
        }
      }),
      EvmSigner.layerAccount(account),
      Policy.layer({ network }),
      Store.layerMemory
    )
  return {
    bodies,
    recipient,
    spans,
    wallet: account.address,
    /** A whole swap under one span, sampled by default. */
    swap: (
      { apiKey, url }: { readonly apiKey: string; readonly url: string },
      {
        onProgress,
        sampled = true
      }: { readonly onProgress?: (event: SwapEvent.SwapEvent) => Effect.Effect<void>; readonly sampled?: boolean } = {}
    ) =>
      Client.execute(
        {
          originChain: evmA.id,
          destinationChain: evmB.id,
          inputToken: evm.tokenOf(evmA, "USDC"),
          outputToken: evm.tokenOf(evmB, "WETH"),
          amount: 10n * usdc,
          walletAddress: account.address,
          recipient
        },
        { onProgress }
      ).pipe(
        Effect.withSpan("the caller", { root: true, sampled }),
        Effect.provide(services(url, apiKey)),
        Effect.provideService(Tracer.Tracer, tracer)
      )
  }
})

export type Caller = Effect.Success<ReturnType<typeof makeCaller>>
