/** The page as static files, fit for a policy that allows no inline code, no inline style and no other host. */
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

/** The signers' code, which is loaded by itself. */
const signing = /src\/wallets\/(evmSigning|solanaSigning|walletStandard)/

/** What every visit needs, in one file: parts that compress together are smaller than parts apart. */
const page =
  /apps\/web\/src\/|packages\/(core|react|transport-fetch)\/|node_modules\/(effect|react|react-dom|scheduler|@tanstack)\//

/** The page gives the hooks a client, never a layer: what would run layers stays away, with all that it needs. */
const noLayers: Plugin = {
  name: "no-layers",
  load: (id) => (id.endsWith("/react/dist/internal/layerClient.js") ? "export {}" : undefined)
}

export default defineConfig({
  plugins: [react(), noLayers],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // No getter that we use does anything but get.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: { groups: [{ name: "page", test: (id) => page.test(id) && !signing.test(id) }] }
      }
    }
  }
})
