import { configDefaults, type ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/**
 * Its tests mostly wait: for blocks, for patience to end, for programs to start. Two files at a time fit two cores. How
 * long that takes is the machine's matter: only what hangs is to fail.
 */
const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  // They build the previous version from the history of the repository: `pnpm upgrade-test` at the root runs them alone.
  const upgrade = "test/upgrade/**/*.test.ts"
  const files =
    environment.mode === "upgrade"
      ? { include: [upgrade], maxWorkers: 1, reporters: ["verbose"] }
      : { exclude: [...configDefaults.exclude, upgrade], maxWorkers: 2 }
  return { ...rest, test: { ...test, ...files, testTimeout: 240_000, hookTimeout: 240_000 } }
}

export default config
