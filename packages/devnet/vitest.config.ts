import type { ViteUserConfigFnObject } from "vitest/config"
import preset from "../../tooling/vitest.ts"

/** Surfpool, with which one file compares our SVM, has a build only for Linux on x64. */
const withoutSurfpool = process.platform === "linux" && process.arch === "x64" ? [] : ["test/conformance.test.ts"]

const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  return { ...rest, test: { ...test, exclude: [...(test?.exclude ?? []), ...withoutSurfpool] } }
}

export default config
