import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** One process for many files: they share its chains, which give each test the state that it began with. */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, isolate: false } }
}

export default config
