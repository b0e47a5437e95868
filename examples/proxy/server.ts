/**
 * A server that keeps the API key out of a page. It serves the page's origin, adds the key to the calls that the page
 * makes, and forwards them to the service. The client below stands for the page: it knows no key.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createClient, tokenResolver } from "@geoswap/core/promise"
import { readDevnet } from "@geoswap/deployments/devnet"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import { privateKeyToAccount } from "viem/accounts"

const { network, service, wallets } = readDevnet()

const paths = /^\/swap\/(quote|chains|delegation|build-geo-op|build-solana-tx|submit|submit-solana|status\/[\w-]+)$/

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost")
  if (!paths.test(pathname)) {
    response.writeHead(404, { "content-type": "application/json" }).end(`{"code":"NOT_FOUND"}`)
    return
  }
  const forward = async () => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(service.url + pathname + search, {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json", "x-api-key": service.apiKey },
      body: request.method === "POST" ? Buffer.concat(chunks) : null,
      redirect: "manual"
    })
    response.writeHead(answer.status, { "content-type": "application/json", "cache-control": "no-store" })
    response.end(await answer.text())
  }
  forward().catch(() => response.writeHead(502).end())
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address() as AddressInfo

const [wallet] = wallets.filter(({ family }) => family === "evm")
const client = createClient({
  network,
  // No key: the server adds it.
  transport: fetchTransport({ baseUrl: `http://127.0.0.1:${port}` }),
  signers: { evm: EvmSigner.fromAccount(privateKeyToAccount(wallet?.privateKey as `0x${string}`)) }
})
const tokens = tokenResolver({ network })
const swap = await client.execute(await tokens.request("100 USDC@devnet-a", "WETH@devnet-b"))
console.log(swap.status, swap.deliveryTxHash)

server.close()
if (swap.status !== "settled") process.exitCode = 1
