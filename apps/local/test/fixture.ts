/** The program as people run it: in a process of its own, that a test can end. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach } from "vitest"
import { descendants, eventually, node, type Program, runs } from "../../../packages/devnet/test/processes.js"

export { descendants, eventually, type Program, runs } from "../../../packages/devnet/test/processes.js"

const app = dirname(dirname(fileURLToPath(import.meta.url)))

/** Longer than anything takes, as the machine may have other things to do. */
export const timeout = 300_000

/** What a test file starts goes with it, and so does its folder. */
export const programFixture = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "geoswap-local-test-")))
  const started: Array<Program> = []
  afterEach(() => {
    for (const { pid } of started.splice(0)) {
      for (const one of [...descendants(pid), pid]) if (runs(one)) process.kill(one, "SIGKILL")
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (file: string, ...args: ReadonlyArray<string>): Program => {
    const program = node([resolve(app, file), ...args], folder)
    started.push(program)
    return program
  }
  return { folder, run, cli: (...args: ReadonlyArray<string>) => run("dist/cli.js", ...args) }
}

/** As a terminal does: to everybody in the foreground. */
export const pressCtrlC = ({ pid }: Program): void => void process.kill(-pid, "SIGINT")

/** Waits until the program has said something; where it ends before, the error says how. */
export const reaches = async ({ ended, process: child, stderr, stdout }: Program, text: string): Promise<void> => {
  await eventually(() => stdout().includes(text) || child.exitCode !== null || child.signalCode !== null, timeout)
  if (!stdout().includes(text)) throw new Error(`It ended with ${await ended}, and said: ${stdout()}${stderr()}`)
}
