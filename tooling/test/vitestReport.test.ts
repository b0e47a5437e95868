import { expect, it } from "vitest"
import { countTests } from "../vitestReport.ts"

const file = (status: string, ...tests: ReadonlyArray<string>) => ({
  name: "test/a.test.ts",
  status,
  assertionResults: tests.map((test) => ({ fullName: `is ${test}`, status: test }))
})

it("sorts tests by outcome, and treats all that neither passed nor failed as skipped", () => {
  const report = { testResults: [file("failed", "passed", "failed", "pending"), file("passed", "todo", "skipped")] }
  expect(countTests("core", report)).toEqual({
    name: "core",
    passed: ["is passed"],
    failed: ["is failed"],
    skipped: ["is pending", "is todo", "is skipped"]
  })
})

it("counts a file that could not run as a failed test", () => {
  expect(countTests("core", { testResults: [file("failed")] }).failed).toEqual(["a.test.ts could not run"])
})
