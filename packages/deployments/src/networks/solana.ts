/** Solana and its devnet. Checked on 2026-11-19. */
import type { FinalityTier, PublicNetwork } from "./PublicNetwork.js"

/**
 * Source: docs.anza.xyz, "Solana Commitment Status": a finalized block cannot be rolled back. It takes about 13 s with
 * Tower BFT. With Alpenglow, which runs on the devnet, it takes less than a second.
 */
const finality: readonly [FinalityTier] = [{ after: "finalized" }]

export const solana: PublicNetwork = {
  name: "solana",
  title: "Solana",
  family: "solana",
  // The protocol's id. Relay's clients use the same.
  id: 792_703_809,
  testnet: false,
  // Source: anza-xyz/agave, docs/src/clusters/available.md.
  genesisHash: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  nativeSymbol: "SOL",
  nativeDecimals: 9,
  tokens: [
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/mainnet/tokens.json.
      symbol: "USDC",
      address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      decimals: 6,
      methods: []
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, solana.json, and Tether's WDK documentation.
      symbol: "USDT",
      address: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
      decimals: 6,
      methods: []
    }
  ],
  otherTokens: [
    {
      // Bridged through Wormhole. Source: Uniswap/default-token-list 49f39bd7, solana.json.
      symbol: "WETH",
      address: "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
      decimals: 8,
      asset: "ETH",
      methods: []
    },
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/mainnet/tokens.json.
      symbol: "WSOL",
      address: "So11111111111111111111111111111111111111112",
      decimals: 9,
      asset: "SOL",
      methods: []
    }
  ],
  permit2: false,
  feeModel: "solana",
  finality,
  // Source: docs.quicknode.com, "Solana" (2025-12).
  blockMillis: 400,
  // Source: anza-xyz/agave, docs/src/clusters/available.md.
  explorer: "https://explorer.solana.com/tx/{hash}",
  priceFeeds: [],
  missing: [
    "There is no EIP-3009, Permit2 or ERC-2612: wallets sign transactions.",
    "WETH is bridged and has 8 decimals.",
    "@chainlink/mcp-server lists no price feeds."
  ]
}

export const solanaDevnet: PublicNetwork = {
  name: "solana-devnet",
  title: "Solana devnet",
  family: "solana",
  // The id in Relay's clients, whose ids the protocol uses for mainnet: api.testnets.relay.link/chains, in public copies.
  id: 1_936_682_084,
  testnet: true,
  // Source: anza-xyz/agave, docs/src/clusters/available.md.
  genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  nativeSymbol: "SOL",
  nativeDecimals: 9,
  tokens: [
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/testnet/tokens.json.
      symbol: "USDC",
      address: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
      decimals: 6,
      methods: []
    }
  ],
  otherTokens: [
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/testnet/tokens.json.
      symbol: "WSOL",
      address: "So11111111111111111111111111111111111111112",
      decimals: 9,
      asset: "SOL",
      methods: []
    }
  ],
  permit2: false,
  feeModel: "solana",
  finality,
  blockMillis: 400,
  explorer: "https://explorer.solana.com/tx/{hash}?cluster=devnet",
  priceFeeds: [],
  missing: [
    "There is no EIP-3009, Permit2 or ERC-2612: wallets sign transactions.",
    "There is no USDT from Tether and no WETH.",
    "@chainlink/mcp-server lists no price feeds.",
    "The ledger may be reset."
  ]
}
