import { expect, it } from "vitest"
import { parseArgs } from "../src/parseArgs.js"
import { programFixture } from "./fixture.js"

const { cli } = programFixture()

it("prints help for each command", async () => {
  const [demo, start] = [cli("demo", "--help"), cli("start", "--help")]
  expect([await demo.ended, demo.stderr()]).toEqual([0, ""])
  expect(demo.stdout()).toContain("Usage: npm run demo")
  expect([await start.ended, start.stderr()]).toEqual([0, ""])
  expect(start.stdout()).toContain("--port <port>")
})

it("exits with code 2 and a message after a usage error", async () => {
  const [unknown, command] = [cli("demo", "--jsno"), cli("stop")]
  expect([await unknown.ended, unknown.stdout()]).toEqual([2, ""])
  expect(unknown.stderr()).toContain("Unknown option '--jsno'")
  expect([await command.ended, command.stdout()]).toEqual([2, ""])
  expect(command.stderr()).toContain("npm start")
})

it("parses the options of start, and defaults to the service's usual port", () => {
  expect(parseArgs(["start"])).toEqual({
    name: "start",
    options: { port: 8787, adminPort: undefined, freePorts: false, file: ".geoswap/devnet.json", json: false }
  })
  expect(parseArgs(["start", "--port", "0", "--admin-port", "9464", "--free-ports", "--file", "x", "--json"])).toEqual({
    name: "start",
    options: { port: 0, adminPort: 9464, freePorts: true, file: "x", json: true }
  })
})

it("refuses invalid ports", () => {
  const problem = (message: string) => ({ name: "invalid", problem: expect.stringContaining(message) as string })
  for (const port of ["http", "65536", "-1", "1.5", ""]) {
    expect(parseArgs(["start", `--port=${port}`])).toEqual(problem(`got "${port}"`))
    expect(parseArgs(["start", `--admin-port=${port}`])).toEqual(problem(`--admin-port is invalid`))
  }
  expect(parseArgs(["start", "--admin-port", "0"])).toEqual(problem("from 1 to 65535"))
})
