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
  { id: 8453, name: "Base", kind: "evm", tokens: [usdc] },
  { id: 42161, name: "Arbitrum One", kind: "evm", tokens: [usdc, other] },
  { id: 792703809, name: "Solana\u001B[31m", kind: "solana", tokens: [onSolana] },
  { id: 99, name: "Wonderland", kind: "evm", tokens: [] }
]

const configure = (chain: Partial<ConfiguredChain> & { readonly id: number }): ConfiguredChain => ({
  name: undefined,
  aliases: [],
  kind: "evm",
  rpcUrl: undefined,
  tokens: [],
  ...chain
})

const within =
  (configured: ReadonlyArray<ConfiguredChain> = []) =>
  <A, E>(effect: Effect.Effect<A, E, Directory.Directory>) =>
    Effect.provideService(effect, Directory.Directory, Directory.make(configured, served))

describe("Directory", () => {
  it.effect("finds a chain by its id, its name in any case, or an alias, and by nothing else", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 42161, aliases: ["arb"] })])
      for (const name of ["42161", "arbitrum one", "Arbitrum-One", "arbitrum", "ARB"]) {
        expect(yield* here(Directory.resolveChain(name))).toMatchObject({ id: 42161, served: true })
      }
      for (const name of ["arbitru", "bas", "8453 ".repeat(2), ""]) {
        expect(yield* here(Effect.flip(Directory.resolveChain(name)))).toMatchObject({
          _tag: "UnknownName",
          exitCode: 64,
          next: "Chains: Base (8453), Arbitrum One (42161), Solana (792703809), chain 99 (99)"
        })
      }
    })
  )

  it.effect("does not choose between two chains of the same name", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 84532, name: "base" })])
      expect(yield* here(Effect.flip(Directory.resolveChain("base")))).toMatchObject({
        message: '"base" means more than one chain.',
        next: "Use the id of one: Base (8453), base (84532)"
      })
    })
  )

  it.effect("refuses a chain's name that only the service uses, and takes its id", () =>
    Effect.gen(function* () {
      const here = within()
      expect(yield* here(Effect.flip(Directory.resolveChain("wonderland")))).toMatchObject({
        message: '"wonderland" is what the service calls chain 99. A name from the service is not used.',
        next: expect.stringContaining("Use the id 99") as unknown
      })
      expect(yield* here(Directory.resolveChain("99"))).toMatchObject({ name: "chain 99", listedName: "Wonderland" })
      // The service may not give one chain the name of another.
      const swapped = Directory.make([], [{ id: 1, name: "Base", kind: "evm", tokens: [] }, ...served.slice(0, 1)])
      const named = Effect.provideService(Directory.resolveChain("base"), Directory.Directory, swapped)
      expect(yield* named).toMatchObject({ id: 8453 })
    })
  )

  it.effect("finds pinned tokens by symbol or address, and the chain's own coin by symbol or as native", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 8453, tokens: [usdc] })])
      const chain = yield* here(Directory.resolveChain("base"))
      for (const name of ["usdc", "USDC", usdc.address, usdc.address.toUpperCase().replace("0X", "0x")]) {
        expect(yield* Directory.resolveToken(name, chain)).toEqual({ ...usdc, native: false, pinned: true })
      }
      for (const name of ["native", "eth", "0x0000000000000000000000000000000000000000"]) {
        expect(yield* Directory.resolveToken(name, chain)).toMatchObject({ symbol: "ETH", decimals: 18, native: true })
      }
      const solana = yield* here(Directory.resolvePair("sol@solana"))
      expect(solana.token).toMatchObject({ decimals: 9, native: true, address: "1".repeat(32) })
      expect(yield* Effect.flip(Directory.resolveToken("usd", chain))).toMatchObject({
        message: 'No pinned token on Base (8453) is called "usd".',
        next: expect.stringContaining("Pinned there: USDC, ETH.") as unknown
      })
    })
  )

  it.effect("knows nothing but the address of a token that is not pinned, whatever the service lists", () =>
    Effect.gen(function* () {
      const here = within()
      const place = yield* here(Directory.resolvePair(`${usdc.address}@8453`))
      expect(place.token).toEqual({ pinned: false, address: usdc.address, native: false })
      expect(Directory.formatAmount(10n, place.token)).toBe(`10 units of ${usdc.address}`)
      expect(yield* Effect.flip(Directory.parseAmount("10", place))).toMatchObject({
        _tag: "UsageError",
        message: `${usdc.address} on Base (8453) is not pinned: its amounts can only be given in smallest units.`,
        next: `Use --amount-raw <units>, or pin the token: geoswap token add 8453 ${usdc.address}`
      })
      expect(yield* Directory.parseRawAmount("10", place)).toBe(10n)
      expect(yield* here(Effect.flip(Directory.resolvePair("usdc@base")))).toMatchObject({
        message: 'No pinned token on Base (8453) is called "usdc". The service lists one, which vouches for nothing.',
        next: "Pinned there: ETH. Pin it: geoswap token add 8453 usdc"
      })
    })
  )

  it.effect("refuses the address of a token whose checksum is wrong, and corrects nothing", () =>
    Effect.gen(function* () {
      const mistyped = usdc.address.replace("fCD6", "fcD6")
      expect(yield* within()(Effect.flip(Directory.resolvePair(`${mistyped}@base`)))).toMatchObject({
        message: expect.stringContaining("wrong EIP-55 checksum") as unknown,
        next: expect.stringMatching(/Copy it again .* check it digit by digit/) as unknown
      })
    })
  )

  it.effect("lists the candidates where a symbol is there twice", () =>
    Effect.gen(function* () {
      const error = yield* within([configure({ id: 42161, tokens: [usdc, other] })])(
        Effect.flip(Directory.resolvePair("usdc@42161"))
      )
      expect(error.message).toBe('"usdc" means more than one token on Arbitrum One (42161).')
      expect(error.next).toBe(`Use the address of one: USDC ${usdc.address}, USDC ${other.address}`)
    })
  )

  it.effect("keeps to the pinned decimals, and notes that the service says others", () =>
    Effect.gen(function* () {
      const pinned = { ...usdc, symbol: "usdc", decimals: 8 }
      const here = within([configure({ id: 8453, name: "Mine", tokens: [pinned], rpcUrl: "http://node" })])
      const { chain, token } = yield* here(Directory.resolvePair("USDC@mine"))
      expect(token).toEqual({ ...pinned, native: false, pinned: true })
      expect(chain).toMatchObject({ id: 8453, rpcUrl: "http://node", served: true, listed: [] })
      expect(chain.disputed).toMatchObject([{ token: { decimals: 8 }, decimals: 6 }])
    })
  )

  it.effect("knows the family of every chain, and strips what a name could do to a terminal", () =>
    Effect.gen(function* () {
      const { chains, familyOf } = Directory.make([configure({ id: 7, kind: "solana" })], served)
      expect([8453, 792703809, 7, 99].map(familyOf)).toEqual(["evm", "solana", "solana", "evm"])
      expect(chains.map(({ name }) => name)).toEqual(["Base", "Arbitrum One", "Solana", "chain 99", "chain 7"])
      expect(chains[2]?.listedName).toBe("Solana")
    })
  )

  it.effect("uses nothing of a service that says another family than the user's side", () =>
    Effect.gen(function* () {
      const { chains } = Directory.make([configure({ id: 8453, kind: "solana" })], served)
      expect(chains.find(({ id }) => id === 8453)).toMatchObject({ kind: "solana", served: false, listed: [] })
      const lied = Directory.make([], [{ id: 8453, name: "Base", kind: "solana", tokens: [] }])
      expect([lied.familyOf(8453), lied.chains[0]?.served]).toEqual(["evm", false])
    })
  )

  it.effect("reads amounts in whole tokens, exactly", () =>
    Effect.gen(function* () {
      const here = within([configure({ id: 8453, tokens: [usdc] })])
      const place = yield* here(Directory.resolvePair("usdc@base"))
      const read = (text: string) => Directory.parseAmount(text, place)
      expect(yield* read("10")).toBe(10_000_000n)
      expect(yield* read("0.5")).toBe(500_000n)
      expect(yield* read("0.000001")).toBe(1n)
      expect((yield* Effect.flip(read("0.0000001"))).message).toBe(
        "0.0000001 is finer than USDC, which has 6 decimals."
      )
      expect((yield* Effect.flip(read("0"))).message).toBe("The amount 0 is nothing.")
      for (const text of ["1,5", "-1", "1e3", "", " 1", "0x10", ".5", "1."]) {
        expect(yield* Effect.flip(read(text))).toMatchObject({
          _tag: "UsageError",
          message: `"${text}" is no amount.`
        })
      }
      expect(yield* Directory.parseRawAmount("15", place)).toBe(15n)
      expect((yield* Effect.flip(Directory.parseRawAmount("1.5", place))).message).toContain("no raw amount")
      expect(Directory.formatAmount(10_500_000n, place.token)).toBe("10.5 USDC")
      expect(Directory.exactAmount(10_500_000n, place.token)).toBe("10.5 USDC (10500000 units)")
    })
  )

  it.effect.each(["usdc", "@base", "usdc@", "@"])("refuses %j as a token on a chain", (text) =>
    Effect.gen(function* () {
      const error = yield* within()(Effect.flip(Directory.resolvePair(text)))
      expect(error.next).toBe("Write it as token@chain, such as usdc@base.")
    })
  )
})
