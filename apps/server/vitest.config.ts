import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/**
 * Its tests mostly wait: for blocks, for patience to end, for programs to start. Two files at a time fit two cores. How
 * long that takes is the machine's matter: only what hangs is to fail.
 */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, maxWorkers: 2, testTimeout: 240_000, hookTimeout: 240_000 } }
}

export default config
