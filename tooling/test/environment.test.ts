import { expect, it } from "vitest"
import { describeEnvironment, environment, isEmulated } from "../environment.ts"

const linux = {
  platform: "linux",
  release: "6.1.0",
  arch: "arm64",
  node: "24.21.0",
  anvil: { version: "1.7.1", emulated: true },
  postgres: "15.8",
  chromium: "141.0"
}

it("describes what the tests ran with in one line", () => {
  expect(describeEnvironment(linux)).toBe(
    "Ran on Linux 6.1.0 arm64, Node 24.21.0, anvil 1.7.1 (emulated), PostgreSQL 15.8, Chromium 141.0"
  )
  const mac = { ...linux, platform: "darwin", release: "24.6.0", anvil: { version: "1.7.1", emulated: false } }
  expect(describeEnvironment({ ...mac, postgres: undefined, chromium: undefined })).toBe(
    "Ran on Darwin 24.6.0 arm64, Node 24.21.0, anvil 1.7.1 (native), PostgreSQL missing, Chromium missing"
  )
  expect(describeEnvironment({ ...linux, anvil: undefined })).toContain(", anvil missing, ")
  expect(describeEnvironment({ ...linux, anvil: "unknown" })).toContain(", anvil unknown, ")
})

it("describes this machine", async () => {
  expect(describeEnvironment(await environment())).toMatch(
    new RegExp(
      `^Ran on \\S+ \\S+ ${process.arch}, Node ${process.versions.node}, anvil [^,]+, PostgreSQL [^,]+, Chromium`
    )
  )
})

const elf = (machine: number) =>
  Buffer.concat([Buffer.from("\x7fELF", "latin1"), Buffer.alloc(14), Buffer.from([machine, 0])])
const machO = (cpu: number) => Buffer.from([0xcf, 0xfa, 0xed, 0xfe, cpu, 0, 0, 1])

it.for([
  ["a script that calls QEMU", Buffer.from('#!/bin/sh\nexec qemu-x86_64 "anvil"'), true],
  ["a script that does not", Buffer.from("#!/usr/bin/env node\n"), false],
  ["an ELF file for x64", elf(0x3e), true],
  ["an ELF file for arm64", elf(0xb7), false],
  ["a Mach-O file for x64", machO(7), true],
  ["a Mach-O file for arm64", machO(12), false],
  ["an empty file", Buffer.alloc(0), false]
] as const)("knows whether %s is emulated on arm64", ([, start, expected]) => {
  expect(isEmulated(start, "arm64")).toBe(expected)
})
