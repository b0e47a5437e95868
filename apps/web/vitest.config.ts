import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** Screenshots are taken only on request: `pnpm --filter @geoswap/web screenshots`. */
const screenshots = process.env["SCREENSHOTS"] === "1" ? [] : ["test/screenshots.test.ts"]

/** Runs the files one after another in one process: they share the chains, the service and the browser. */
const config: ViteUserConfigFnObject = (environment) => {
  const { test } = preset(environment)
  return {
    test: {
      ...test,
      exclude: [...(test?.exclude ?? []), ...screenshots],
      fileParallelism: false,
      // Far more than a test needs, since the machine may be busy.
      testTimeout: 300_000,
      hookTimeout: 300_000
    }
  }
}

export default config
