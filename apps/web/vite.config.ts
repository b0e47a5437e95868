/** Builds static files for a content security policy without inline scripts, inline styles or other hosts. */
import { createRequire } from "node:module"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** The signing code, which is loaded separately. */
const signing = /src\/wallets\/(evmSigning|solanaSigning|walletStandard)/

/** The texts in languages other than English, which are loaded on demand. */
const languages = /src\/language\/(?!en|language)/

/** The code that every visit needs, in one chunk: one large file compresses better than several small ones. */
const page = /apps\/web\/src\/|packages\/(core|react|transport-fetch)\/|node_modules\/(effect|preact|@tanstack)\//

/** Returns a file of Preact: the one that a browser resolves, so that there is one copy. */
const fileOfPreact = (file: string): string =>
  createRequire(import.meta.url)
    .resolve("preact/package.json")
    .replace("package.json", file)

/**
 * Preact's implementation of React's API, which is 55 kB smaller. The page and the hooks are written for React, and their
 * unit tests run with it. The tests in the browser run with what is served.
 */
const preact = [
  { find: /^react$/, replacement: fileOfPreact("compat/dist/compat.module.js") },
  { find: /^react-dom$/, replacement: fileOfPreact("compat/dist/compat.module.js") },
  { find: /^react-dom\/client$/, replacement: fileOfPreact("compat/client.mjs") },
  { find: /^react\/jsx-runtime$/, replacement: fileOfPreact("jsx-runtime/dist/jsxRuntime.module.js") }
]

export default defineConfig({
  plugins: [react()],
  resolve: { alias: preact },
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
