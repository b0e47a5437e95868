import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { descendants, pressCtrlC, programFixture, reaches, runs, timeout } from "./fixture.js"

const { cli, folder } = programFixture()

it(
  "start stops on Ctrl-C, as the demo does",
  async () => {
    const program = cli("start", "--free-ports", "--port", "0")
    await reaches(program, "Swaps:")
    const children = descendants(program.pid)
    pressCtrlC(program)
    expect([await program.ended, program.stderr()]).toEqual([0, ""])
    expect(children.filter(runs)).toEqual([])
    expect(existsSync(join(folder, ".geoswap", "devnet.json"))).toBe(false)
  },
  timeout
)
