import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** How long tests on chains take is the machine's matter: only what hangs is to fail. */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, testTimeout: environment.mode === "fuzz" ? 0 : 120_000, hookTimeout: 240_000 } }
}

export default config
