/**
 * `node prepare.ts <folder>`: prepares a release in a folder, and prints the job's outputs.
 *
 * While there are changesets, it writes `version.patch`, which contains the changes for the next version, for a pull
 * request. Otherwise, if the current version has not been published yet, it writes the packed packages with their
 * SBOMs. It installs and runs dependencies, so it must run in a job that cannot publish.
 */
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { basename, join, resolve } from "node:path"
import { publishedPackages, readManifest, root, tarball } from "../workspace.ts"
import * as Checksums from "./checksums.ts"
import * as Sbom from "./sbom.ts"

/** Runs a program with its output on standard error, because standard output is reserved for the job's outputs. */
const run = (command: string, ...args: ReadonlyArray<string>): void => {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? `exit code ${status}`}`)
}

const output = (command: string, ...args: ReadonlyArray<string>): string | undefined => {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout : undefined
}

const version = (folder: string): void => {
  run("pnpm", "run", "version")
  run("git", "add", "--all")
  const patch = output("git", "diff", "--cached", "--binary", "HEAD")
  if (patch === undefined || patch === "") throw new Error("The changesets do not change anything.")
  writeFileSync(join(folder, "version.patch"), patch)
}

const pack = async (folder: string): Promise<void> => {
  run("pnpm", "exec", "turbo", "run", "pack")
  for (const { name } of publishedPackages()) {
    copyFileSync(tarball(name), join(folder, basename(tarball(name))))
    await Sbom.write(name, "library", join(folder, basename(tarball(name)).replace(/tgz$/, "cdx.json")))
  }
}

/** Determines what to prepare. All packages have the same version. */
const modeOf = (name: string, released: string): "version" | "publish" | "none" => {
  const changesets = globSync(".changeset/*.md", { cwd: root }).filter((path) => basename(path) !== "README.md")
  if (changesets.length > 0) return "version"
  const isPublished = output("npm", "view", `${name}@${released}`, "version") !== undefined
  return released === "0.0.0" || isPublished ? "none" : "publish"
}

const folder = resolve(process.argv[2] ?? "")
if (process.argv[2] === undefined) throw new Error("Usage: node prepare.ts <folder>")
const [first] = publishedPackages()
if (first === undefined) throw new Error("There are no packages to publish.")
const released = readManifest(first.directory).version
const mode = modeOf(first.name, released)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
if (mode === "version") version(folder)
if (mode === "publish") await pack(folder)
console.log(`mode=${mode}\nversion=${released}\nchecksums=${Checksums.write(folder)}`)
