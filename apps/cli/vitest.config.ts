import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return {
    ...rest,
    test: {
      ...test,
      // The numbers in the output are in the reader's locale, so the tests choose one.
      env: { ...test?.env, LC_ALL: "en_US.UTF-8" }
    }
  }
}

export default config
