/** Ethereum and its test network Sepolia. Checked on 2026-11-19. */
import type { FinalityTier, PublicNetwork } from "./PublicNetwork.js"

/**
 * Source of the times: docs.chainstack.com, "Ethereum: fast confirmation and the safe block tag" (2026): `safe` is the
 * latest justified block, and `finalized` trails by two to three epochs of 6.4 minutes.
 */
const finality: readonly [FinalityTier, ...ReadonlyArray<FinalityTier>] = [
  // 12 blocks. Reorgs replace the latest block, and rarely a second one.
  { upToUsd: 1_000, after: { seconds: 144 } },
  // Two thirds of the validators have voted for the block once. A reversal needs a fault of a third of them.
  { upToUsd: 100_000, after: "safe" },
  // A reversal costs a third of all stake. Takes 13 to 20 minutes.
  { after: "finalized" }
]

export const ethereum: PublicNetwork = {
  name: "ethereum",
  title: "Ethereum",
  family: "evm",
  // Source of the id, the native token, the block time and the explorer: viem 2.57.1, chains/definitions/mainnet.ts.
  id: 1,
  testnet: false,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x06c37168…, which
      // public tests read from the contract. Methods: circlefin/stablecoin-evm, contracts/v2 (FiatTokenV2_2).
      symbol: "USDC",
      address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, mainnet.json. The contract of 2017 has no signatures, and an
      // approval must be reset to 0 before it is changed.
      symbol: "USDT",
      address: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
      decimals: 6,
      methods: ["permit2"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, mainnet.json. WETH9 has no signatures.
      symbol: "WETH",
      address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "l1",
  finality,
  blockMillis: 12_000,
  explorer: "https://etherscan.io/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/ethereum.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419", decimals: 8 },
    { pair: "USDC/USD", address: "0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6", decimals: 8 },
    { pair: "USDT/USD", address: "0x3E7d1eAB13ad0104d2750B8863b489D65364e32D", decimals: 8 }
  ],
  missing: ["USDT supports neither EIP-3009 nor ERC-2612."]
}

export const sepolia: PublicNetwork = {
  name: "sepolia",
  title: "Sepolia",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/sepolia.ts.
  id: 11_155_111,
  testnet: true,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0xb90e5057…, which
      // public tests read from the contract. Its name differs from the one on mainnet.
      symbol: "USDC",
      address: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
      decimals: 6,
      domain: { name: "USDC", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, sepolia.json.
      symbol: "WETH",
      address: "0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "l1",
  // As on mainnet, so that a rehearsal takes as long.
  finality,
  blockMillis: 12_000,
  explorer: "https://sepolia.etherscan.io/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/ethereum.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x694AA1769357215DE4FAC081bf1f309aDC325306", decimals: 8 },
    { pair: "USDC/USD", address: "0xA2F78ab2355fe2f984D808B5CeE7FD0A93D5270E", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether."]
}
