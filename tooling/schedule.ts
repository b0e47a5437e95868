/** The order in which the gates run, and how many run at once. */

/** One run of turbo. */
export interface Job {
  readonly tasks: ReadonlyArray<string>
  /** The only package to run the tasks in. */
  readonly package?: string
  /** Whether it starts before the packages are built. */
  readonly early?: boolean
}

/**
 * All jobs, the longest first, so that none of them is left over when the others have finished. The tests of a few
 * packages take most of the time.
 */
const jobs: ReadonlyArray<Job> = [
  { tasks: ["check:unused"], early: true },
  { tasks: ["test"], package: "tooling", early: true },
  {
    tasks: [
      "check:format",
      "check:tree",
      "check:platforms",
      "check:workflows",
      "check:supply-chain",
      "check:purity",
      "check:rooms"
    ],
    early: true
  },
  { tasks: ["test"], package: "@geoswap/server" },
  { tasks: ["test"], package: "@geoswap/web" },
  { tasks: ["test"], package: "@geoswap/cli" },
  { tasks: ["test"], package: "@geoswap/local" },
  { tasks: ["test"], package: "@geoswap/service" },
  { tasks: ["test"], package: "@geoswap/contracts" },
  { tasks: ["test"], package: "@geoswap/core" },
  { tasks: ["check:lint"] },
  { tasks: ["check:docs"] },
  { tasks: ["test"], package: "@geoswap/devnet" },
  { tasks: ["test"], package: "@geoswap/react" },
  { tasks: ["test"], package: "@geoswap/signer-evm" },
  { tasks: ["test"], package: "@geoswap/signer-solana" },
  { tasks: ["check:install", "check:packed"] },
  { tasks: ["test"], package: "@geoswap/transport-fetch" },
  { tasks: ["test"], package: "@geoswap/tools" },
  { tasks: ["test"], package: "@geoswap/deployments" },
  { tasks: ["check:size", "check:snippets", "check:exports"] }
]

/** The gates, in the order in which they are listed in the help. */
export const gates: ReadonlyArray<string> = ["build", ...new Set(jobs.flatMap(({ tasks }) => tasks))]

/** The jobs of some gates. `build` is not a job, because all jobs but the early ones wait for it. */
export const jobsFor = (wanted: ReadonlyArray<string>): ReadonlyArray<Job> =>
  jobs
    .map((job) => ({ ...job, tasks: job.tasks.filter((task) => wanted.includes(task)) }))
    .filter(({ tasks }) => tasks.length > 0)

/**
 * Runs the build and the jobs, as many at once as there are lanes. The early jobs run beside the build, and the others
 * after it, in order. Returns whether all of them passed. If the build fails, only the early jobs run.
 */
export const runJobs = async (
  jobs: ReadonlyArray<Job>,
  lanes: number,
  build: () => Promise<boolean>,
  run: (job: Job) => Promise<boolean>
): Promise<boolean> => {
  const early = jobs.filter((job) => job.early === true)
  const late = jobs.filter((job) => job.early !== true)
  let built: boolean | undefined
  let passed = true
  const building = build().then((ok) => {
    built = ok
    passed &&= ok
    if (!ok) late.length = 0
  })
  const lane = async (): Promise<void> => {
    const job = (built === undefined ? undefined : late.shift()) ?? early.shift()
    if (job !== undefined) {
      const ok = await run(job)
      passed &&= ok
    } else if (built === undefined) {
      await building
    } else {
      return
    }
    return lane()
  }
  // The build takes the first lane.
  await Promise.all([building.then(lane), ...Array.from({ length: lanes - 1 }, lane)])
  return passed
}
