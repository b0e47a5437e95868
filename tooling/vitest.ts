import type { ViteUserConfigFnObject } from "vitest/config"

/** How often a `*.fuzz.test.ts` file tries: it reads `process.env.FUZZ_RUNS`. */
const fuzzRuns = { test: "10000", fuzz: "1000000" }

/** The tests of every package. `vitest run --mode fuzz` runs the fuzz files alone, and for long. */
const preset: ViteUserConfigFnObject = ({ mode }) => {
  const fuzz = mode === "fuzz"
  return {
    test: {
      include: [fuzz ? "test/**/*.fuzz.test.ts" : "test/**/*.test.ts"],
      passWithNoTests: fuzz,
      allowOnly: false,
      // Long enough for a slow machine: only a test that fails waits for them.
      testTimeout: fuzz ? 0 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      env: { FUZZ_RUNS: process.env["FUZZ_RUNS"] ?? (fuzz ? fuzzRuns.fuzz : fuzzRuns.test) },
      reporters: fuzz ? ["default"] : ["default", ["json", { outputFile: "reports/vitest.json" }]]
    }
  }
}

export default preset
