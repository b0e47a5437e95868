/** The chains, contracts and tokens that the page trusts, and the configuration of wagmi. */
import type { Network } from "@geoswap/core/promise"
import { type Address, createClient, defineChain } from "viem"
import { createConfig, http } from "wagmi"

/** From `vite.config.ts`. */
declare const DEVNET: { readonly network: Network; readonly rpcUrls: Readonly<Record<number, string>> }

/** The chains, with the service's contracts. The client signs for no other contract. */
export const { network } = DEVNET
const { rpcUrls } = DEVNET

/** A token on an EVM chain. */
export interface Token {
  readonly id: string
  readonly symbol: string
  readonly address: Address
  readonly decimals: number
  readonly chainId: number
  /** The chain's name. */
  readonly chain: string
}

const evmChains = network.chains.filter(({ family }) => family === "evm")

export const tokens: ReadonlyArray<Token> = evmChains.flatMap(({ id: chainId, name: chain, tokens: listed = [] }) =>
  listed.map(({ address, decimals, symbol }) => ({
    id: `${symbol}@${chain}`,
    symbol,
    address: address as Address,
    decimals,
    chainId,
    chain
  }))
)

/** Finds a token by its id, such as `USDC@base`. */
export const tokenById = (id: string): Token => {
  const token = tokens.find((one) => one.id === id)
  if (token === undefined) throw new Error(`There is no token ${id}.`)
  return token
}

/** Finds the token of a request. */
export const tokenAt = (chainId: number, address: string): Token | undefined =>
  tokens.find((one) => one.chainId === chainId && one.address.toLowerCase() === address.toLowerCase())

const [first, ...others] = evmChains.map(({ id, name }) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrls[id] ?? ""] } }
  })
)
if (first === undefined) throw new Error("The network has no EVM chains.")

/** wagmi finds the wallets in the browser (EIP-6963). */
export const config = createConfig({
  chains: [first, ...others],
  client: ({ chain }) => createClient({ chain, transport: http() })
})
