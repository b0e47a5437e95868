import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { getAddress } from "viem"
import { bundledChains } from "../src/chains/bundledChains.js"
import { isSymbol, isConfusable } from "../src/chains/tokenSymbols.js"
import { schemaErrors } from "./jsonSchema.js"
import { evmNode, redirectingNode, solanaNode } from "./scriptedNode.js"
import { home, type Workspace, run, runJson } from "./runCli.js"
import { enter, openHere } from "./terminal.js"

vi.setConfig({ testTimeout: 120_000 })

const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
const other = "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const genesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

const configOf = ({ environment }: Workspace) => join(environment["HOME"] ?? "", ".config/geoswap/config.json")

/** The pinned tokens in the file, by chain id. */
const pinned = (workspace: Workspace) => {
  const { chains = {} } = JSON.parse(readFileSync(configOf(workspace), "utf8")) as {
    readonly chains?: Readonly<Record<string, { readonly tokens?: ReadonlyArray<object> }>>
  }
  return Object.fromEntries(Object.entries(chains).map(([id, { tokens }]) => [id, tokens]))
}

const write = (workspace: Workspace, config: object) => {
  mkdirSync(dirname(configOf(workspace)), { recursive: true, mode: 0o700 })
  writeFileSync(configOf(workspace), JSON.stringify(config), { mode: 0o600 })
}

