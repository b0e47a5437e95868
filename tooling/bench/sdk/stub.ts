/** A local server that answers the first quote of each SDK, so that the network does not affect the measurement. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"

const usdc = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const json = (value: unknown): Answer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value)
})

/** The price of the paid resource, for which the client signs an EIP-3009 authorization. */
const paymentRequired = {
  x402Version: 2,
  resource: { url: "http://127.0.0.1/x402", description: "", mimeType: "text/plain" },
  accepts: [
    {
      scheme: "exact",
      network: "eip155:8453",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      amount: "10000",
      payTo: wallet,
      maxTimeoutSeconds: 60,
      extra: { name: "USD Coin", version: "2" }
    }
  ]
}

const fee = { total: "10000", pct: "1000000000000000" }

/** The answers by path. The SDKs read only a few of the fields that the real services send. */
const answers: Readonly<Record<string, (isPaid: boolean) => Answer>> = {
  "/geoswap/swap/quote": () =>
    json({
      geoQuoteToken: "sealed",
      origin: "evm",
      output: "9990000",
      minOutput: "9940000",
      feeBps: 10,
      networkCost: "0",
      expiresAt: new Date(Date.now() + 30_000).toISOString()
    }),
  "/x402": (isPaid) =>
    isPaid
      ? { status: 200, body: "paid" }
      : {
          status: 402,
          headers: { "payment-required": Buffer.from(JSON.stringify(paymentRequired)).toString("base64") },
          body: "{}"
        },
  "/across/suggested-fees": () =>
    json({
      totalRelayFee: fee,
      relayerCapitalFee: fee,
      relayerGasFee: fee,
      lpFee: fee,
      relayFeePct: fee.pct,
      relayFeeTotal: fee.total,
      capitalFeePct: fee.pct,
      capitalFeeTotal: fee.total,
      relayGasFeePct: fee.pct,
      relayGasFeeTotal: fee.total,
      timestamp: String(Math.floor(Date.now() / 1000)),
      isAmountTooLow: false,
      quoteBlock: "1",
      spokePoolAddress: wallet,
      destinationSpokePoolAddress: wallet,
      exclusiveRelayer: "0x0000000000000000000000000000000000000000",
      exclusivityDeadline: 0,
      expectedFillTimeSec: "2",
      estimatedFillTimeSec: 2,
      fillDeadline: String(Math.floor(Date.now() / 1000) + 3600),
      outputAmount: "9990000",
      inputToken: { address: usdc, symbol: "USDC", decimals: 6, chainId: 8453 },
      outputToken: { address: usdc, symbol: "USDC", decimals: 6, chainId: 42161 },
      limits: {
        minDeposit: "1",
        maxDeposit: "1000000000000",
        maxDepositInstant: "1000000000000",
        maxDepositShortDelay: "1000000000000",
        recommendedDepositInstant: "1000000000000"
      }
    }),
  "/relay/quote": () =>
    json({ steps: [], fees: {}, details: { currencyOut: { amount: "9990000", currency: { address: usdc } } } }),
  "/lifi/quote": () => json({ id: "1", type: "lifi", action: {}, estimate: { toAmount: "9990000" }, includedSteps: [] })
}

export interface Stub {
  readonly url: string
  /** The paths that were requested but are not known. */
  readonly unknown: ReadonlySet<string>
  readonly close: () => Promise<void>
}

export const startStub = async (): Promise<Stub> => {
  const unknown = new Set<string>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://127.0.0.1")
    // A newer version of an API has the same answer.
    const known = answers[pathname.replace(/\/v\d+$/, "")]
    if (known === undefined) unknown.add(`${request.method} ${request.url}`)
    const answer = known?.("payment-signature" in request.headers) ?? { status: 404, body: "{}" }
    request.resume()
    // The process exits after the answer, so its connection does not need to stay open.
    response.writeHead(answer.status, { ...answer.headers, connection: "close" }).end(answer.body)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, unknown, close: () => server[Symbol.asyncDispose]() }
}
