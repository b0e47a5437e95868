import { expect, it } from "vitest"
import { describeDurations, failedTasksOf, tasksOf } from "../durations.ts"

const task = (name: string, seconds: number, of = "tooling") => ({ name, package: of, seconds })

it("lists the gates and the packages with tests, the longest first", () => {
  const tasks = [
    task("check:lint", 45.25),
    task("test", 10, "@geoswap/core"),
    task("test", 200, "@geoswap/server"),
    task("pack", 20, "@geoswap/core"),
    task("pack", 30, "@geoswap/server")
  ]
  expect(describeDurations(tasks, [], 465.7)).toBe(
    [
      "Time of each gate (several run at once):",
      "   210.0 s  test",
      "   200.0 s    server",
      "    10.0 s    core",
      "    50.0 s  pack",
      "    45.3 s  check:lint",
      "Total: 7 min 45 s"
    ].join("\n")
  )
})

it("lists the ten slowest test files of all packages", () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    package: index % 2 === 0 ? "@geoswap/core" : "tooling",
    file: `test/${index}.test.ts`,
    seconds: index
  }))
  const [title, ...rows] = describeDurations([], files, 9).split("\n")
  expect(title).toBe("Slowest test files:")
  expect(rows[0]).toBe("    11.0 s  tooling  test/11.test.ts")
  expect(rows[9]).toBe("     2.0 s  core  test/2.test.ts")
  expect(rows.slice(10)).toEqual(["Total: 0 min 9 s"])
})

it("lists only the total if all results come from the cache", () => {
  expect(describeDurations([], [], 3.2)).toBe("Total: 0 min 3 s")
})

it("reads the tasks that ran from turbo's summary, including those that failed", () => {
  const execution = { startTime: 1_000, endTime: 3_500 }
  const tasks = [
    { task: "build", package: "a", cache: { status: "HIT" }, execution },
    { task: "test", package: "a", cache: { status: "MISS" }, execution: { ...execution, exitCode: 1 } },
    { task: "test", package: "b", cache: { status: "MISS" } }
  ]
  expect(tasksOf({ execution, tasks })).toEqual([{ name: "test", package: "a", seconds: 2.5 }])
})

it("names the tasks that failed, and not those that were restored from the cache", () => {
  const ran = (task: string, of: string, exitCode: number | null) => ({
    task,
    package: of,
    cache: { status: "MISS" },
    execution: { startTime: 0, endTime: 1, exitCode }
  })
  const cached = { task: "build", package: "@geoswap/core", cache: { status: "HIT" } }
  const tasks = [
    ran("test", "@geoswap/core", 0),
    ran("test", "@geoswap/cli", 1),
    ran("check:tree", "tooling", 1),
    cached
  ]
  expect(failedTasksOf({ execution: { startTime: 0 }, tasks })).toEqual(["cli#test", "tooling#check:tree"])
})
