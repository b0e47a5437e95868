/**
 * A service written with Effect. The runtime is created once and shared by all requests, and every order id is an
 * idempotency key, so an order that arrives twice is swapped once.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Client, Policy, Store, type SwapError } from "@geoswap/core"
import { readDevnet } from "@geoswap/deployments/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { privateKeyToAccount } from "viem/accounts"

const { network, service, wallets } = readDevnet()
const [origin, destination] = network.chains
const [wallet] = wallets.filter(({ family }) => family === "evm")
if (origin === undefined || destination === undefined || wallet === undefined) throw new Error("Incomplete devnet")

const runtime = ManagedRuntime.make(
  Layer.mergeAll(
    FetchTransport.layer({ baseUrl: service.url, apiKey: service.apiKey }),
    EvmSigner.layerAccount(privateKeyToAccount(wallet.privateKey as `0x${string}`)),
    Policy.layer({ network }),
    Store.layerMemory
  )
)

const addressOf = (chain: typeof origin, symbol: string): string =>
  chain.tokens?.find((token) => token.symbol === symbol)?.address ?? ""

const swapForOrder = (order: string) =>
  Client.execute(
    {
      originChain: origin.id,
      destinationChain: destination.id,
      inputToken: addressOf(origin, "USDC"),
      outputToken: addressOf(destination, "WETH"),
      amount: 100_000_000n
    },
    { idempotencyKey: order }
  ).pipe(
    Effect.map(({ status, swapId }) => ({ status, swapId })),
    // Every error has a tag, a message and a hint about what to do next.
    Effect.catch((error: SwapError.SwapError) => Effect.succeed({ error: error._tag, retry: error.retry }))
  )

const server = createServer((request, response) => {
  const order = new URL(request.url ?? "/", "http://localhost").pathname.slice("/orders/".length)
  void runtime.runPromise(swapForOrder(order)).then((result) => {
    response.writeHead("error" in result ? 502 : 200, { "content-type": "application/json" })
    response.end(`${JSON.stringify(result)}\n`)
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address() as AddressInfo

// Sends the same order twice, as an impatient client would.
const place = async (order: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/orders/${order}`, { method: "POST" })).text()
const first = await place("order-1")
const second = await place("order-1")
console.log(first, second)

server.close()
await runtime.dispose()
if (!first.includes("settled") || first !== second) process.exitCode = 1
