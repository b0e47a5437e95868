/** OP Mainnet and its test network OP Sepolia. Checked on 2026-11-19. */
import type { PublicNetwork } from "./PublicNetwork.js"
import { rollupFinality } from "./rollupFinality.js"

export const optimism: PublicNetwork = {
  name: "optimism",
  title: "OP Mainnet",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/optimism.ts.
  id: 10,
  testnet: false,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x26d9c34b…, which
      // public tests read from the contract. Methods: circlefin/stablecoin-evm, contracts/v2 (FiatTokenV2_2).
      symbol: "USDC",
      address: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, optimism.json, and Tether's WDK documentation. Its symbol is the one
      // of the same contract on Arbitrum; its domain was not found in a source.
      symbol: "USDT0",
      chainSymbol: "USD₮0",
      address: "0x01bFF41798a0BcF287b996046Ca68b395DbC1071",
      decimals: 6,
      asset: "USDT",
      methods: ["permit2"]
    },
    {
      // Source: bgd-labs/aave-address-book f61c9762, AaveV3Optimism.ts. A predeploy of the OP Stack, without signatures.
      symbol: "WETH",
      address: "0x4200000000000000000000000000000000000006",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [
    {
      // Bridged USDC, without signatures. Source: Uniswap/default-token-list 49f39bd7, optimism.json.
      symbol: "USDC.e",
      chainSymbol: "USDC",
      address: "0x7F5c764cBc14f9669B88837ca1490cCa17c31607",
      decimals: 6,
      methods: ["permit2"]
    },
    {
      // Bridged USDT, without signatures. Source: bgd-labs/aave-address-book f61c9762, AaveV3Optimism.ts.
      symbol: "USDT",
      address: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
      decimals: 6,
      methods: ["permit2"]
    }
  ],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "op-stack",
  finality: rollupFinality,
  // Source: docs.chainstack.com, "Flashblocks on Optimism" (2026): blocks every 2 s, with Flashblocks in between.
  blockMillis: 2_000,
  explorer: "https://optimistic.etherscan.io/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/optimism.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x13e3Ee699D1909E989722E753853AE30b17e08c5", decimals: 8 },
    { pair: "USDC/USD", address: "0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3", decimals: 8 },
    { pair: "USDT/USD", address: "0xECef79E109e997bCA29c1c0897ec9d7b03647F5E", decimals: 8 }
  ],
  missing: ["USDT exists as USDT0, which is backed by USDT on Ethereum, and as an older bridged token."]
}

export const optimismSepolia: PublicNetwork = {
  name: "optimism-sepolia",
  title: "OP Sepolia",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/optimismSepolia.ts.
  id: 11_155_420,
  testnet: true,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x09d038a3…, which
      // public tests read from the contract. Its name differs from the one on mainnet.
      symbol: "USDC",
      address: "0x5fd84259d66Cd46123540766Be93DFE6D43130D7",
      decimals: 6,
      domain: { name: "USDC", version: "2", fields: "chainId" },
      methods: ["eip3009", "erc2612"]
    },
    {
      // Source: @uniswap/sdk-core 7.19.4, weth9.js.
      symbol: "WETH",
      address: "0x4200000000000000000000000000000000000006",
      decimals: 18,
      asset: "ETH",
      methods: []
    }
  ],
  otherTokens: [],
  // Uniswap/docs does not list it for this network. The preinstalls of ethereum-optimism/docs are those of newer chains.
  permit2: false,
  feeModel: "op-stack",
  finality: rollupFinality,
  // As on OP Mainnet.
  blockMillis: 2_000,
  explorer: "https://optimism-sepolia.blockscout.com/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/optimism.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x61Ec26aA57019C486B10502285c5A3D4A4750AD7", decimals: 8 },
    { pair: "USDC/USD", address: "0x6e44e50E3cc14DD16e01C590DC1d7020cb36eD4C", decimals: 8 },
    { pair: "USDT/USD", address: "0xF83696ca1b8a266163bE252bE2B94702D4929392", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether.", "No source lists Permit2."]
}
