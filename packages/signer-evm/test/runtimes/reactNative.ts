/** Swaps as an app in React Native does, with the built packages. */
import { createClient, isSwapError, type PromiseTransport } from "@geoswap/core/promise"
import { Vectors } from "@geoswap/core/testing"
import { createTestKit, evmRequest, Fault, solanaRequest } from "@geoswap/core/testing/promise"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import { privateKeyToAccount } from "viem/accounts"
import { library } from "../../../../tooling/testing/evm/chainLibrary.js"

/** A response as React Native creates it: the body cannot be streamed. */
const responseOf = ({ body, headers, status }: Awaited<ReturnType<PromiseTransport["send"]>>) =>
  ({ status, headers: new Headers(headers as Record<string, string>), text: async () => body }) as Response

/** React Native's `fetch`, connected to the scripted service. */
const fetchFrom =
  ({ send }: PromiseTransport) =>
  async (url: string, { body, method, signal }: RequestInit): Promise<Response> => {
    const path = url.slice("https://swap.example".length)
    const [, endpoint] = /^\/swap\/([\w-]+)/.exec(path) ?? []
    const request = { endpoint, method, path, ...(typeof body === "string" && { body }) }
    return responseOf(await send(request as Parameters<typeof send>[0], { signal: signal as AbortSignal }))
  }

const tagOf = (error: unknown) => (isSwapError(error) ? error._tag : String(error))

/** Returns the results as JSON. */
export const run = async () => {
  const real = createTestKit({ service: { library } })
  real.service.ends("settled", 600_000)
  const client = createClient({
    ...real.options,
    transport: fetchTransport({ baseUrl: "https://swap.example", fetch: fetchFrom(real.service.transport) }),
    signers: { evm: EvmSigner.fromAccount(privateKeyToAccount(Vectors.evmKey.privateKey)) }
  })
  const swap = await client.execute(evmRequest)
  real.service.next("quote", Fault.garbage("x".repeat(2 ** 20 + 1)))
  const tooLarge = await client.quote(evmRequest).catch(tagOf)

  const fake = createTestKit()
  const steps: Array<string> = []
  for await (const { type } of createClient(fake.options).executeStream(solanaRequest)) steps.push(type)

  const controller = new AbortController()
  fake.service.ends("never")
  const aborted = createClient(fake.options)
    .execute(evmRequest, {
      signal: controller.signal,
      onProgress: ({ type }) => {
        if (type === "submitted") controller.abort()
      }
    })
    .catch(String)
  return {
    swap: swap.status,
    tooLarge,
    steps,
    aborted: await aborted,
    missing: [typeof structuredClone, typeof crypto, typeof TextDecoder, typeof AbortSignal.any, typeof process]
  }
}
