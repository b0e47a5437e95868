/** Changes one file while tests run, as the environment variable `MUTANT` says. */
import { join } from "node:path"
import type { Plugin } from "vitest/config"
import { root } from "../workspace.ts"

/** A change of one file that a test must find. `find` occurs once in the file. */
export interface Mutant {
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The test file that finds the mutant (default: the tests of its package that depend on its file). */
  readonly tests?: string
}

type Changes = ReadonlyArray<readonly [find: string, replace: string]>

/** Returns the mutants of one file, which the tests that depend on it find. */
export const mutantsOf = (file: string, ...changes: Changes): ReadonlyArray<Mutant> =>
  changes.map(([find, replace]) => ({ file, find, replace }))

/** Returns the mutants of one file, which one test file finds. Only that file runs, which takes seconds. */
export const mutantsFoundBy = (tests: string, file: string, ...changes: Changes): ReadonlyArray<Mutant> =>
  mutantsOf(file, ...changes).map((mutant) => ({ ...mutant, tests }))

/** Returns the folder of the package that has a file, and the file's path in it. */
export const splitPath = (file: string): readonly [folder: string, path: string] => {
  const [group = "", name = "", ...path] = file.split("/")
  return [`${group}/${name}`, path.join("/")]
}

/** Returns the changed text. Throws unless the mutant's text occurs exactly once. */
export const mutate = (text: string, { file, find, replace }: Mutant): string => {
  const parts = text.split(find)
  const [before, after] = parts
  if (parts.length !== 2 || before === undefined || after === undefined) {
    throw new Error(`${file} has ${JSON.stringify(find)} ${parts.length - 1} times instead of once.`)
  }
  return `${before}${replace}${after}`
}

/** The plugin for the mutant in the environment, if there is one. */
export const mutantPlugins = (): Array<Plugin> => {
  const given = process.env["MUTANT"]
  if (given === undefined) return []
  const mutant = JSON.parse(given) as Mutant
  const [folder] = splitPath(mutant.file)
  return [
    {
      name: "mutant",
      enforce: "pre",
      // The tests of another package import the entry points of the built package, which has no mutant.
      resolveId: (id) => {
        const [scope, name = "", entry = "index"] = id.split("/")
        const isOther = mutant.tests !== undefined && scope === "@geoswap" && folder.endsWith(`/${name}`)
        return isOther ? join(root, folder, `src/${entry}.ts`) : undefined
      },
      transform: (text, id) => (id.endsWith(`/${mutant.file}`) ? mutate(text, mutant) : undefined)
    }
  ]
}
