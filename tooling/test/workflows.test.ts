import { expect, it } from "vitest"
import { inspect } from "../checks/workflows.ts"

const workflow = (job: string, steps = "      - run: echo ${{ github.ref }}") => `on: [push]
jobs:
  test:
${job
  .split("\n")
  .map((line) => `    ${line}`)
  .join("\n")}
    steps:
${steps}
`
const job = "runs-on: ubuntu-24.04-arm\ntimeout-minutes: 5"

it("accepts a valid workflow on a new runner", async () => {
  expect(await inspect("a.yml", workflow(job))).toEqual([])
})

it.for([
  ["an unknown key", workflow(`${job}\ntimeout-minute: 5`), /unexpected key "timeout-minute"/],
  ["an unknown runner", workflow(job.replace("24.04", "24.05")), /label "ubuntu-24.05-arm" is unknown/],
  ["an unknown value of a matrix", workflow(job, "      - run: echo ${{ matrix.a }}"), /property "a" is not defined/],
  ["invalid YAML", "jobs: [", /it is not valid YAML/],
  ["a job without a time limit", workflow("runs-on: ubuntu-24.04"), /a job has no timeout-minutes/],
  ["a checkout that keeps its token", workflow(job, "      - uses: actions/checkout@v4"), /persist-credentials/]
] as const)("refuses %s", async ([, text, expected]) => {
  const problems = await inspect("a.yml", text)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(expected)
})

it("rejects a checkout that persists its token, even if the job may push", async () => {
  const pushes = workflow(`${job}\npermissions:\n  contents: write`, "      - uses: actions/checkout@v4")
  expect(await inspect("a.yml", pushes)).toEqual([expect.stringContaining("persist-credentials: false")])
})
