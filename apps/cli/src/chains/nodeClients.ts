/** Clients for the user's nodes. They do not follow redirects. */
import { isRedirect, RedirectError, refuseRedirects, urlWithoutRedirects } from "@geoswap/core/adapters"
import type { RpcTransport } from "@solana/kit"

/** How many milliseconds to wait for a response from a node. */
export const timeout = 10_000

/** Creates a client for an EVM node. */
export const evmClient = async (rpcUrl: string) => {
  const { createPublicClient, http } = await import("viem")
  const fetchFn = refuseRedirects((input: string | URL | Request, init) => fetch(input, init))
  return createPublicClient({ transport: http(rpcUrl, { fetchFn, timeout, retryCount: 1 }) })
}

/** Creates a client for a Solana node. */
export const solanaClient = async (rpcUrl: string) => {
  const kit = await import("@solana/kit")
  const transport: RpcTransport = kit.createDefaultRpcTransport({ url: urlWithoutRedirects(rpcUrl) })
  const refusing: RpcTransport = async (request) => {
    try {
      return await transport(request)
    } catch (error) {
      const isRefused =
        kit.isSolanaError(error, kit.SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) && isRedirect(error.context.statusCode)
      throw isRefused ? new RedirectError(new URL(rpcUrl).host) : error
    }
  }
  return kit.createSolanaRpcFromTransport(refusing)
}
