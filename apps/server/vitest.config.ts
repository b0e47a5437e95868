import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/**
 * The tests mostly wait: for blocks, timeouts and processes. Four files at a time fit two cores. The timeouts are long,
 * so that only tests that hang fail.
 */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 }
  // The numbers in the output are in the reader's locale.
  const env = { ...test?.env, LC_ALL: "en_US.UTF-8" }
  return { ...rest, test: { ...test, maxWorkers: 4, ...timeouts, env, setupFiles: "test/stack/randomSignatures.ts" } }
}

export default config
