/** Measures how long a new Node process takes to import an SDK, and to get its first quote. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { median } from "../report.ts"
import type { Installed } from "./install.ts"

/** Milliseconds. */
interface Time {
  /** From the start of the process until it has exited. */
  readonly wall: number
  /** Processor time of all threads. */
  readonly cpu: number
}

/** What a process does: only the imports, or also the first quote. */
export type Stage = "import" | "quote"

/** Reports the processor time without loading a stream, and exits even if the SDK keeps connections open. */
const end = `
const { system, user } = process.cpuUsage()
process.getBuiltinModule("node:fs").writeSync(1, String((system + user) / 1000))
process.exit(0)
`

/** Writes the programs into the folder of an SDK. */
const writePrograms = ({ folder, imports, quote }: Pick<Installed, "folder" | "imports" | "quote">): void => {
  writeFileSync(join(folder, "import.mjs"), `${imports}\n${end}`)
  writeFileSync(join(folder, "quote.mjs"), `${imports}\nconst url = process.argv[2]\n${quote}\n${end}`)
}

const runOnce = async (folder: string, stage: Stage, url: string): Promise<Time> => {
  const started = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, [`${stage}.mjs`, url], {
    cwd: folder,
    // Without settings from this shell, such as a compile cache or a preloaded module.
    env: { HOME: folder, PATH: "" },
    timeout: 60_000
  })
  const wall = performance.now() - started
  // An SDK may print something itself.
  const cpu = Number(/[\d.]+$/.exec(stdout)?.[0])
  return { wall, cpu }
}

export interface Measured {
  readonly name: string
  readonly stage: Stage
  /** The medians, or why the program failed. */
  readonly result: Time | { readonly failure: string }
}

/**
 * Runs every program `runs` times, in turns, so that a change in the machine's load affects all of them. The first
 * run of each program is not counted, because it may read its files from the disk.
 */
export const measureImports = async (
  subjects: ReadonlyArray<Pick<Installed, "name" | "folder" | "imports" | "quote">>,
  runs: number,
  url: string
): Promise<ReadonlyArray<Measured>> => {
  for (const subject of subjects) writePrograms(subject)
  const programs = (["import", "quote"] as const).flatMap((stage) =>
    subjects
      .filter(({ quote }) => stage === "import" || quote !== "")
      .map(({ folder, name }) => ({ folder, name, stage, times: Array.of<Time>(), failure: "" }))
  )
  for (let round = 0; round <= runs; round++) {
    // Every round starts with another program.
    const order = [...programs.slice(round % programs.length), ...programs.slice(0, round % programs.length)]
    for (const program of order) {
      if (program.failure !== "") continue
      try {
        const time = await runOnce(program.folder, program.stage, url)
        if (round > 0) program.times.push(time)
      } catch (error) {
        const lines = String((error as { readonly stderr?: unknown }).stderr ?? error).split("\n")
        program.failure = lines.find((line) => /Error/.test(line)) ?? lines[0] ?? "failed"
      }
    }
  }
  return programs.map(({ failure, name, stage, times }) => ({
    name,
    stage,
    result:
      failure === ""
        ? { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) }
        : { failure }
  }))
}
