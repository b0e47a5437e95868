/** The checksums for a release, which the build job writes and the publish job verifies. Requires only Node. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const file = "SHA256SUMS"

const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => name !== file)
    .toSorted()

const listOf = (folder: string): string =>
  filesIn(folder)
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
    .join("")

/** Writes the list in the `sha256sum` format, and returns the checksum of the list itself. */
export const write = (folder: string): string => {
  const list = listOf(folder)
  writeFileSync(join(folder, file), list)
  return sha256(Buffer.from(list))
}

/** Compares the files with the list. `expected` is the list's checksum, which comes from the build job's outputs. */
export const problemsOf = (folder: string, expected: string): ReadonlyArray<string> => {
  const list = readFileSync(join(folder, file))
  if (sha256(list) !== expected) {
    return [`${file} is not the list that was built: expected ${expected || "a checksum"}, got ${sha256(list)}.`]
  }
  const lines = (text: string) => text.split("\n").filter((line) => line !== "")
  const built = lines(list.toString())
  const here = lines(listOf(folder))
  return [
    ...built.filter((line) => !here.includes(line)).map((line) => `Missing file: ${line}`),
    ...here.filter((line) => !built.includes(line)).map((line) => `Unexpected file: ${line}`)
  ]
}
