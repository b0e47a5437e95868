import type { Chain } from "@geoswap/core"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Directory from "../src/chains/Directory.js"
import type { ConfiguredChain } from "../src/config/Settings.js"

const usdc = { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", decimals: 6 }
const other = { symbol: "USDC", address: "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", decimals: 6 }
const onSolana = { symbol: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }

const served: ReadonlyArray<Chain.Chain> = [
  { id: 8453, name: "Base", family: "evm", tokens: [usdc] },
  { id: 42161, name: "Arbitrum One", family: "evm", tokens: [usdc, other] },
  { id: 792703809, name: "Solana\u001B[31m", family: "solana", tokens: [onSolana] },
  { id: 99, name: "Wonderland", family: "evm", tokens: [] }
]

const configure = (chain: Partial<ConfiguredChain> & { readonly id: number }): ConfiguredChain => ({
  aliases: [],
  family: "evm",
  tokens: [],
  ...chain
})

const within =
  (configured: ReadonlyArray<ConfiguredChain> = []) =>
  <A, E>(effect: Effect.Effect<A, E, Directory.Directory>) =>
    Effect.provideService(effect, Directory.Directory, Directory.make(configured, served))

describe("Directory", () => {
  it.effect("resolves a chain only by id, name in any case, or alias", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 42161, aliases: ["arb"] })])
      for (const name of ["42161", "arbitrum one", "Arbitrum-One", "arbitrum", "ARB"]) {
        expect(yield* here(Directory.resolveChain(name))).toMatchObject({ id: 42161, served: true })
      }
      for (const name of ["arbitru", "bas", "8453 ".repeat(2), ""]) {
        expect(yield* here(Effect.flip(Directory.resolveChain(name)))).toMatchObject({
          _tag: "UnknownName",
          exitCode: 64,
          next: "Known chains: Base (8453), Arbitrum One (42161), Solana (792703809), chain 99"
        })
      }
    })
  )

  it.effect("refuses a name that matches two chains", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 84532, name: "base" })])
      expect(yield* here(Effect.flip(Directory.resolveChain("base")))).toMatchObject({
        message: '"base" matches more than one chain.',
        next: "Use one of these ids: Base (8453), base (84532)"
      })
    })
  )

  it.effect("refuses a chain name that only the service uses, and accepts the id", () =>
    Effect.gen(function* () {
      const here = within()
      expect(yield* here(Effect.flip(Directory.resolveChain("wonderland")))).toMatchObject({
        message: `"wonderland" is the service's name for chain 99. Names from the service are not accepted.`,
        next: expect.stringContaining("Use the id 99") as unknown
      })
      expect(yield* here(Directory.resolveChain("99"))).toMatchObject({ name: "chain 99", listedName: "Wonderland" })
      // The service cannot rename a chain to another one.
      const swapped = Directory.make([], [{ id: 1, name: "Base", family: "evm", tokens: [] }, ...served.slice(0, 1)])
      const named = Effect.provideService(Directory.resolveChain("base"), Directory.Directory, swapped)
      expect(yield* named).toMatchObject({ id: 8453 })
    })
  )

  it.effect("resolves pinned tokens by symbol or address, and the native token by symbol or as native", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 8453, tokens: [usdc] })])
      const chain = yield* here(Directory.resolveChain("base"))
      for (const name of ["usdc", "USDC", usdc.address, usdc.address.toUpperCase().replace("0X", "0x")]) {
        expect(yield* Directory.resolveToken(name, chain)).toEqual({ ...usdc, native: false, pinned: true })
      }
      for (const name of ["native", "eth", "0x0000000000000000000000000000000000000000"]) {
        expect(yield* Directory.resolveToken(name, chain)).toMatchObject({ symbol: "ETH", decimals: 18, native: true })
      }
      const solana = yield* here(Directory.resolveChainToken("sol@solana"))
      expect(solana.token).toMatchObject({ decimals: 9, native: true, address: "1".repeat(32) })
      expect(yield* Effect.flip(Directory.resolveToken("usd", chain))).toMatchObject({
        message: 'You have not pinned a token "usd" on Base (8453).',
        next: expect.stringContaining("Pinned tokens, whose address and decimals you trust: USDC, ETH.") as unknown
      })
    })
  )

  it.effect("uses only the address of a token that is not pinned, whatever the service lists", () =>
    Effect.gen(function* () {
      const here = within()
      const chainToken = yield* here(Directory.resolveChainToken(`${usdc.address}@8453`))
      expect(chainToken.token).toEqual({ pinned: false, address: usdc.address, native: false })
      expect(Directory.formatAmount(10n, chainToken.token)).toBe(`10 units of ${usdc.address}`)
      expect(yield* Effect.flip(Directory.parseAmount("10", chainToken))).toMatchObject({
        _tag: "UsageError",
        message: `${usdc.address} on Base (8453) is not pinned, so amounts must be in its smallest unit.`,
        next: `Use --amount-raw <units>, or pin the token: geoswap token add 8453 ${usdc.address}`
      })
      expect(yield* Directory.parseRawAmount("10", chainToken)).toBe(10n)
      expect(yield* here(Effect.flip(Directory.resolveChainToken("usdc@base")))).toMatchObject({
        message:
          'You have not pinned a token "usdc" on Base (8453). The service lists a token with this symbol, but its list is not trusted.',
        next: "Pinned tokens, whose address and decimals you trust: ETH. Pin it: geoswap token add 8453 usdc"
      })
    })
  )

  it.effect("refuses a token address with a wrong checksum, and does not correct it", () =>
    Effect.gen(function* () {
      const mistyped = usdc.address.replace("fCD6", "fcD6")
      expect(yield* within()(Effect.flip(Directory.resolveChainToken(`${mistyped}@base`)))).toMatchObject({
        message: expect.stringContaining("invalid EIP-55 checksum") as unknown,
        next: expect.stringMatching(/Copy it again .* Compare every digit/) as unknown
      })
    })
  )

  it.effect("lists the candidates if two tokens have the same symbol", () =>
    Effect.gen(function* () {
      const error = yield* within([configure({ id: 42161, tokens: [usdc, other] })])(
        Effect.flip(Directory.resolveChainToken("usdc@42161"))
      )
      expect(error.message).toBe('"usdc" matches more than one token on Arbitrum One (42161).')
      expect(error.next).toBe(`Use one of these addresses: USDC ${usdc.address}, USDC ${other.address}`)
    })
  )

  it.effect("uses the pinned decimals, and records that the service claims others", () =>
    Effect.gen(function* () {
      const pinned = { ...usdc, symbol: "usdc", decimals: 8 }
      const here = within([configure({ id: 8453, name: "Mine", tokens: [pinned], rpcUrl: "http://node" })])
      const { chain, token } = yield* here(Directory.resolveChainToken("USDC@mine"))
      expect(token).toEqual({ ...pinned, native: false, pinned: true })
      expect(chain).toMatchObject({ id: 8453, rpcUrl: "http://node", served: true, listed: [] })
      expect(chain.disputed).toMatchObject([{ token: { decimals: 8 }, decimals: 6 }])
    })
  )

  it.effect("knows the family of every chain, and strips control characters from names", () =>
    Effect.gen(function* () {
      const { chains, familyOf } = Directory.make([configure({ id: 7, family: "solana" })], served)
      expect([8453, 792703809, 7, 99].map(familyOf)).toEqual(["evm", "solana", "solana", "evm"])
      expect(chains.map(({ name }) => name)).toEqual(["Base", "Arbitrum One", "Solana", "chain 99", "chain 7"])
      expect(chains[2]?.listedName).toBe("Solana")
    })
  )

  it.effect("ignores a chain of the service if its family differs from the known one", () =>
    Effect.gen(function* () {
      const { chains } = Directory.make([configure({ id: 8453, family: "solana" })], served)
      expect(chains.find(({ id }) => id === 8453)).toMatchObject({ family: "solana", served: false, listed: [] })
      const lied = Directory.make([], [{ id: 8453, name: "Base", family: "solana", tokens: [] }])
      expect([lied.familyOf(8453), lied.chains[0]?.served]).toEqual(["evm", false])
    })
  )

  it.effect("parses amounts in tokens exactly", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 8453, tokens: [usdc] })])
      const chainToken = yield* here(Directory.resolveChainToken("usdc@base"))
      const read = (text: string) => Directory.parseAmount(text, chainToken)
      expect(yield* read("10")).toBe(10_000_000n)
      expect(yield* read("0.5")).toBe(500_000n)
      expect(yield* read("0.000001")).toBe(1n)
      expect((yield* Effect.flip(read("0.0000001"))).message).toBe(
        "0.0000001 has too many decimal places: USDC has 6 decimals."
      )
      expect((yield* Effect.flip(read("0"))).message).toBe("The amount must be greater than zero.")
      for (const text of ["1,5", "-1", "1e3", "", " 1", "0x10", ".5", "1."]) {
        expect(yield* Effect.flip(read(text))).toMatchObject({
          _tag: "UsageError",
          message: `"${text}" is not an amount.`
        })
      }
      expect(yield* Directory.parseRawAmount("15", chainToken)).toBe(15n)
      expect((yield* Effect.flip(Directory.parseRawAmount("1.5", chainToken))).message).toContain("not a raw amount")
      expect(Directory.formatAmount(10_500_000n, chainToken.token)).toBe("10.5 USDC")
      expect(Directory.formatExactAmount(10_500_000n, chainToken.token)).toBe("10.5 USDC (10500000 units)")
    })
  )

  it.effect.each(["usdc", "@base", "usdc@", "@"])("refuses %j as a token on a chain", (text) =>
    Effect.gen(function* () {
      const { message } = yield* within()(Effect.flip(Directory.resolveChainToken(text)))
      expect(message).toBe(`"${text}" does not name a token and a chain.`)
    })
  )
})
