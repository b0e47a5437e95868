import { existsSync } from "node:fs"
import { playwright } from "@vitest/browser-playwright"
import type { TestProjectConfiguration, ViteUserConfigFnObject } from "vitest/config"
import { executablePath, launchOptions } from "../../tooling/testing/chromium.ts"
import preset from "../../tooling/vitest.ts"

/** The hooks in a real browser, against the real service on a devnet. */
const browser = (long: boolean): TestProjectConfiguration => ({
  extends: true,
  // All imports are known before the tests run: a later discovery would reload the page.
  optimizeDeps: {
    entries: ["src/**/*.ts", "test/browser/*.ts"],
    // One file each, instead of two hundred that are transformed and loaded one by one.
    include: ["@geoswap/core/promise"],
    force: true
  },
  test: {
    name: "browser",
    include: [long ? "test/browser/*.long.test.ts" : "test/browser/*.test.ts"],
    globalSetup: "test/devnet.ts",
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: "chromium" }]
    }
  }
})

/** Without a browser: a skipped suite that says so. */
const withoutBrowser: TestProjectConfiguration = {
  extends: true,
  test: { name: "no browser", include: ["test/withoutBrowser/*.test.ts"] }
}

/** Without a page. */
const nodeProject: TestProjectConfiguration = {
  extends: true,
  test: { name: "node", include: ["test/node/*.test.ts"] }
}

const config: ViteUserConfigFnObject = (environment) => {
  const { test, ...rest } = preset(environment)
  const { include: _, ...shared } = test ?? {}
  const long = environment.mode === "long"
  return {
    ...rest,
    test: {
      ...shared,
      projects: [...(long ? [] : [nodeProject]), existsSync(executablePath) ? browser(long) : withoutBrowser]
    }
  }
}

export default config
