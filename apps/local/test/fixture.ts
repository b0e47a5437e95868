/** Runs the program as users do, in a separate process that a test can stop. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach } from "vitest"
import { descendants, eventually, node, type Program, runs } from "../../../tooling/testing/processes.js"

export { descendants, eventually, type Program, runs } from "../../../tooling/testing/processes.js"

const app = dirname(dirname(fileURLToPath(import.meta.url)))

/** Long enough for a busy machine. */
export const timeout = 300_000

/** A temporary folder, removed after the test file, and programs that are stopped after each test or after all of them. */
export const programFixture = (stopAfter: (stop: () => void) => void = afterEach) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "geoswap-local-test-")))
  const started: Array<Program> = []
  // Registered first, so that it runs last.
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  stopAfter(() => {
    for (const { pid } of started.splice(0)) {
      for (const one of [...descendants(pid), pid]) if (runs(one)) process.kill(one, "SIGKILL")
    }
  })

  const run = (file: string, ...args: ReadonlyArray<string>): Program => {
    const program = node([resolve(app, file), ...args], folder)
    started.push(program)
    return program
  }
  return { folder, run, cli: (...args: ReadonlyArray<string>) => run("dist/cli.js", ...args) }
}

/** Sends SIGINT to the whole foreground process group, as a terminal does. */
export const pressCtrlC = ({ pid }: Program): void => void process.kill(-pid, "SIGINT")

/** Waits until the program has printed a text; throws with its output if it exits first. */
export const reaches = async ({ ended, process: child, stderr, stdout }: Program, text: string): Promise<void> => {
  await eventually(() => stdout().includes(text) || child.exitCode !== null || child.signalCode !== null, timeout)
  if (!stdout().includes(text)) throw new Error(`It exited with ${await ended}, and printed: ${stdout()}${stderr()}`)
}
