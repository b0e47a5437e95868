import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { gates, type Job, jobsFor, runJobs } from "../schedule.ts"
import { readManifest, root } from "../workspace.ts"

interface Scripts {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
}

const manifests = globSync(["{packages,apps}/*/package.json", "tooling/package.json"], { cwd: root }).map(
  (path) => JSON.parse(readFileSync(join(root, path), "utf8")) as Scripts
)

it("runs the tests of every package once", () => {
  const tested = manifests.filter(({ scripts }) => scripts?.["test"] !== undefined).map(({ name }) => name)
  expect(jobsFor(["test"]).map((job) => job.package)).toEqual(expect.arrayContaining(tested))
  expect(jobsFor(["test"])).toHaveLength(tested.length)
})

it("runs every check of this package", () => {
  const { scripts = {} } = manifests.find(({ name }) => name === readManifest(join(root, "tooling")).name) ?? {}
  expect(gates).toEqual(expect.arrayContaining(Object.keys(scripts).filter((name) => name.startsWith("check:"))))
})

it("runs only the jobs of the named gates", () => {
  expect(jobsFor(["check:format", "check:size"]).map(({ tasks }) => tasks)).toEqual([["check:format"], ["check:size"]])
  expect(jobsFor(["build"])).toEqual([])
})

/** Runs jobs that take some milliseconds each, and records the order in which they start and how many run at once. */
const simulate = async (jobs: ReadonlyArray<Job>, lanes: number, outcome: (name: string) => boolean = () => true) => {
  const started: Array<string> = []
  let running = 0
  let most = 0
  const work = async (name: string) => {
    started.push(name)
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running--
    return outcome(name)
  }
  const passed = await runJobs(
    jobs,
    lanes,
    () => work("build"),
    ({ tasks }) => work(tasks.join(" "))
  )
  return { most, passed, started }
}
const early: Job = { tasks: ["early"], early: true }
const late = ["a", "b", "c", "d"].map((name): Job => ({ tasks: [name] }))

it("starts early jobs beside the build, and the others after it, in order", async () => {
  expect(await simulate([...late, early], 3)).toEqual({
    most: 3,
    passed: true,
    started: ["build", "early", "a", "b", "c", "d"]
  })
})

it("runs everything, even in one lane", async () => {
  expect(await simulate([early, ...late], 1)).toEqual({
    most: 1,
    passed: true,
    started: ["build", "a", "b", "c", "d", "early"]
  })
})

it("continues after a failed job, and reports the failure", async () => {
  const { passed, started } = await simulate([early, ...late], 2, (name) => name !== "b")
  expect(passed).toBe(false)
  expect(started).toHaveLength(6)
})

it("runs only the early jobs if the build fails", async () => {
  const { passed, started } = await simulate([early, early, ...late], 2, (name) => name !== "build")
  expect([passed, started]).toEqual([false, ["build", "early", "early"]])
})
