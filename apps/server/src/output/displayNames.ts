/** What the configuration calls chains and tokens: amounts in whole tokens, as people say them. */
import { Amount, Chain } from "@geoswap/core"
import type { Config } from "@geoswap/service"

interface Token {
  readonly symbol: string
  readonly decimals: number
}

export interface Names {
  /** A chain's name; its number where the configuration does not know it any more. */
  readonly chain: (id: number) => string
  readonly token: (chainId: number, address: string) => Token | undefined
  /** `10 USDC`; of a token that is not known any more `10000000 of 0x1234…cdef`. */
  readonly amount: (chainId: number, address: string, amount: bigint) => string
}

/** The one form in which an address is compared: EVM addresses are the same in any case, Solana's are not. */
export const keyOf = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)

/** The two ends of an address. */
export const short = (address: string): string =>
  address.length <= 13 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`

/** The amount in whole tokens, which may be less than nothing. */
export const wholeOf = (amount: bigint, decimals: number): string =>
  amount < 0n ? `-${Amount.format(-amount, decimals)}` : Amount.format(amount, decimals)

/** The tokens of a chain and what pays for gas there. */
export const tokensOf = ({ kind, native, tokens }: Config.Config["chains"][number]): ReadonlyArray<Config.Token> => [
  ...tokens,
  { symbol: native.symbol, decimals: Chain.nativeDecimals[kind], address: Chain.nativeToken[kind] }
]

/** The names in a configuration. */
export const make = ({ chains }: Pick<Config.Config, "chains">): Names => {
  const names = new Map(chains.map(({ id, name }) => [id, name]))
  const place = (chainId: number, address: string) => `${chainId} ${keyOf(address)}`
  const tokens = new Map(
    chains.flatMap((chain) => tokensOf(chain).map((token) => [place(chain.id, token.address), token] as const))
  )
  const token = (chainId: number, address: string) => tokens.get(place(chainId, address))
  return {
    chain: (id) => names.get(id) ?? `chain ${id}`,
    token,
    amount: (chainId, address, amount) => {
      const known = token(chainId, address)
      return known === undefined
        ? `${amount} of ${short(address)}`
        : `${wholeOf(amount, known.decimals)} ${known.symbol}`
    }
  }
}
