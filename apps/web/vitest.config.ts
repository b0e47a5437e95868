import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** Pictures are taken on request alone: `pnpm --filter @geoswap/web screenshots`. */
const pictures = process.env["SCREENSHOTS"] === "1" ? [] : ["test/screenshots.test.ts"]

/** One file after the other in one process: they share the chains, the service and the browser. */
const config: ViteUserConfigFnObject = (environment) => ({
  test: {
    ...preset(environment).test,
    exclude: ["**/node_modules/**", ...pictures],
    fileParallelism: false,
    isolate: false,
    // Far more than a test needs, as the machine may have other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})

export default config
