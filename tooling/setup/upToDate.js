/** Whether a program has been built since its sources last changed, which takes milliseconds to find out. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./machine.js"

/** What a build writes, and what it does not read. */
const ignored = new Set(["dist", "node_modules", "test", "reports", "bench"])

/** When a file in a folder, or in one of its folders, last changed. @param {string} folder @returns {number} */
const changedAt = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    if (ignored.has(entry.name) || entry.name.startsWith(".")) return latest
    const path = join(folder, entry.name)
    return Math.max(latest, entry.isDirectory() ? changedAt(path) : statSync(path).mtimeMs)
  }, 0)

/** The file whose time is when the last build of a program started. @param {string} name */
const stampOf = (name) => join(root, "node_modules", ".cache", "geoswap", `${name}.built`)

/**
 * @param {string} name The program's name.
 * @param {string} script The built program.
 * @param {ReadonlyArray<string>} folders The packages that it is built from.
 */
export const isUpToDate = (name, script, folders) => {
  const stamp = stampOf(name)
  if (!existsSync(stamp) || !existsSync(join(root, script))) return false
  const builtAt = statSync(stamp).mtimeMs
  return folders.every((folder) => changedAt(join(root, folder)) < builtAt)
}

/** Records that a build that started at this time succeeded. @param {string} name @param {Date} startedAt */
export const recordBuild = (name, startedAt) => {
  const stamp = stampOf(name)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, "")
  utimesSync(stamp, startedAt, startedAt)
}
