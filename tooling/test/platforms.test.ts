import { expect, it } from "vitest"
import { compare, gapsOf, lockedPackages } from "../checks/platforms.ts"

const lockfile = `lockfileVersion: '9.0'

packages:

  '@turbo/linux-64@2.0.0':
    resolution: {integrity: sha512-x}
    cpu: [x64]

  fsevents@2.3.3:
    resolution: {integrity: sha512-x}

  pg@8.0.0:
    resolution: {integrity: sha512-x}

  turbo@2.0.0:
    resolution: {integrity: sha512-x}

snapshots:

  left@1.0.0: {}
`
const locked = lockedPackages(lockfile)
const turbo = {
  name: "turbo",
  version: "2.0.0",
  optionalDependencies: { "@turbo/linux-64": "2.0.0", "@turbo/darwin-64": "2.0.0", fsevents: "~2.3.2" }
}
const gaps = { "turbo@2.0.0": ["@turbo/darwin-64@2.0.0"] }

it("reads the packages in a lockfile, but not its other sections", () => {
  expect([...locked]).toEqual(["@turbo/linux-64@2.0.0", "fsevents@2.3.3", "pg@8.0.0", "turbo@2.0.0"])
})

it("finds packages of a native dependency that are missing from the lockfile", () => {
  const pg = { name: "pg", version: "8.0.0", optionalDependencies: { "pg-cloudflare": "1.0.0" } }
  const other = { ...turbo, version: "3.0.0" }
  expect(gapsOf([turbo, pg, other], locked)).toEqual(gaps)
})

it("ignores anvil, which nothing requires", () => {
  const anvil = {
    name: "@foundry-rs/anvil",
    version: "1.0.0",
    optionalDependencies: { "@foundry-rs/anvil-linux-arm64": "1.0.0" }
  }
  expect(gapsOf([anvil], new Set(["@foundry-rs/anvil@1.0.0"]))).toEqual({})
})

it("accepts a correct record", () => {
  expect(compare(gaps, gaps, locked, () => true)).toEqual([])
})

it("reports a new missing build, one that is available now, and one whose dependency is no longer used", () => {
  expect(compare({}, gaps, locked, () => true)).toEqual([
    "turbo@2.0.0: @turbo/darwin-64@2.0.0 is missing from the lockfile"
  ])
  expect(compare(gaps, {}, locked, () => true)).toEqual(["turbo@2.0.0: @turbo/darwin-64@2.0.0 is now in the lockfile"])
  expect(compare({ "turbo@1.0.0": [] }, {}, locked, () => true)).toEqual([
    "turbo@1.0.0 is recorded but no longer in the lockfile"
  ])
})

it("does not compare a dependency that is not installed", () => {
  expect(compare(gaps, {}, locked, () => false)).toEqual([])
})
