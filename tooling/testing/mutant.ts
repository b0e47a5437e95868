/** Changes one file while tests run, as the environment variable `MUTANT` says. */
import type { Plugin } from "vitest/config"
import type { Mutant } from "../mutants.ts"

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
  return [
    {
      name: "mutant",
      enforce: "pre",
      transform: (text, id) => (id.endsWith(`/${mutant.file}`) ? mutate(text, mutant) : undefined)
    }
  ]
}
