/** Builds the page, and serves it with a proxy that adds the API key, so that the key never reaches a browser. */
import { readDevnet } from "@geoswap/deployments/devnet"
import { defineConfig } from "vite"

const { network, rpcUrls, service } = readDevnet()

/** For production, see the proxy example. */
const proxy = { "/swap": { target: service.url, headers: { "x-api-key": service.apiKey } } }

export default defineConfig({
  // The contracts and tokens that the page trusts. In your project, import them from a file that you review.
  define: { DEVNET: JSON.stringify({ network, rpcUrls }) },
  server: { proxy },
  preview: { proxy }
})
