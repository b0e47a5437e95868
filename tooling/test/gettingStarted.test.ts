import { expect, it } from "vitest"
import { parse } from "yaml"
import { read } from "../workspace.ts"

it("installs the versions that the tests use", () => {
  const { catalog } = parse(read("pnpm-workspace.yaml")) as { readonly catalog: Readonly<Record<string, string>> }
  const peersIn = (path: string) => /^ {2}(effect@.*)$/m.exec(read(path))?.[1]
  const pinned = (...names: ReadonlyArray<string>) => names.map((name) => `${name}@${catalog[name]}`).join(" ")
  expect(peersIn("docs/getting-started.md")).toBe(pinned("effect", "viem", "@solana/kit"))
  expect(peersIn("README.md")).toBe(pinned("effect", "viem"))
})

it("runs the program of the agent example", () => {
  const [, program] = /`swap\.js`:\n\n```ts\n([^]*?)```/.exec(read("docs/getting-started.md")) ?? []
  const example = read("examples/agent/swap.ts").split("\n").slice(1, -2).join("\n")
  expect(program?.trim().replace(/createDevnetClient\(\{.*\}\)/, "createDevnetClient()")).toBe(example)
})
