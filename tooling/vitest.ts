import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { configDefaults, type ViteUserConfigFnObject } from "vitest/config"
import type { Reporter } from "vitest/node"
import { mutantPlugins } from "./testing/mutant.ts"

/** The number of cases in a `*.fuzz.test.ts` file, which reads `process.env.FUZZ_RUNS`. */
const fuzzRuns = { test: "500", fuzz: "250000" }

/** Tests that take too long for every run: `X.long.test.ts` has the whole matrix of which the default run has a part. */
const longFiles = "test/**/*.long.test.ts"

/** Writes how long each file took, including its imports and hooks, which are not in vitest's report. */
const durations: Reporter = {
  onTestRunEnd: (files) => {
    const { root = "." } = files[0]?.project.config ?? {}
    const seconds = files.map((file) => {
      const { collectDuration, duration } = file.diagnostic()
      return [file.relativeModuleId, (collectDuration + duration) / 1000]
    })
    mkdirSync(join(root, "reports"), { recursive: true })
    writeFileSync(join(root, "reports/durations.json"), JSON.stringify(Object.fromEntries(seconds)))
  }
}

/**
 * The test configuration for every package. `vitest run --mode fuzz` runs only the fuzz files, with many more cases.
 * `vitest run --mode long` runs only the long files.
 */
const preset: ViteUserConfigFnObject = ({ mode }) => {
  const [fuzz, long] = [mode === "fuzz", mode === "long"]
  const plugins = mutantPlugins()
  return {
    plugins,
    test: {
      include: [fuzz ? "test/**/*.fuzz.test.ts" : long ? longFiles : "test/**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...(long ? [] : [longFiles])],
      passWithNoTests: fuzz || long,
      // All files that run in one process share its modules: loading them for each file took longer than many of the
      // tests. A test restores what it replaces, so that the order of the files does not matter.
      isolate: false,
      // Node loads the built packages without vite, which would transform them, and slow them down.
      server: { deps: { external: [/\/dist\/.*\.js$/] } },
      allowOnly: false,
      // Long enough for a slow machine. Only failing tests reach these timeouts.
      testTimeout: fuzz ? 0 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      env: {
        FUZZ_RUNS: process.env["FUZZ_RUNS"] ?? (fuzz ? fuzzRuns.fuzz : fuzzRuns.test),
        MATRIX: long ? "whole" : "part"
      },
      reporters:
        fuzz || long || plugins.length > 0
          ? ["default"]
          : ["default", ["json", { outputFile: "reports/vitest.json" }], durations]
    }
  }
}

export default preset
