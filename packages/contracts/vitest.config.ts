import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/**
 * Test files are not isolated, so all files that run in one process share its chains. The state of each chain is
 * restored after every test.
 */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, isolate: false } }
}

export default config
