/** Reads vitest's JSON report. */
import { basename } from "node:path"

interface Assertion {
  readonly fullName: string
  readonly status: string
}

export interface VitestReport {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<Assertion>
  }>
}

export interface TestCount {
  readonly name: string
  readonly passed: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<string>
}

/** Sorts a package's tests by outcome. A file that could not run is one failed test. */
export const countTests = (name: string, { testResults }: VitestReport): TestCount => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (select: (status: string) => boolean) =>
    tests.filter(({ status }) => select(status)).map(({ fullName }) => fullName)
  const broken = testResults.filter(
    ({ assertionResults, status }) => status === "failed" && !assertionResults.some((test) => test.status === "failed")
  )
  return {
    name,
    passed: named((status) => status === "passed"),
    failed: [
      ...named((status) => status === "failed"),
      ...broken.map((file) => `${basename(file.name)} could not run`)
    ],
    skipped: named((status) => status !== "passed" && status !== "failed")
  }
}
