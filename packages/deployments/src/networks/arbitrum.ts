/** Arbitrum One and its test network Arbitrum Sepolia. Checked on 2026-11-19. */
import type { PublicNetwork } from "./PublicNetwork.js"
import { rollupFinality } from "./rollupFinality.js"

export const arbitrum: PublicNetwork = {
  name: "arbitrum",
  title: "Arbitrum One",
  family: "evm",
  // Source of the id, the native token, the block time and the explorer: viem 2.57.1, chains/definitions/arbitrum.ts.
  id: 42_161,
  testnet: false,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x08d11903…, which
      // public tests read from the contract. Methods: circlefin/stablecoin-evm, contracts/v2 (FiatTokenV2_2).
      symbol: "USDC",
      address: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, arbitrum.json, and Tether's WDK documentation, which lists EIP-3009.
      // The domain gives the separator 0x566af68f…, which public tests read from the contract. ERC-2612 was not found in
      // a source.
      symbol: "USDT0",
      chainSymbol: "USD₮0",
      address: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
      decimals: 6,
      asset: "USDT",
      domain: { name: "USD₮0", version: "1", fields: "chainId" },
      methods: ["eip3009", "permit2"]
    },
    {
      // Source: bgd-labs/aave-address-book f61c9762, AaveV3Arbitrum.ts. It may have ERC-2612; no source was found.
      symbol: "WETH",
      address: "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [
    {
      // Bridged USDC, without EIP-3009. Source: Uniswap/default-token-list 49f39bd7, arbitrum.json.
      symbol: "USDC.e",
      chainSymbol: "USDC",
      address: "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8",
      decimals: 6,
      methods: ["permit2"]
    }
  ],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "arbitrum",
  finality: rollupFinality,
  blockMillis: 250,
  explorer: "https://arbiscan.io/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/arbitrum.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612", decimals: 8 },
    { pair: "USDC/USD", address: "0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3", decimals: 8 },
    { pair: "USDT/USD", address: "0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7", decimals: 8 }
  ],
  missing: ["USDT exists only as USDT0, which is backed by USDT on Ethereum."]
}

export const arbitrumSepolia: PublicNetwork = {
  name: "arbitrum-sepolia",
  title: "Arbitrum Sepolia",
  family: "evm",
  // Source of the id, the native token, the block time and the explorer: viem 2.57.1,
  // chains/definitions/arbitrumSepolia.ts.
  id: 421_614,
  testnet: true,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x85944e12…, which
      // public tests read from the contract. Its name is the one on mainnet, unlike on the other test networks.
      symbol: "USDC",
      address: "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: @uniswap/sdk-core 7.19.4, weth9.js.
      symbol: "WETH",
      address: "0x980B62Da83eFf3D4576C647993b0c1D7faf17c73",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "arbitrum",
  finality: rollupFinality,
  blockMillis: 250,
  explorer: "https://sepolia.arbiscan.io/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/arbitrum.json, which has two ETH/USD feeds.
  // This one is also in bgd-labs/aave-address-book f61c9762, AaveV3ArbitrumSepolia.ts.
  priceFeeds: [
    { pair: "ETH/USD", address: "0xd30e2101a97dcbAeBCBC04F14C3f624E67A35165", decimals: 8 },
    { pair: "USDC/USD", address: "0x0153002d20B96532C639313c2d54c3dA09109309", decimals: 8 },
    { pair: "USDT/USD", address: "0x80EDee6f667eCc9f63a0a6f55578F870651f06A4", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether."]
}