describe("geoswap token", () => {
  it.live("pins a bundled token, lists it without a service, and removes it", () =>
    Effect.gen(function* () {
      const here = yield* home
      const added = yield* runJson(here, "token", "add", "base", "usdc")
      expect(added).toMatchObject({ code: 0, answer: { source: "bundled", token: { chainId: 8453, decimals: 6 } } })
      expect(schemaErrors("cli-token-add", added.answer)).toEqual([])
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "USDC", address: usdc, decimals: 6 }] })
      expect(statSync(configOf(here)).mode & 0o777).toBe(0o600)
      // Pinning it again changes nothing.
      expect((yield* run(here, "token", "add", "8453", usdc.toLowerCase())).code).toBe(0)
      expect(pinned(here)[8453]).toHaveLength(1)

      const listed = yield* runJson(here, "token", "list")
      expect(schemaErrors("cli-tokens", listed.answer)).toEqual([])
      expect(listed.answer).toMatchObject({ tokens: [{ chain: "Base", symbol: "USDC", pinned: true }] })
      const table = yield* run(here, "token", "list", "base")
      expect(table.stdout).toMatch(/Base +USDC +6 +0x8335/)

      const removed = yield* runJson(here, "token", "remove", "base", "usdc")
      expect(schemaErrors("cli-token-remove", removed.answer)).toEqual([])
      expect([removed.code, pinned(here)]).toEqual([0, { 8453: [] }])
      const again = yield* run(here, "token", "remove", "base", usdc)
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is not pinned on Base (8453).")])
    })
  )

  it.live("reads decimals and symbol from the user's node, checks its chain, and never shows its URL", () =>
    Effect.gen(function* () {
      const here = yield* home
      const node = yield* evmNode(8453, { symbol: "GEO", decimals: 9 })
      const added = yield* run(here, "token", "add", "base", other, "--rpc", node)
      expect([added.code, added.stderr]).toEqual([0, ""])
      expect(added.stdout).toContain("9 decimals (from your node).\n1 GEO is 1000000000 units.")
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "GEO", address: other, decimals: 9 }] })

      // The configured node works too, even for a chain that is not bundled.
      write(here, { chains: { 99: { family: "evm", rpcUrl: yield* evmNode(99, { symbol: "X", decimals: 2 }) } } })
      expect((yield* run(here, "token", "add", "99", other)).code).toBe(0)
      expect(pinned(here)).toEqual({ 99: [{ symbol: "X", address: other, decimals: 2 }] })

      const cases = [
        [yield* evmNode(1, { symbol: "GEO", decimals: 9 }), "Chain 8453 could not be read: the node serves chain 1."],
        [yield* evmNode(8453, undefined), `the node has no token at ${other}`],
        [yield* evmNode(8453, { symbol: "GEO" }), "decimals() returned nothing"],
        ["http://127.0.0.1:9/secret-of-the-node", "the node could not be reached for eth_chainId"]
      ] as const
      for (const [url, message] of cases) {
        const ended = yield* run(here, "token", "add", "base", other, "--rpc", url)
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)])
        expect(ended.stdout + ended.stderr).not.toContain("secret-of-the-node")
      }
      expect(pinned(here)).toEqual({ 99: [{ symbol: "X", address: other, decimals: 2 }] })
    })
  )

  it.live("reads a Solana mint, and checks that the node serves mainnet", () =>
    Effect.gen(function* () {
      const here = yield* home
      const otherNetwork = yield* run(
        here,
        "token",
        "add",
        "solana",
        mint,
        "--rpc",
        yield* solanaNode("GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC", 6)
      )
      expect([otherNetwork.code, otherNetwork.stderr]).toEqual([
        1,
        expect.stringContaining("serves a different Solana network")
      ])
      const added = yield* runJson(here, "token", "add", "solana", mint, "--rpc", yield* solanaNode(genesis, 6))
      expect(added).toMatchObject({ code: 0, answer: { source: "node", token: { symbol: "USDC", decimals: 6 } } })
      const lying = yield* run(here, "token", "add", "solana", mint, "--rpc", yield* solanaNode(genesis, 9))
      expect([lying.code, lying.stderr]).toEqual([
        1,
        expect.stringContaining("has 9 decimals according to your node, but 6 according to the bundled list")
      ])
    })
  )

  it.live("does not follow a node's redirects, and does not show where they lead", () =>
    Effect.gen(function* () {
      const here = yield* home
      const targets = [
        ["base", other, yield* evmNode(8453, { symbol: "GEO", decimals: 9 })],
        ["solana", mint, yield* solanaNode(genesis, 6)]
      ] as const
      for (const [chain, token, target] of targets) {
        const url = yield* redirectingNode(target)
        const ended = yield* run(here, "token", "add", chain, token, "--rpc", url)
        const message = "with a redirect, which is not followed."
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)])
        expect(ended.stdout + ended.stderr).not.toMatch(new RegExp(`secret-of-the-node|${new URL(target).port}`))
      }
    })
  )

  it.live("accepts typed decimals, and never --yes instead", () =>
    Effect.gen(function* () {
      const here = yield* home
      for (const flags of [[], ["--yes"]]) {
        const ended = yield* runJson(here, "token", "add", "base", other, "--symbol", "GEO", ...flags)
        expect(ended).toMatchObject({
          code: 1,
          answer: { error: { message: expect.stringContaining("is unknown. Nothing was pinned.") as unknown } }
        })
      }
      const node = yield* evmNode(8453, { symbol: "GEO", decimals: 9 })
      const disputed = yield* run(here, "token", "add", "base", other, "--decimals", "6", "--rpc", node)
      expect([disputed.code, disputed.stderr]).toEqual([
        1,
        expect.stringContaining("has 9 decimals according to your node, but 6 according to you. Nothing was pinned.")
      ])
      const typed = yield* runJson(here, "token", "add", "base", other, "--decimals", "6", "--symbol", "GEO")
      expect(typed).toMatchObject({ code: 0, answer: { source: "typed", token: { decimals: 6 } } })
      const changed = yield* run(here, "token", "add", "base", other, "--decimals", "18", "--symbol", "GEO")
      expect([changed.code, changed.stderr]).toEqual([
        1,
        expect.stringContaining("is already pinned as GEO with 6 decimals. No changes were made.")
      ])
    })
  )

  it.live("refuses symbols that are in use or look like another one", () =>
    Effect.gen(function* () {
      const here = yield* home
      for (const [symbol, message] of [
        ["USDC", "looks like USDC on Base (8453), which is a different token: 0x8335"],
        ["usdc", "looks like USDC"],
        ["U5DC", "looks like USDC"],
        ["USDC.", "looks like USDC"],
        ["ETH", "looks like ETH"],
        ["USD\u0421", "is not a valid symbol"],
        ["USDC ", "is empty, too long or not printable"],
        ["US DC", "is not a valid symbol"],
        ["USDC\u200B", "is empty, too long or not printable"],
        ["native", "is not a valid symbol"],
        ["\u001B[2J", "is empty, too long or not printable"]
      ] as const) {
        const node = yield* evmNode(8453, { symbol, decimals: 6 })
        const ended = yield* run(here, "token", "add", "base", other, "--rpc", node)
        expect([symbol, ended.code, ended.stderr]).toEqual([symbol, 1, expect.stringContaining(message)])
        expect(ended.stderr).not.toContain("\u001B")
      }
      const node = yield* evmNode(8453, { symbol: "USDC", decimals: 6 })
      expect((yield* run(here, "token", "add", "base", other, "--rpc", node, "--symbol", "myUSD")).code).toBe(0)

      // The file must not contain such a pair either.
      const token = { symbol: "USDC", address: usdc, decimals: 6 }
      for (const [tokens, message] of [
        [[token, { ...token, address: other, symbol: "usdc" }], "symbols that do not look alike"],
        [[token, { ...token, symbol: "GEO", address: usdc.toLowerCase() }], "with distinct addresses"],
        [[{ ...token, symbol: "USD\u0421" }], "chains.8453.tokens.0.symbol is invalid: expected a symbol of 1 to 20"],
        [
          [{ ...token, address: usdc.replace("fCD6", "fcD6") }],
          "chains.8453.tokens.0.address is invalid: expected an address"
        ]
      ] as const) {
        write(here, { chains: { 8453: { family: "evm", tokens } } })
        const ended = yield* run(here, "token", "list")
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)])
      }
    })
  )

  it.live("refuses a mistyped address, an unknown symbol, the native token and a devnet", () =>
    Effect.gen(function* () {
      const here = yield* home
      const cases = [
        [["base", usdc.replace("fCD6", "fcD6")], /invalid EIP-55 checksum[^]*Compare every digit/],
        [["base", "geo"], /There is no bundled token "geo" on Base/],
        [["nowhere", "usdc"], /Unknown chain "nowhere"/],
        [["base", `0x${"0".repeat(40)}`], /The native token is always pinned/],
        [["base", usdc, "--rpc", "node"], /--rpc is not an http\(s\) URL/]
      ] as const
      for (const [args, message] of cases) {
        const ended = yield* run(here, "token", "add", ...args)
        expect([args, ended.code, ended.stderr]).toEqual([args, 64, expect.stringMatching(message)])
      }
      mkdirSync(join(here.folder, ".geoswap"))
      writeFileSync(
        join(here.folder, ".geoswap", "devnet.json"),
        JSON.stringify({
          chains: [{ id: 7, name: "a", family: "evm", rpcUrl: "http://a", tokens: [], contracts: { vault: usdc } }],
          wallets: []
        })
      )
      const devnet = yield* run(here, "token", "add", "base", "usdc", "--devnet")
      expect([devnet.code, devnet.stderr]).toEqual([64, expect.stringContaining("come from the devnet file")])
    })
  )

  it.live("asks for the number of decimals at a terminal", () =>
    Effect.gen(function* () {
      const here = yield* home
      const terminal = yield* openHere(here, "token", "add", "base", other)
      yield* terminal.shows("How many decimals does")
      terminal.type(`y${enter}`)
      yield* terminal.shows("Expected a whole number from 0 to 255.")
      terminal.type(`\u007F9${enter}`)
      yield* terminal.shows("Which symbol do you want")
      terminal.type(`GEO${enter}`)
      expect((yield* terminal.ended).code).toBe(0)
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "GEO", address: other, decimals: 9 }] })
    })
  )
})

describe("the bundled tokens", () => {
  it("have checksummed addresses, unique symbols and addresses per chain, and the right decimals", () => {
    const decimals: Readonly<Record<string, number>> = { USDC: 6, USDT: 6, WETH: 18, DAI: 18 }
    for (const { family, tokens } of bundledChains) {
      for (const token of tokens) {
        const spelled = family === "evm" ? getAddress(token.address.toLowerCase()) : token.address
        expect(token.address).toBe(spelled)
        expect([token.symbol, token.decimals]).toEqual([token.symbol, decimals[token.symbol]])
        const confusable = tokens.filter(({ symbol }) => isConfusable(symbol, token.symbol))
        expect([isSymbol(token.symbol), confusable]).toEqual([true, [token]])
      }
      expect(new Set(tokens.map(({ address }) => address)).size).toBe(tokens.length)
    }
  })
})
