/** Reports where the time of a run went: in which gates, and in which test files. */

/** A task that ran. Tasks whose results come from the cache do not run. */
export interface Task {
  /** The gate, or a step that gates depend on: `test`, `check:lint`, `site`. */
  readonly name: string
  readonly package: string
  readonly seconds: number
}

/** A test file that ran, with the time for its imports and hooks. */
export interface TestFile {
  readonly package: string
  readonly file: string
  readonly seconds: number
}

/** The parts of turbo's run summary that are used here. */
export interface RunSummary {
  readonly execution: { readonly startTime: number }
  readonly tasks: ReadonlyArray<{
    readonly task: string
    readonly package: string
    readonly cache: { readonly status: string }
    readonly execution?: { readonly startTime: number; readonly endTime: number; readonly exitCode?: number | null }
  }>
}

/** The tasks in a run summary that ran, instead of being restored from the cache. */
export const tasksOf = ({ tasks }: RunSummary): ReadonlyArray<Task> =>
  tasks.flatMap(({ cache, execution, package: name, task }) =>
    cache.status === "HIT" || execution === undefined
      ? []
      : [{ name: task, package: name, seconds: (execution.endTime - execution.startTime) / 1000 }]
  )

/** The tasks in a run summary that failed, as `package#task`. */
export const failedTasksOf = ({ tasks }: RunSummary): ReadonlyArray<string> =>
  tasks.flatMap(({ execution, package: name, task }) =>
    (execution?.exitCode ?? 0) === 0 ? [] : [`${withoutScope(name)}#${task}`]
  )

const longestFirst = <A extends { readonly seconds: number }>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.toSorted((a, b) => b.seconds - a.seconds)

const withoutScope = (name: string): string => name.replace(/^@geoswap\//, "")

const row = (seconds: number, ...cells: ReadonlyArray<string>): string =>
  `${seconds.toFixed(1).padStart(8)} s  ${cells.join("  ")}`.trimEnd()

/** Lists the time of each gate, and the packages in which the tests took longest. */
const describeGates = (tasks: ReadonlyArray<Task>): ReadonlyArray<string> => {
  const gates = longestFirst(
    [...new Set(tasks.map(({ name }) => name))].map((name) => {
      const parts = longestFirst(tasks.filter((task) => task.name === name))
      return { name, parts, seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) }
    })
  )
  return gates.flatMap(({ name, parts, seconds }) => [
    row(seconds, name),
    ...(name === "test" ? parts.map((part) => row(part.seconds, `  ${withoutScope(part.package)}`)) : [])
  ])
}

/** Describes the times of a run. Gates run at the same time, so the sum of their times exceeds the total. */
export const describeDurations = (
  tasks: ReadonlyArray<Task>,
  files: ReadonlyArray<TestFile>,
  total: number
): string => {
  const slowest = longestFirst(files).slice(0, 10)
  return [
    ...(tasks.length > 0 ? ["Time of each gate (several run at once):", ...describeGates(tasks)] : []),
    ...(slowest.length > 0 ? ["Slowest test files:"] : []),
    ...slowest.map(({ file, package: name, seconds }) => row(seconds, withoutScope(name), file)),
    `Total: ${Math.floor(total / 60)} min ${Math.floor(total % 60)} s`
  ].join("\n")
}
