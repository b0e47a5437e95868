/** docs/configuration.md documents every field with its default. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { publicNetworks } from "@geoswap/deployments/networks"
import * as Effect from "effect/Effect"
import * as Config from "../../src/config/Config.js"
import { evm, minimal, parse, solana, weth } from "./fixture.js"

const blocks = (path: string) => {
  const text = readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), "utf8")
  return {
    text,
    examples: new Map(
      [...text.matchAll(/```json ([\w-]+)\n([\s\S]*?)```/g)].map(([, name, json]) => [name, json ?? ""])
    )
  }
}

describe("docs/configuration.md", () => {
  const { examples, text } = blocks("configuration.md")

  it.effect("has a valid example", () =>
    Effect.gen(function* () {
      const config = yield* Config.parse(examples.get("config") ?? "")
      assert.lengthOf(config.chains, 2)
      const nameOf = Config.priceNames(config)
      assert.strictEqual(
        nameOf({ chainId: 8453, address: weth.toUpperCase().replace("0X", "0x"), symbol: "", decimals: 18 }),
        "ether"
      )
    })
  )

  it.effect("has a valid example with public networks, and their chain ids", () =>
    Effect.gen(function* () {
      const config = yield* Config.parse(examples.get("public-networks") ?? "")
      assert.deepStrictEqual(
        config.chains.map(({ id }) => id),
        [8453, 792703809]
      )
      for (const { id, name } of publicNetworks) {
        const [row = ""] = text.split("\n").filter((line) => line.startsWith("| `") && line.includes(`\`${name}\``))
        assert.match(row, new RegExp(`\\b${id}\\b`), name)
      }
    })
  )

  /** The fields of the tables under a heading, with their defaults. */
  const fieldsUnder = (...headings: ReadonlyArray<string>) =>
    new Map(
      headings.flatMap((heading) => {
        const start = text.indexOf(heading)
        assert.isAtLeast(start, 0, heading)
        const [section = ""] = text.slice(start + heading.length).split("\n#")
        return [...section.matchAll(/^\| `([^`]+)`\s*\| (\S.*?)\s*\|/gm)].map(([, name = "", value = ""]) => [
          name,
          value
        ])
      })
    )

  const written = (value: unknown) =>
    `\`${JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner))
      .replaceAll(/([:,{])(?=[^\s}])/g, "$1 ")
      .replaceAll(/(?<=[^\s{])}/g, " }")}\``

  /** Every field of a value, with lists and tables by their entries. */
  const leaves = (value: unknown, path: string, defaults: ReadonlySet<string>): Array<[string, unknown]> => {
    if (defaults.has(path) || typeof value !== "object" || value === null) return [[path, value]]
    const inner = Array.isArray(value)
      ? value.map((entry): [string, unknown] => [`${path}[]`, entry])
      : Object.entries(value).map(([name, entry]): [string, unknown] => [
          path === "prices" ? "prices.*" : path === "" ? name : `${path}.${name}`,
          entry
        ])
    return inner.flatMap(([name, entry]) => leaves(entry, name, defaults))
  }

  const payments = { methods: ["eip3009"], name: "USD Coin", version: "2" }
  const full = {
    ...minimal,
    admin: {},
    web: { folder: "page", ens: { chainId: evm.id } },
    listen: { hosts: [] },
    chains: [evm, solana].map((chain) => ({
      ...chain,
      quorum: 1,
      sendUrls: ["http://127.0.0.1:8547"],
      requestsPerSecond: 100,
      ...(chain.kind === "evm" && { wsUrls: ["ws://127.0.0.1:8545"] }),
      native: { asset: "ETH" },
      tokens: [{ ...chain.tokens[0], asset: "USDC", ...(chain.kind === "evm" && { payments }) }]
    })),
    fees: { baseFeeBps: 1, token: "USDC", tiers: [{ tier: "a", minimum: "1", discountPercent: 1 }] }
  }
  const http = { kind: "http", url: "http://x", token: "X" }
  const config = Effect.runSync(parse(full))
  const { chains, delegations, execution, fees, limits, venue, web, ...rest } = config
  const httpVenue = Effect.runSync(parse({ ...minimal, venue: http })).venue
  const buckets = new Set([
    "quote",
    "indicative",
    "delegation",
    "build",
    "submit",
    "changeDelegation",
    "status",
    "chains"
  ])
  const clients = new Set([...buckets, "balances", "names"])
  const lists = new Set([
    "rpcUrls",
    "sendUrls",
    "wsUrls",
    "finality",
    "cors.origins",
    "listen.hosts",
    "keys.relayers",
    "payments.targets",
    "tokens[].payments.methods"
  ])
  const relayer = "GEOSWAP_EVM_RELAYER_KEY"
  const network = "base"

  it.each<readonly [string, ReadonlyArray<string>, unknown, ReadonlySet<string>, unknown]>([
    ["the service", ["### The service"], rest, lists, { listen: full.listen, quotes: { maxDriftBps: 0 } }],
    [
      "EVM chains",
      ["### Every chain: `chains[]`", "### EVM chains"],
      { ...chains[0], network, keys: { relayer, relayers: [relayer] } },
      lists,
      { ...full.chains[0], network, keys: { relayers: [relayer] } }
    ],
    [
      "Solana chains",
      ["### Every chain: `chains[]`", "### Solana chains"],
      { ...chains[1], network },
      lists,
      { ...full.chains[1], network }
    ],
    ["fees", ["### Fees: `fees`"], fees, new Set(), full.fees],
    ["execution", ["### Execution: `execution`"], execution, new Set(), {}],
    ["delegation changes", ["### Delegation changes: `delegations`"], delegations, new Set(), {}],
    ["limits", ["### Limits: `limits`"], limits, new Set([...buckets, "failedAuth"]), {}],
    [
      "the page",
      ["### The page: `web`"],
      web,
      new Set(["explorers", ...Array.from(clients).flatMap((name) => [`limits.${name}`, `limits.total.${name}`])]),
      full.web
    ]
  ])("documents every field of %s, and its default", (_, headings, decoded, whole, given) => {
    const told = fieldsUnder(...headings)
    const set = new Set(leaves(given, "", whole).map(([path]) => path))
    for (const [path, value] of leaves(decoded, "", whole)) {
      const word = told.get(path)
      assert.isDefined(word, path)
      if (!set.has(path)) assert.strictEqual(word, written(value), path)
      else assert.oneOf(word, ["–", "none"], path)
    }
    const known = leaves(decoded, "", whole).map(([path]) => path)
    for (const path of told.keys())
      assert.isTrue(
        known.some((one) => one.startsWith(path)),
        `${path} is not a field`
      )
  })

  it("documents every field of both venues", () => {
    const [tableText = "", httpText = ""] = text
      .slice(text.indexOf("### Prices: `venue`"), text.indexOf("### Fees: `fees`"))
      .split('With `"kind": "http"`')
    const told = (section: string, [path, value]: [string, unknown], given: ReadonlySet<string>) =>
      assert.match(
        section,
        new RegExp(`\\| \`${path.replace("*", "\\*")}\`\\s*\\| ${given.has(path) ? "(–|none)" : written(value)}\\s*\\|`)
      )
    const givenTable = new Set(["kind", "prices.*.usd", "prices.*.depthUsd"])
    for (const leaf of leaves(venue, "", new Set())) told(tableText, leaf, givenTable)
    for (const leaf of leaves(httpVenue, "", new Set())) told(httpText, leaf, new Set(Object.keys(http)))
  })

  it("names the variables of secrets", () => {
    for (const name of ["GEOSWAP_SEAL_KEYS", ...chains.flatMap(({ keys }) => Object.values(keys).flat())]) {
      assert.include(text.slice(text.indexOf("## Environment variables")), `\`${name}\``)
    }
  })
})
