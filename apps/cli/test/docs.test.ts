/** Runs the commands in the docs, on the chains of a devnet. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { onDevnet } from "./fixture.js"
import { accept } from "./runCli.js"
import { makeUser } from "./swapFixture.js"

const pages = ["docs/getting-started.md", "docs/cli.md", "apps/cli/README.md"]

/** The shell lines that start with the name of the program. */
const linesOf = (page: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8")
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block)
  return blocks
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/^npm run (--silent )?geoswap -- /, "geoswap "))
    .filter((line) => line.startsWith("geoswap "))
}

/** These commands ask questions or change the user's configuration. They have their own tests. */
const isExcluded = (line: string) =>
  /^geoswap (init|token (add|remove)|keys (add|default|export|rename)|contacts (add|remove))\b/.test(line)

const names: ReadonlyArray<readonly [RegExp, string]> = [
  [/@(base|8453)\b/g, "@devnet-a"],
  [/-in base\b/g, "-in devnet-a"],
  [/@(arbitrum|42161)\b/g, "@devnet-b"],
  [/-out arbitrum\b/g, "-out devnet-b"],
  [/0x82af49447d8a07e3bd95bd0d56f35241523fbab1/g, "weth"],
  // Other programs that read the output.
  [/ \|.*$/g, ""]
]

/** The arguments of a line, with devnet names, and flags that answer questions. */
const argumentsOf = (line: string, isExecuted: boolean): ReadonlyArray<string> => {
  const args = names
    .reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line)
    .split(" ")
    .slice(1)
  const needed = [
    "--devnet",
    ...(args.includes("swap") ? ["--accept-cost", ...(args.includes("--min-output") ? ["--yes"] : accept)] : []),
    ...(args.includes("swap") && !isExecuted ? ["--dry-run"] : [])
  ]
  return [...args, ...needed.filter((flag) => !args.includes(flag))]
}

describe("the commands in the docs", () => {
  onDevnet((it) => {
    const lines = [...new Set(pages.flatMap(linesOf).filter((line) => !isExcluded(line)))]

    // The other swaps differ only in their flags, which have their own tests.
    const executed = lines.find((line) => /\bswap\b/.test(line))

    it("include more than eight commands", () => {
      expect(lines.length).toBeGreaterThan(8)
    })

    it.effect.each(lines)(
      "succeed: %s",
      (line) =>
        Effect.gen(function* () {
          const [, wallet = "alice"] = /--wallet (\w+)/.exec(line) ?? []
          const { geoswap } = yield* makeUser(wallet)
          const { code, stderr, stdout } = yield* geoswap(...argumentsOf(line, line === executed))
          expect({ code, ...(code !== 0 && { stderr, stdout }) }).toEqual({ code: 0 })
          expect(stdout).not.toBe("")
        }),
      300_000
    )
  })
})
