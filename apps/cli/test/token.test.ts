import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { getAddress } from "viem"
import { bundledChains } from "../src/chains/bundledChains.js"
import { isSymbol, looksLike } from "../src/chains/tokenSymbols.js"
import { mistakesOf } from "./jsonSchema.js"
import { evmNode, solanaNode } from "./scriptedNode.js"
import { home, type Place, run, runJson } from "./runCli.js"
import { enter, hasPty, open } from "./pty.js"

vi.setConfig({ testTimeout: 120_000 })

const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
const other = "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const genesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

const configOf = ({ environment }: Place) => join(environment["HOME"] ?? "", ".config/geoswap/config.json")

/** The pinned tokens by chain id, as the file has them. */
const pinned = (place: Place) => {
  const { chains = {} } = JSON.parse(readFileSync(configOf(place), "utf8")) as {
    readonly chains?: Readonly<Record<string, { readonly tokens?: ReadonlyArray<object> }>>
  }
  return Object.fromEntries(Object.entries(chains).map(([id, { tokens }]) => [id, tokens]))
}

const write = (place: Place, config: object) => {
  mkdirSync(dirname(configOf(place)), { recursive: true, mode: 0o700 })
  writeFileSync(configOf(place), JSON.stringify(config), { mode: 0o600 })
}

