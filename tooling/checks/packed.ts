/** Runs publint and are-the-types-wrong on the packed tarballs. */
import { readFileSync } from "node:fs"
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { publishedPackages, type Report, tarball } from "../workspace.ts"

/** The packages are ES modules, and their users resolve types as Node or a bundler does. */
const ignoredResolutions: ReadonlyArray<string> = ["node10", "node16-cjs"]

const describe = ({ kind, ...details }: Problem): string => `are-the-types-wrong: ${kind} ${JSON.stringify(details)}`

/** Returns the problems in one tarball. */
const inspect = async (path: string): Promise<ReadonlyArray<string>> => {
  const data = new Uint8Array(readFileSync(path))
  const types = await checkPackage(createPackageFromTarballData(data))
  const found = types.types === false ? [] : types.problems
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true })
  return [
    ...found
      .filter((problem) => !("resolutionKind" in problem && ignoredResolutions.includes(problem.resolutionKind)))
      .map(describe),
    ...messages
      .filter(({ type }) => type === "error")
      .map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
  ]
}

export const check = async (): Promise<Report> => {
  const packages = publishedPackages()
  const problems: Array<string> = []
  for (const { name } of packages) {
    for (const problem of await inspect(tarball(name))) problems.push(`${name}, ${problem}`)
  }
  return {
    problems,
    summary: `${packages.map(({ name }) => name).join(", ")}: checked the tarballs with publint and attw`
  }
}
