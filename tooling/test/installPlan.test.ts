import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { missing, plan, platformOf, turboUnusable } from "../setup/installPlan.js"

type Machine = Parameters<typeof plan>[0]

const gaps = JSON.parse(
  readFileSync(new URL("../setup/missingBuilds.json", import.meta.url), "utf8")
) as Machine["gaps"]

const machine = (platform: string, arch: string, rest: Partial<Machine> = {}): Machine => ({
  platform,
  arch,
  release: "6.1.0",
  nodeVersion: "24.21.0",
  root: "/src/geoswap",
  packageManager: "pnpm@12.18.0",
  gaps,
  isInstalled: () => true,
  ...rest
})

const frozen = ["npx", "--yes", "pnpm@12.18.0", "install", "--frozen-lockfile"]
const free = ["npx", "--yes", "pnpm@12.18.0", "install", "--no-lockfile"]
const wsl = "5.15.167.4-microsoft-standard-WSL2"

describe("plan, with the current lockfile", () => {
  it.for([
    ["linux", "x64", "6.1.0"],
    ["linux", "arm64", "6.1.0"],
    ["linux", "x64", wsl],
    ["linux", "arm64", wsl]
  ] as const)("installs from the lockfile on %s %s with kernel %s, without a message", ([platform, arch, release]) => {
    for (const nodeVersion of ["20.0.0", "24.21.0"]) {
      const { install, messages, refusal } = plan(machine(platform, arch, { nodeVersion, release }))
      expect({ install, messages, refusal }).toEqual({ install: frozen, messages: [], refusal: undefined })
    }
  })

  it.for(["arm64", "x64"])("installs without the lockfile on macOS %s, with one message", (arch) => {
    const { install, messages } = plan(machine("darwin", arch))
    expect(install).toEqual(free)
    expect(messages).toEqual([
      "The lockfile has no builds of oxc-parser, oxfmt, oxlint-tsgolint, oxlint, rolldown, rollup, turbo for macOS on " +
        `${arch}, so the install does not use the lockfile. Direct dependencies have the same exact versions, but ` +
        "transitive ones may be newer."
    ])
  })

  it.for(["x64", "arm64"])("refuses Windows %s, and suggests WSL", (arch) => {
    const { install, refusal } = plan(machine("win32", arch))
    expect(install).toEqual([])
    expect(refusal).toMatch(/does not run on Windows.*`wsl --install`/)
  })
})

it("installs from the lockfile on macOS if it has every build", () => {
  expect(plan(machine("darwin", "arm64", { gaps: {} }))).toMatchObject({ install: frozen, messages: [] })
})

describe("the installed Node", () => {
  it.for([
    ["darwin", "arm64", "20.20.2", "GeoSwap requires Node 22.19 or later on macOS, but this is Node 20.20.2."],
    ["darwin", "x64", "22.18.0", "GeoSwap requires Node 22.19 or later on macOS, but this is Node 22.18.0."],
    ["linux", "x64", "18.20.0", "GeoSwap requires Node 20 or later on Linux, but this is Node 18.20.0."],
    ["linux", "riscv64", "20.20.2", "GeoSwap requires Node 22.19 or later on Linux, but this is Node 20.20.2."]
  ] as const)("is too old on %s %s if it is %s", ([platform, arch, nodeVersion, expected]) => {
    const { install, refusal } = plan(machine(platform, arch, { nodeVersion }))
    expect(install).toEqual([])
    expect(refusal?.startsWith(expected)).toBe(true)
    expect(refusal).toContain("nodejs.org")
  })

  it.for(["22.19.0", "24.0.0"])("is new enough on macOS if it is %s", (nodeVersion) => {
    expect(plan(machine("darwin", "arm64", { nodeVersion })).refusal).toBeUndefined()
  })
})

it("warns about a checkout on a Windows drive, but only in WSL", () => {
  const root = "/mnt/c/geoswap"
  expect(plan(machine("linux", "x64", { release: wsl, root })).messages).toHaveLength(1)
  expect(plan(machine("linux", "x64", { root })).messages).toEqual([])
})

describe("missing builds", () => {
  it("are not reported if npm has every build", () => {
    for (const platform of ["darwin", "linux"]) {
      for (const arch of ["arm64", "x64"]) expect(missing(machine(platform, arch))).toEqual([])
    }
  })

  it("are reported with the package to look for", () => {
    const isInstalled = (name: string) => name !== "@turbo/darwin-arm64@2.11.10"
    const turbo = { "turbo@2.11.10": ["@turbo/darwin-arm64@2.11.10", "@turbo/darwin-64@2.11.10"] }
    expect(missing(machine("darwin", "arm64", { gaps: turbo, isInstalled }))).toEqual([
      "turbo is not installed for macOS on arm64. Check that your npm registry has its package: " +
        "npm view @turbo/darwin-arm64@2.11.10"
    ])
  })

  it("are not reported for a dependency with another version installed", () => {
    const rollup = { "rollup@4.68.2": ["@rollup/rollup-darwin-arm64@4.68.2"] }
    expect(missing(machine("darwin", "arm64", { gaps: rollup, isInstalled: () => false }))).toEqual([])
  })
})

it.for([
  ["darwin", "x64", "@turbo/darwin-64@2.11.10"],
  ["linux", "arm64", "@turbo/linux-arm64@2.11.10"]
] as const)("names turbo's package for %s %s if turbo cannot run", ([platform, arch, name]) => {
  const text = turboUnusable(machine(platform, arch), "2.11.10", "no such file")
  expect(text).toContain("turbo cannot run here, so no gate ran: no such file")
  expect(text).toContain(`npm view ${name}`)
})

it.for([
  ["@turbo/darwin-64", "darwin-x64"],
  ["@turbo/windows-arm64", "win32-arm64"],
  ["@foundry-rs/anvil-linux-amd64@1.7.1", "linux-x64"],
  ["@rollup/rollup-win32-x64-msvc", "win32-x64"],
  ["@oxlint/binding-linux-arm-musleabihf", "linux-arm-musl"],
  ["litesvm-linux-arm64-musl", "linux-arm64-musl"],
  ["@oven/bun-linux-aarch64", "linux-arm64"],
  ["@rolldown/binding-wasm32-wasi", undefined],
  ["fsevents", undefined],
  ["is-arm64", undefined]
] as const)("reads the platform of %s as %s", ([name, platform]) => {
  expect(platformOf(name)).toBe(platform)
})
