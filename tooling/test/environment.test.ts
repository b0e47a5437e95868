import { expect, it } from "vitest"
import { describeEnvironment, environment } from "../environment.ts"

const linux = {
  platform: "linux",
  release: "6.1.0",
  arch: "arm64",
  node: "24.21.0",
  edr: "0.20.0",
  postgres: "15.8",
  chromium: "141.0"
}

it("describes what the tests ran with in one line", () => {
  expect(describeEnvironment(linux)).toBe(
    "Ran on Linux 6.1.0 arm64, Node 24.21.0, EDR 0.20.0, PostgreSQL 15.8, Chromium 141.0"
  )
  const mac = { ...linux, platform: "darwin", release: "24.6.0" }
  expect(describeEnvironment({ ...mac, postgres: undefined, chromium: undefined })).toBe(
    "Ran on Darwin 24.6.0 arm64, Node 24.21.0, EDR 0.20.0, PostgreSQL missing, Chromium missing"
  )
})

it("describes this machine", () => {
  expect(describeEnvironment(environment())).toMatch(
    new RegExp(
      `^Ran on \\S+ \\S+ ${process.arch}, Node ${process.versions.node}, EDR \\d[^,]+, PostgreSQL [^,]+, Chromium`
    )
  )
})
