import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** Its tests mostly wait: for blocks, for patience to end, for programs to start. Two files at a time fit two cores. */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, maxWorkers: 2 } }
}

export default config