describe("geoswap token", () => {
  it.live("pins a token of the bundled list, lists it without a service, and removes it", () =>
    Effect.gen(function* () {
      const here = yield* home
      const added = yield* runJson(here, "token", "add", "base", "usdc")
      expect(added).toMatchObject({ code: 0, answer: { source: "bundled", token: { chainId: 8453, decimals: 6 } } })
      expect(mistakesOf("cli-token-add", added.answer)).toEqual([])
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "USDC", address: usdc, decimals: 6 }] })
      expect(statSync(configOf(here)).mode & 0o777).toBe(0o600)
      // A second time changes nothing.
      expect((yield* run(here, "token", "add", "8453", usdc.toLowerCase())).code).toBe(0)
      expect(pinned(here)[8453]).toHaveLength(1)

      const listed = yield* runJson(here, "token", "list")
      expect(mistakesOf("cli-tokens", listed.answer)).toEqual([])
      expect(listed.answer).toMatchObject({ tokens: [{ chain: "Base", symbol: "USDC", pinned: true }] })
      const words = yield* run(here, "token", "list", "base")
      expect(words.stdout).toMatch(/Base +USDC +6 +0x8335/)

      const removed = yield* runJson(here, "token", "remove", "base", "usdc")
      expect(mistakesOf("cli-token-remove", removed.answer)).toEqual([])
      expect([removed.code, pinned(here)]).toEqual([0, { 8453: [] }])
      const again = yield* run(here, "token", "remove", "base", usdc)
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is not pinned on Base (8453).")])
    })
  )

  it.live("reads decimals and symbol through the user's own node, of the right chain, and shows no URL", () =>
    Effect.gen(function* () {
      const here = yield* home
      const node = yield* evmNode(8453, { symbol: "GEO", decimals: 9 })
      const added = yield* run(here, "token", "add", "base", other, "--rpc", node)
      expect([added.code, added.stderr]).toEqual([0, ""])
      expect(added.stdout).toContain("9 decimals (your node says so).\n1 GEO is 1000000000 units.")
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "GEO", address: other, decimals: 9 }] })

      // The configured node serves as well, also for a chain that this program does not know.
      write(here, { chains: { 99: { kind: "evm", rpcUrl: yield* evmNode(99, { symbol: "X", decimals: 2 }) } } })
      expect((yield* run(here, "token", "add", "99", other)).code).toBe(0)
      expect(pinned(here)).toEqual({ 99: [{ symbol: "X", address: other, decimals: 2 }] })

      const cases = [
        [yield* evmNode(1, { symbol: "GEO", decimals: 9 }), "Your node serves chain 1, and not chain 8453."],
        [yield* evmNode(8453, undefined), `There is no contract at ${other} on chain 8453.`],
        [yield* evmNode(8453, { symbol: "GEO" }), "reports no decimals."],
        ["http://127.0.0.1:9/secret-of-the-node", "Your node of chain 8453 does not answer as expected."]
      ] as const
      for (const [url, message] of cases) {
        const ended = yield* run(here, "token", "add", "base", other, "--rpc", url)
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)])
        expect(ended.stdout + ended.stderr).not.toContain("secret-of-the-node")
      }
      expect(pinned(here)).toEqual({ 99: [{ symbol: "X", address: other, decimals: 2 }] })
    })
  )

  it.live("reads a mint of Solana, of the main network only if that is the one", () =>
    Effect.gen(function* () {
      const here = yield* home
      const elsewhere = yield* run(here, "token", "add", "solana", mint, "--rpc", yield* solanaNode("GH7", 6))
      expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("another Solana network")])
      const added = yield* runJson(here, "token", "add", "solana", mint, "--rpc", yield* solanaNode(genesis, 6))
      expect(added).toMatchObject({ code: 0, answer: { source: "node", token: { symbol: "USDC", decimals: 6 } } })
      const lying = yield* run(here, "token", "add", "solana", mint, "--rpc", yield* solanaNode(genesis, 9))
      expect([lying.code, lying.stderr]).toEqual([
        1,
        expect.stringContaining("are 9 according to your node, and 6 according to the list that comes with")
      ])
    })
  )

  it.live("takes typed decimals, and never a yes for them", () =>
    Effect.gen(function* () {
      const here = yield* home
      for (const flags of [[], ["--yes"]]) {
        const ended = yield* runJson(here, "token", "add", "base", other, "--symbol", "GEO", ...flags)
        expect(ended).toMatchObject({
          code: 1,
          answer: { error: { message: expect.stringContaining("are not known here. Nothing was pinned.") as unknown } }
        })
      }
      const node = yield* evmNode(8453, { symbol: "GEO", decimals: 9 })
      const disputed = yield* run(here, "token", "add", "base", other, "--decimals", "6", "--rpc", node)
      expect([disputed.code, disputed.stderr]).toEqual([
        1,
        expect.stringContaining("are 9 according to your node, and 6 according to you. Nothing was pinned.")
      ])
      const typed = yield* runJson(here, "token", "add", "base", other, "--decimals", "6", "--symbol", "GEO")
      expect(typed).toMatchObject({ code: 0, answer: { source: "typed", token: { decimals: 6 } } })
      const changed = yield* run(here, "token", "add", "base", other, "--decimals", "18", "--symbol", "GEO")
      expect([changed.code, changed.stderr]).toEqual([
        1,
        expect.stringContaining("is pinned as GEO with 6 decimals. Nothing was changed.")
      ])
    })
  )

  it.live("refuses symbols that are taken or that look like another one", () =>
    Effect.gen(function* () {
      const here = yield* home
      for (const [symbol, message] of [
        ["USDC", "looks like USDC on Base (8453), which is 0x8335"],
        ["usdc", "looks like USDC"],
        ["U5DC", "looks like USDC"],
        ["USDC.", "looks like USDC"],
        ["ETH", "looks like ETH"],
        ["USD\u0421", "could be read as another one"],
        ["USDC ", "could be read as another one"],
        ["US DC", "could be read as another one"],
        ["USDC\u200B", "could be read as another one"],
        ["native", "could be read as another one"],
        ["\u001B[2J", "could be read as another one"]
      ] as const) {
        const node = yield* evmNode(8453, { symbol, decimals: 6 })
        const ended = yield* run(here, "token", "add", "base", other, "--rpc", node)
        expect([symbol, ended.code, ended.stderr]).toEqual([symbol, 1, expect.stringContaining(message)])
        expect(ended.stderr).not.toContain("\u001B")
      }
      const node = yield* evmNode(8453, { symbol: "USDC", decimals: 6 })
      expect((yield* run(here, "token", "add", "base", other, "--rpc", node, "--symbol", "myUSD")).code).toBe(0)

      // Neither does the file itself may hold such a pair.
      const token = { symbol: "USDC", address: usdc, decimals: 6 }
      for (const [tokens, message] of [
        [[token, { ...token, address: other, symbol: "usdc" }], "with symbols that do not look alike"],
        [[token, { ...token, symbol: "GEO", address: usdc.toLowerCase() }], "with different addresses"],
        [[{ ...token, symbol: "USD\u0421" }], "chains.8453.tokens.0.symbol should be a symbol of 1 to 20 ASCII"],
        [[{ ...token, address: usdc.replace("fCD6", "fcD6") }], "chains.8453.tokens.0.address should be an address"]
      ] as const) {
        write(here, { chains: { 8453: { kind: "evm", tokens } } })
        const ended = yield* run(here, "token", "list")
        expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)])
      }
    })
  )

  it.live("refuses a mistyped address, an unknown symbol, the chain's own coin and a devnet", () =>
    Effect.gen(function* () {
      const here = yield* home
      const cases = [
        [["base", usdc.replace("fCD6", "fcD6")], /wrong EIP-55 checksum[^]*check it digit by digit/],
        [["base", "geo"], /comes with this program is called "geo"/],
        [["nowhere", "usdc"], /No chain is called "nowhere"/],
        [["base", `0x${"0".repeat(40)}`], /own coin need not be pinned/],
        [["base", usdc, "--rpc", "node"], /--rpc is no http\(s\) URL/]
      ] as const
      for (const [args, message] of cases) {
        const ended = yield* run(here, "token", "add", ...args)
        expect([args, ended.code, ended.stderr]).toEqual([args, 64, expect.stringMatching(message)])
      }
      mkdirSync(join(here.folder, ".geoswap"))
      writeFileSync(
        join(here.folder, ".geoswap", "devnet.json"),
        JSON.stringify({
          chains: [{ id: 7, name: "a", kind: "evm", rpcUrl: "http://a", tokens: [], contracts: { vault: usdc } }],
          wallets: []
        })
      )
      const devnet = yield* run(here, "token", "add", "base", "usdc", "--devnet")
      expect([devnet.code, devnet.stderr]).toEqual([64, expect.stringContaining("come from its file")])
    })
  )

  it.live.skipIf(!hasPty)("asks at a terminal for the decimals themselves", () =>
    Effect.gen(function* () {
      const here = yield* home
      const terminal = yield* open(here, "token", "add", "base", other)
      yield* terminal.shows("How many decimals has")
      terminal.type(`y${enter}`)
      yield* terminal.shows("Expected a whole number from 0 to 255.")
      terminal.type(`\u007F9${enter}`)
      yield* terminal.shows("What do you call")
      terminal.type(`GEO${enter}`)
      expect((yield* terminal.ended).code).toBe(0)
      expect(pinned(here)).toEqual({ 8453: [{ symbol: "GEO", address: other, decimals: 9 }] })
    })
  )
})

describe("the bundled tokens", () => {
  it("have checksummed addresses, one symbol and one address each per chain, and decimals of their kind", () => {
    const decimals: Readonly<Record<string, number>> = { USDC: 6, USDT: 6, WETH: 18, DAI: 18 }
    for (const { kind, tokens } of bundledChains) {
      for (const token of tokens) {
        const spelled = kind === "evm" ? getAddress(token.address.toLowerCase()) : token.address
        expect(token.address).toBe(spelled)
        expect([token.symbol, token.decimals]).toEqual([token.symbol, decimals[token.symbol]])
        const alike = tokens.filter(({ symbol }) => looksLike(symbol, token.symbol))
        expect([isSymbol(token.symbol), alike]).toEqual([true, [token]])
      }
      expect(new Set(tokens.map(({ address }) => address)).size).toBe(tokens.length)
    }
  })
})
