/** Builds static files for a content security policy without inline scripts, inline styles or other hosts. */
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

/** The signing code, which is loaded separately. */
const signing = /src\/wallets\/(evmSigning|solanaSigning|walletStandard)/

/** The texts in languages other than English, which are loaded on demand. */
const languages = /src\/language\/(?!en|language)/

/** The code that every visit needs, in one chunk: one large file compresses better than several small ones. */
const page =
  /apps\/web\/src\/|packages\/(core|react|transport-fetch)\/|node_modules\/(effect|react|react-dom|scheduler|@tanstack)\//

/** The page passes a client to the hooks, never a layer: this leaves out the code that runs layers. */
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
      // No getter that we use has side effects.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [{ name: "page", test: (id) => page.test(id) && !signing.test(id) && !languages.test(id) }]
        }
      }
    }
  }
})
