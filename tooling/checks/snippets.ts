/** Compiles the TypeScript snippets in READMEs and docs against the built packages, each as a separate module. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { read, type Report, run, sourceFiles, tooling } from "../workspace.ts"

export interface Snippet {
  /** The line in the markdown file on which the code starts. The first line of the file is line 1. */
  readonly line: number
  readonly language: "ts" | "tsx"
  readonly checked: boolean
  readonly code: string
}

/** Extracts the fenced `ts` and `tsx` blocks from a markdown text. `no-check` after the language opts out. */
export const extract = (markdown: string): ReadonlyArray<Snippet> => {
  const snippets: Array<Snippet> = []
  let open:
    | { fence: string; indent: number; info: ReadonlyArray<string>; line: number; code: Array<string> }
    | undefined
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, space = "", fence = "", info = ""] = /^([\s>]*)(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? []
    if (open === undefined) {
      if (fence !== "")
        open = { fence, indent: space.length, info: info.trim().split(/\s+/), line: index + 2, code: [] }
    } else if (fence.startsWith(open.fence) && info.trim() === "") {
      const language = open.info[0] === "typescript" ? "ts" : open.info[0]
      if (language === "ts" || language === "tsx") {
        const checked = !open.info.includes("no-check")
        snippets.push({ line: open.line, language, checked, code: open.code.join("\n") })
      }
      open = undefined
    } else {
      open.code.push(line.slice(open.indent))
    }
  }
  return snippets
}

const folder = join(tooling, ".snippets")

const configuration = (files: ReadonlyArray<string>) => ({
  extends: "../../tsconfig.base.json",
  compilerOptions: {
    checkers: 1,
    noEmit: true,
    types: ["node"],
    jsx: "react-jsx",
    noUnusedLocals: false,
    noUnusedParameters: false
  },
  files
})

/** A snippet's file name: the markdown file and the line. */
const fileOf = (path: string, { language, line }: Snippet): string => `${path}/${line}.${language}`

/**
 * Replaces the file names of snippets in the compiler's output with the names of their markdown files. The line numbers
 * match, because each snippet's file starts with empty lines.
 */
export const locate = (output: string): string =>
  output.replaceAll(
    /^(.+\.md)\/\d+\.tsx?\((\d+),(\d+)\)/gm,
    (_, path: string, line, column) => `${path}:${line}:${column}`
  )

export const check = async (): Promise<Report> => {
  const files = sourceFiles().filter((path) => /(^|\/)README\.md$|^docs\/.*\.md$/.test(path))
  const snippets = files.flatMap((path) => extract(read(path)).map((snippet) => ({ path, snippet })))
  const checked = snippets.filter(({ snippet }) => snippet.checked)

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const names = checked.map(({ path, snippet }) => fileOf(path, snippet))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration(names)))
  for (const { path, snippet } of checked) {
    const file = join(folder, fileOf(path, snippet))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, "\n".repeat(snippet.line - 1) + snippet.code)
  }
  const { ok, output } = checked.length === 0 ? { ok: true, output: "" } : await run("tsc", ["-p", "."], folder)

  const optedOut = snippets.length - checked.length
  return {
    problems: ok ? [] : [locate(output)],
    summary: `${checked.length} snippets in ${files.length} markdown files compiled, ${optedOut} opted out`
  }
}
