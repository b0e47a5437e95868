/** The environment in which the tests run: the machine, and the programs that some tests need. */
import { execFileSync } from "node:child_process"
import { closeSync, existsSync, globSync, openSync, readSync } from "node:fs"
import { release } from "node:os"
import { delimiter, join } from "node:path"
import { chromium } from "./runtimes/installed.ts"
import { root } from "./workspace.ts"

/** A program's version, or `undefined` if the program is missing. */
type Version = string | undefined

export interface Environment {
  readonly platform: string
  readonly release: string
  readonly arch: string
  readonly node: string
  /** The anvil program that the devnet runs. It is unknown until the devnet is built. */
  readonly anvil: { readonly version: string; readonly emulated: boolean } | "unknown" | undefined
  readonly postgres: Version
  readonly chromium: Version
}

const systems: Readonly<Record<string, string>> = { darwin: "Darwin", linux: "Linux", win32: "Windows" }

/** Describes the environment in one line, for the end of the report. */
export const describeEnvironment = ({
  anvil,
  arch,
  chromium,
  node,
  platform,
  postgres,
  release
}: Environment): string =>
  [
    `Ran on ${systems[platform] ?? platform} ${release} ${arch}`,
    `Node ${node}`,
    `anvil ${typeof anvil === "object" ? `${anvil.version} (${anvil.emulated ? "emulated" : "native"})` : (anvil ?? "missing")}`,
    `PostgreSQL ${postgres ?? "missing"}`,
    `Chromium ${chromium ?? "missing"}`
  ].join(", ")

/**
 * Whether a program is built for another processor, according to its first bytes: a script that calls QEMU, or the
 * header of an ELF or Mach-O file.
 */
export const isEmulated = (start: Uint8Array, arch: string): boolean => {
  const bytes = Buffer.from(start)
  const text = bytes.toString("latin1")
  if (text.startsWith("#!")) return text.includes("qemu-")
  const processors: Readonly<Record<number, string>> = {
    0x3e: "x64",
    0xb7: "arm64",
    0x01000007: "x64",
    0x0100000c: "arm64"
  }
  const isElf = text.startsWith("\x7fELF")
  const isMachO = bytes.length >= 8 && bytes.readUInt32LE(0) === 0xfeedfacf
  const builtFor = isElf ? processors[bytes.readUInt16LE(18)] : isMachO ? processors[bytes.readUInt32LE(4)] : undefined
  return builtFor !== undefined && builtFor !== arch
}

/** The version that a program prints. */
const versionOf = (path: string): Version => {
  try {
    const printed = execFileSync(path, ["--version"], { stdio: ["ignore", "pipe", "ignore"], timeout: 60_000 })
    return /\d+(?:\.\d+)+/.exec(printed.toString())?.[0]
  } catch {
    return undefined
  }
}

const startOf = (path: string): Uint8Array => {
  const file = openSync(path, "r")
  try {
    const start = Buffer.alloc(1024)
    return start.subarray(0, readSync(file, start))
  } finally {
    closeSync(file)
  }
}

/** The anvil program that the devnet runs. */
const findAnvil = async (): Promise<Environment["anvil"]> => {
  const built = join(root, "packages/devnet/dist/internal/anvilBinary.js")
  if (!existsSync(built)) return "unknown"
  const { anvilCommand } = (await import(built)) as { readonly anvilCommand: (option: undefined) => string }
  const command = anvilCommand(undefined)
  const version = versionOf(command)
  if (version === undefined) return undefined
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const path = [command, ...folders.map((folder) => join(folder, command))].find((one) => existsSync(one))
  return { version, emulated: path !== undefined && isEmulated(startOf(path), process.arch) }
}

/** Describes this machine. */
export const environment = async (): Promise<Environment> => {
  const postgres = globSync("/usr/lib/postgresql/*/bin/postgres").toSorted().at(-1)
  return {
    platform: process.platform,
    release: release(),
    arch: process.arch,
    node: process.versions.node,
    anvil: await findAnvil(),
    postgres: postgres === undefined ? undefined : versionOf(postgres),
    chromium: chromium.path === undefined ? undefined : /\d[\d.]*/.exec(chromium.label)?.[0]
  }
}
