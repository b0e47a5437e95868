import { expect, it } from "vitest"
import { inspect } from "../checks/tree.ts"

// Assembled here, because this file has to pass the check too.
const host = ["npm", "js"].join("")
const registry = ["registry", host, "org"].join(".")
const home = ["", "home", "ada", "x"].join("/")
const unfinished = ["TO", "DO"].join("")

it("finds a registry", () => {
  expect(inspect("a.md", `one\nfrom https://${registry}/effect`)).toEqual([
    `a.md:2: "${host}" names a registry`,
    `a.md:2: "${registry}" names a registry`
  ])
})

it("finds a machine-specific path, but not the path of a URL or in the tree", () => {
  expect(inspect("a.ts", `open("${home}")`)).toHaveLength(1)
  expect(inspect("a.ts", `see https://example.org${home} and ./src${home}`)).toEqual([])
})

it("finds unfinished work", () => {
  expect(inspect("a.ts", `// ${unfinished}: later`)).toHaveLength(1)
  expect(inspect("a.ts", "const todos = 1")).toEqual([])
})

it("finds a tarball URL only in a lockfile", () => {
  const url = ["https:", "", "example.org", "x.tgz"].join("/")
  const line = `    resolution: {integrity: sha512-x, tarball: ${url}}`
  expect(inspect("pnpm-lock.yaml", line)).toEqual(['pnpm-lock.yaml:1: "tarball:" is a URL in a lockfile'])
  expect(inspect("docs/a.md", line)).toEqual([])
})

it("finds clients of nodes that follow redirects, in the code that users run", () => {
  const path = "packages/service/src/node.ts"
  for (const line of [
    "http(url, { timeout })",
    "http()",
    "createSolanaRpc(url)",
    "createDefaultRpcTransport({ url })"
  ]) {
    expect(inspect(path, line)).toEqual([expect.stringContaining("follows redirects")])
    expect(inspect("packages/service/test/node.test.ts", line)).toEqual([])
  }
  for (const line of [
    "http(url, { fetchFn, timeout })",
    "createDefaultRpcTransport({ url: urlWithoutRedirects(url) })",
    '"an http(s) URL"'
  ]) {
    expect(inspect(path, line)).toEqual([])
  }
})

it("finds relative imports that leave their package", () => {
  const inspected = (specifier: string) => inspect("apps/server/test/a.test.ts", `import { a } from "${specifier}"`)
  for (const allowed of ["./b.js", "../src/b.js", "../../../tooling/testing/matrix.js", "@geoswap/service"]) {
    expect(inspected(allowed)).toEqual([])
  }
  const foreign = "../../../packages/service/src/store/Store.js"
  expect(inspected(foreign)).toEqual([
    `apps/server/test/a.test.ts:1: "${foreign}" leaves the package. Import an entry point of its package`
  ])
  for (const line of [`export * from "${foreign}"`, `import "${foreign}"`, `await import("${foreign}")`]) {
    expect(inspect("apps/server/test/a.ts", `\n${line}`)).toEqual([expect.stringContaining("a.ts:2: ")])
  }
  expect(inspected("../../web/test/fixture.js")).toHaveLength(1)
})

it("accepts the files that tests borrow from a package that depends on theirs", () => {
  const line = 'import * as Sqlite from "../../../../apps/server/src/storage/Sqlite.js"'
  expect(inspect("packages/service/test/execution/fixture.ts", line)).toEqual([])
  expect(inspect("packages/service/src/store/Store.ts", line)).toHaveLength(1)
  expect(inspect("packages/core/test/internal/a.ts", line)).toHaveLength(1)
})

const again = ["an", "ew"].join("")
const automatically = ["by", "itself"].join(" ")

it.for([
  ["a comment", "a.ts", `// The quote is requested ${again}.`],
  ["a string", "a.tsx", `const title = "It starts ${again}"`],
  ["a test title", "test/a.test.ts", `it("signs ${again} after a restart", run)`],
  ["docs", "docs/a.md", `The service starts ${again}.`],
  ["NatSpec", "contracts/A.sol", `/// @notice Signs ${again}.`]
] as const)("finds a phrase to replace in %s", ([, path, text]) => {
  expect(inspect(path, text)).toEqual([
    expect.stringMatching(new RegExp(`^${path}:1: "${again}" is not plain English: write ".*again`))
  ])
})

it("finds a phrase that a line break splits, and reports the line on which it starts", () => {
  const [first, second] = automatically.split(" ")
  expect(inspect("a.ts", `/**\n * The page resumes ${first}\n * ${second} after a restart.\n */`)).toEqual([
    `a.ts:2: "${automatically}" is not plain English: write "automatically"`
  ])
  expect(inspect("a.md", `It resumes ${first}\n${second}.`)).toHaveLength(1)
})

it("allows phrases in change logs, changesets and generated files", () => {
  for (const path of ["packages/core/CHANGELOG.md", ".changeset/a.md", "src/generated/A.ts", "a.json"]) {
    expect(inspect(path, `It starts ${again}.`)).toEqual([])
  }
})

it("allows plain English and code that resemble a phrase", () => {
  const texts = [
    "There is no route, so there is none to show.",
    "The value is no longer valid.",
    "The transaction ran out of gas.",
    "Wait so long as the swap is pending.",
    "const share = 10 % 3",
    "select 1 where not exists (select 1)"
  ]
  for (const text of texts) expect(inspect("a.ts", text)).toEqual([])
})
