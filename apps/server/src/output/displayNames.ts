/** Chain names, token symbols and amounts in tokens, from the configuration. */
import { Amount, Chain } from "@geoswap/core"
import type { Config } from "@geoswap/service"
import { formatDecimal } from "./numbers.js"

/** The form in which addresses are compared. EVM addresses are case-insensitive; Solana addresses are not. */
export const addressKey = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address)

/** Shortens an address to its first and last characters. */
export const shortenAddress = (address: string) =>
  address.length <= 13 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`

/** An amount, which may be negative, in tokens, as a decimal number for programs. */
export const decimalOf = (amount: bigint, decimals: number) =>
  amount < 0n ? `-${Amount.format(-amount, decimals)}` : Amount.format(amount, decimals)

/** Formats an amount, which may be negative, in tokens, exactly and in the reader's locale. */
export const formatWhole = (amount: bigint, decimals: number) => formatDecimal(decimalOf(amount, decimals))

/** The tokens configured for a chain, and its native token. */
export const tokensOf = ({ kind, native, tokens }: Config.Config["chains"][number]): ReadonlyArray<Config.Token> => [
  ...tokens,
  { symbol: native.symbol, decimals: Chain.nativeDecimals[kind], address: Chain.nativeToken[kind] }
]

/** Reads the names from a configuration. */
export const make = ({ chains }: Pick<Config.Config, "chains">) => {
  const names = new Map(chains.map(({ id, name }) => [id, name]))
  const tokenKey = (chainId: number, address: string) => `${chainId} ${addressKey(address)}`
  const tokens = new Map(
    chains.flatMap((chain) => tokensOf(chain).map((token) => [tokenKey(chain.id, token.address), token] as const))
  )
  const token = (chainId: number, address: string) => tokens.get(tokenKey(chainId, address))
  return {
    token,
    /** The name of a chain, or its id if the chain is no longer configured. */
    chain: (id: number) => names.get(id) ?? `chain ${id}`,
    /** An amount such as `10 USDC`, or `10,000,000 of 0x1234…cdef` if the token is no longer configured. */
    amount: (chainId: number, address: string, amount: bigint) => {
      const known = token(chainId, address)
      return known === undefined
        ? `${formatDecimal(`${amount}`)} of ${shortenAddress(address)}`
        : `${formatWhole(amount, known.decimals)} ${known.symbol}`
    }
  }
}

export type Names = ReturnType<typeof make>
