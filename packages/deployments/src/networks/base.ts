/** Base and its test network Base Sepolia. Checked on 2026-11-19. */
import type { PublicNetwork } from "./PublicNetwork.js"
import { rollupFinality } from "./rollupFinality.js"

export const base: PublicNetwork = {
  name: "base",
  title: "Base",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/base.ts.
  id: 8453,
  testnet: false,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x02fa7265…, which
      // public tests read from the contract. Methods: circlefin/stablecoin-evm, contracts/v2 (FiatTokenV2_2).
      symbol: "USDC",
      address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: Uniswap/default-token-list 49f39bd7, base.json. A predeploy of the OP Stack, without signatures.
      symbol: "WETH",
      address: "0x4200000000000000000000000000000000000006",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [
    {
      // Bridged USDC. Source: Uniswap/default-token-list 49f39bd7, base.json. Its domain was not found in a source.
      symbol: "USDbC",
      address: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA",
      decimals: 6,
      methods: ["permit2"]
    },
    {
      // Bridged USDT. Source: skills.sh/austintgriffith/ethskills/addresses (2026-03-03).
      symbol: "USDT",
      address: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2",
      decimals: 6,
      methods: ["permit2"]
    }
  ],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "op-stack",
  finality: rollupFinality,
  // Since the Denim upgrade on 2026-11-05; before, 2 s. Source: docs.base.org, upgrades/denim, and docs.chainstack.com,
  // "Base Denim: 200 ms blocks". About five blocks share a timestamp.
  blockMillis: 200,
  explorer: "https://basescan.org/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/base.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70", decimals: 8 },
    { pair: "USDC/USD", address: "0x7e860098F58bBFC8648a4311b374B1D669a2bc6B", decimals: 8 },
    { pair: "USDT/USD", address: "0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether, only a bridged one."]
}

export const baseSepolia: PublicNetwork = {
  name: "base-sepolia",
  title: "Base Sepolia",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/baseSepolia.ts.
  id: 84_532,
  testnet: true,
  nativeSymbol: "ETH",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x71f17a3b…, which
      // public tests read from the contract. Its name differs from the one on mainnet.
      symbol: "USDC",
      address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      decimals: 6,
      domain: { name: "USDC", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: @uniswap/sdk-core 7.19.4, weth9.js.
      symbol: "WETH",
      address: "0x4200000000000000000000000000000000000006",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    }
  ],
  otherTokens: [],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "op-stack",
  finality: rollupFinality,
  // Since the Denim upgrade on 2026-10-21. Source: docs.chainstack.com, "Base Denim: 200 ms blocks".
  blockMillis: 200,
  explorer: "https://sepolia.basescan.org/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/base.json.
  priceFeeds: [
    { pair: "ETH/USD", address: "0x4aDC67696bA383F43DD60A9e78F2C97Fbbfc7cb1", decimals: 8 },
    { pair: "USDC/USD", address: "0xd30e2101a97dcbAeBCBC04F14C3f624E67A35165", decimals: 8 },
    { pair: "USDT/USD", address: "0x3ec8593F930EA45ea58c968260e6e9FF53FC934f", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether."]
}
