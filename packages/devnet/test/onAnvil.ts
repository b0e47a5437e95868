/** Suites that need anvil. */
import { spawnSync } from "node:child_process"
import { describe } from "vitest"
import { anvilCommand, anvilMissing } from "../src/internal/anvilBinary.js"

const command = anvilCommand(undefined)
const missing = spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0 ? "" : anvilMissing(command).message

/** A suite on real chains. Without anvil, it is skipped, and its title says why. */
export const describeOnAnvil = (title: string, body: () => void): void => {
  describe.skipIf(missing !== "")(`${title}${missing && ` (skipped: ${missing})`}`, () => {
    body()
  })
}
