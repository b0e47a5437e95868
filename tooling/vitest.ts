import type { ViteUserConfigFnObject } from "vitest/config"

/** The number of cases in a `*.fuzz.test.ts` file, which reads `process.env.FUZZ_RUNS`. */
const fuzzRuns = { test: "5000", fuzz: "1000000" }

/**
 * The test configuration for every package. `vitest run --mode fuzz` runs only the fuzz files, with many more cases.
 */
const preset: ViteUserConfigFnObject = ({ mode }) => {
  const fuzz = mode === "fuzz"
  return {
    test: {
      include: [fuzz ? "test/**/*.fuzz.test.ts" : "test/**/*.test.ts"],
      passWithNoTests: fuzz,
      // All files that run in one process share its modules: loading them for each file took longer than many of the
      // tests. A test restores what it replaces, so that the order of the files does not matter.
      isolate: false,
      allowOnly: false,
      // Long enough for a slow machine. Only failing tests reach these timeouts.
      testTimeout: fuzz ? 0 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      env: { FUZZ_RUNS: process.env["FUZZ_RUNS"] ?? (fuzz ? fuzzRuns.fuzz : fuzzRuns.test) },
      reporters: fuzz ? ["default"] : ["default", ["json", { outputFile: "reports/vitest.json" }]]
    }
  }
}

export default preset
