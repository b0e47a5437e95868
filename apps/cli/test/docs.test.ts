/** What the documents tell people to type works, with the devnet's chains in place of the ones they name. */
import { readFileSync } from "node:fs"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { run } from "./runCli.js"
import * as World from "./fixture.js"

const pages = ["docs/getting-started.md", "docs/cli.md", "apps/cli/README.md"]

/** The lines for a shell that begin with the program's name. */
const linesOf = (page: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8")
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block)
  return blocks.flatMap((block) => block.split("\n")).filter((line) => line.startsWith("geoswap "))
}

/** Asks at a terminal or changes the user's own tokens, which a devnet has not, and has tests of its own. */
const asks = (line: string) => /^geoswap (init|token (add|remove))\b/.test(line)

const names: ReadonlyArray<readonly [RegExp, string]> = [
  [/@(base|8453)\b/g, "@devnet-a"],
  [/-in base\b/g, "-in devnet-a"],
  [/@(arbitrum|42161)\b/g, "@devnet-b"],
  [/-out arbitrum\b/g, "-out devnet-b"],
  [/0x82af49447d8a07e3bd95bd0d56f35241523fbab1/g, "weth"],
  // What reads the output is not ours.
  [/ \|.*$/g, ""]
]

/** As it is typed, with the devnet's names, and a yes where somebody would be asked. */
const argumentsOf = (line: string): ReadonlyArray<string> => {
  const words = names
    .reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line)
    .split(" ")
    .slice(1)
  const needed = [
    "--devnet",
    ...(words[0] === "swap" ? ["--yes", "--accept-impact"] : []),
    // All that a wallet has is more than the next line could do without.
    ...(words.includes("--max") ? ["--dry-run"] : [])
  ]
  return [...words, ...needed.filter((flag) => !words.includes(flag))]
}

describeOnAnvil("what the documents say to type", () =>
  layer(World.layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    const lines = [...new Set(pages.flatMap(linesOf).filter((line) => !asks(line)))]

    it("is a handful of lines", () => {
      expect(lines.length).toBeGreaterThan(8)
    })

    it.effect.each(lines)(
      "works: %s",
      (line) =>
        Effect.gen(function* () {
          const world = yield* World.World
          const { code, stderr, stdout } = yield* run(yield* world.place, ...argumentsOf(line))
          expect({ code, ...(code !== 0 && { stderr, stdout }) }).toEqual({ code: 0 })
          expect(stdout).not.toBe("")
        }),
      300_000
    )
  })
)
