/** Helpers for tests that start and kill processes. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"

const commandLine = (pid: number): string => {
  try {
    return existsSync("/proc/self/stat")
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      : execFileSync("ps", ["-o", "args=", "-p", String(pid)]).toString()
  } catch {
    return ""
  }
}

/** The process id of an EVM chain below a process, not of the shell that guards it. */
export const evmProcessOf = (pid: number, chainId: number): number => {
  const found = descendants(pid).filter((one) => {
    const line = commandLine(one)
    return line.includes(`--chain-id ${chainId} `) && !line.includes("geoswap-devnet")
  })
  if (found[0] === undefined) throw new Error(`There is no process of chain ${chainId} below process ${pid}.`)
  return found[0]
}

/** A process and its output so far. */
export interface Program {
  readonly process: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

/** Runs Node in a new process group, as a shell does. */
export const node = (args: ReadonlyArray<string>, cwd: string): Program => {
  const child = spawn(process.execPath, args, { cwd, detached: true })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
  const ended = new Promise<number | string | null>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal))
  })
  return { process: child, pid: child.pid ?? -1, stdout: () => stdout, stderr: () => stderr, ended }
}

/** Polls until the condition is true. */
export const eventually = async (condition: () => boolean | Promise<boolean>, millis = 100_000): Promise<void> => {
  const end = performance.now() + millis
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`The condition was not true within ${millis} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const parents = (): ReadonlyArray<readonly [pid: number, parent: number]> => {
  if (!existsSync("/proc/self/stat")) {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="]).toString().trim().split("\n")
    return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  }
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
      return parent === undefined ? [] : [[Number(pid), Number(parent)] as const]
    } catch {
      return []
    }
  })
}

/** All descendants of a process. */
export const descendants = (pid: number): ReadonlyArray<number> => {
  const all = parents()
  const below = (one: number): ReadonlyArray<number> =>
    all.filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

/** Whether a process is running, and not a zombie. */
export const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
}
