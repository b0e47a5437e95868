/**
 * The bundled chains and tokens: the names of the main networks, and the addresses of their best-known tokens. The list
 * is deliberately short. Each address must be published by the issuer or the bridge, and each symbol must be unique on
 * its chain.
 */
import { Chain } from "@geoswap/core"
import { nativeSymbolOf } from "./nativeSymbols.js"

/** A bundled token. */
export interface BundledToken {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

/** A bundled chain. */
export interface BundledChain {
  readonly id: number
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly family: Chain.Family
  readonly tokens: ReadonlyArray<BundledToken>
}

const usdc = (address: string) => ({ symbol: "USDC", address, decimals: 6 })
const usdt = (address: string) => ({ symbol: "USDT", address, decimals: 6 })
const weth = (address: string) => ({ symbol: "WETH", address, decimals: 18 })
const dai = (address: string) => ({ symbol: "DAI", address, decimals: 18 })

/** The address of WETH on every OP Stack chain. */
const opStackWeth = "0x4200000000000000000000000000000000000006"

/** DAI has the same address on Arbitrum One and OP Mainnet. */
const bridgedDai = "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"

/** The bundled chains. USDC is the token that Circle issues on each chain, never a bridged version. */
export const bundledChains: ReadonlyArray<BundledChain> = [
  {
    id: 1,
    name: "Ethereum",
    aliases: [],
    family: "evm",
    tokens: [
      usdc("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
      usdt("0xdAC17F958D2ee523a2206206994597C13D831ec7"),
      weth("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
      dai("0x6B175474E89094C44Da98b954EedeAC495271d0F")
    ]
  },
  {
    id: 10,
    name: "OP Mainnet",
    aliases: ["optimism"],
    family: "evm",
    tokens: [usdc("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"), weth(opStackWeth), dai(bridgedDai)]
  },
  {
    id: 137,
    name: "Polygon",
    aliases: [],
    family: "evm",
    tokens: [
      usdc("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
      weth("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"),
      dai("0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063")
    ]
  },
  {
    id: 8453,
    name: "Base",
    aliases: [],
    family: "evm",
    tokens: [
      usdc("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
      weth(opStackWeth),
      dai("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb")
    ]
  },
  {
    id: 42161,
    name: "Arbitrum One",
    aliases: ["arbitrum"],
    family: "evm",
    tokens: [
      usdc("0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
      weth("0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
      dai(bridgedDai)
    ]
  },
  {
    id: 43114,
    name: "Avalanche",
    aliases: [],
    family: "evm",
    tokens: [usdc("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"), usdt("0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7")]
  },
  {
    id: Chain.solanaMainnet,
    name: "Solana",
    aliases: [],
    family: "solana",
    tokens: [usdc("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), usdt("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")]
  }
]

/** Finds a bundled chain by id. */
export const bundledChain = (id: number): BundledChain | undefined => bundledChains.find((chain) => chain.id === id)

/** Finds a bundled token by address. */
export const bundledTokenAt = (id: number, address: string): BundledToken | undefined => {
  const chain = bundledChain(id)
  return chain?.tokens.find((token) => Chain.sameAddress(chain.family, token.address, address))
}

/** A chain's native token. Its decimals are fixed by the chain family's protocol. */
export const nativeTokenOf = (id: number, family: Chain.Family) => ({
  symbol: nativeSymbolOf(id, family),
  address: Chain.nativeToken[family],
  decimals: Chain.nativeDecimals[family]
})
