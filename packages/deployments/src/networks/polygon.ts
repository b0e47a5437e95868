/** Polygon PoS and its test network Amoy. Checked on 2026-11-19. */
import type { FinalityTier, PublicNetwork } from "./PublicNetwork.js"

/**
 * Source: maticnetwork/Polygon-Improvement-Proposals, PIP-11: the `finalized` block is the latest milestone, for which
 * two thirds of the validators have voted. Milestones usually follow within seconds. If they stop, transactions wait,
 * which is the reason for not using a time. A milestone is not yet a checkpoint on Ethereum.
 */
const finality: readonly [FinalityTier] = [{ after: "finalized" }]

export const polygon: PublicNetwork = {
  name: "polygon",
  title: "Polygon PoS",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/polygon.ts.
  id: 137,
  testnet: false,
  nativeSymbol: "POL",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0xcaa2ce1a…, which
      // public tests read from the contract. Methods: circlefin/stablecoin-evm, contracts/v2 (FiatTokenV2_2).
      symbol: "USDC",
      address: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
      decimals: 6,
      domain: { name: "USD Coin", version: "2", fields: "chainId" },
      methods: ["eip3009", "permit2", "erc2612"]
    },
    {
      // Source: bgd-labs/aave-address-book f61c9762, AaveV3Polygon.ts, and Tether's WDK documentation. An upgrade turned
      // the bridged USDT into USDT0. Its new domain was not found in a source, and other lists still call it USDT.
      symbol: "USDT0",
      address: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
      decimals: 6,
      asset: "USDT",
      methods: ["permit2"]
    },
    {
      // Bridged. Source: Uniswap/default-token-list 49f39bd7, polygon.json.
      symbol: "WETH",
      address: "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619",
      decimals: 18,
      asset: "ETH",
      methods: ["permit2"]
    },
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/mainnet/tokens.json. It was WMATIC until 2024.
      symbol: "WPOL",
      address: "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
      decimals: 18,
      asset: "POL",
      methods: ["permit2"]
    }
  ],
  otherTokens: [
    {
      // Bridged USDC. Source: Uniswap/default-token-list 49f39bd7, polygon.json. The domain gives the separator
      // 0x294369e0…, which public tests read from the contract. It has EIP-3009, but with a domain that the service does
      // not support.
      symbol: "USDC.e",
      address: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
      decimals: 6,
      domain: { name: "USD Coin (PoS)", version: "1", fields: "salt" },
      methods: ["permit2"]
    }
  ],
  // Source: Uniswap/docs, docs/contracts/v4/deployments.mdx.
  permit2: true,
  feeModel: "polygon",
  finality,
  // Source: 0xPolygon/pos-contracts, pull request 49 (2026-05-18): PIP-86 reduces 2 s to 1.75 s, and then to 1.5 s. No
  // source says whether the second step has been made. Producers can choose any time from 1 s (PIP-75).
  blockMillis: 1_500,
  explorer: "https://polygonscan.com/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/polygon.json, where POL/USD is MATIC/USD.
  priceFeeds: [
    { pair: "POL/USD", address: "0xAB594600376Ec9fD91F8e885dADF0CE036862dE0", decimals: 8 },
    { pair: "ETH/USD", address: "0xF9680D99D6C9589e2a93a78A04A279e509205945", decimals: 8 },
    { pair: "USDC/USD", address: "0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7", decimals: 8 },
    { pair: "USDT/USD", address: "0x0A6513e40db6EB1b165753AD52E80663aeA50545", decimals: 8 }
  ],
  missing: ["USDT exists only as USDT0, which is backed by USDT on Ethereum.", "WETH is bridged."]
}

export const polygonAmoy: PublicNetwork = {
  name: "polygon-amoy",
  title: "Polygon Amoy",
  family: "evm",
  // Source of the id, the native token and the explorer: viem 2.57.1, chains/definitions/polygonAmoy.ts.
  id: 80_002,
  testnet: true,
  nativeSymbol: "POL",
  nativeDecimals: 18,
  tokens: [
    {
      // Source: developers.circle.com, "USDC Contract Addresses". The domain gives the separator 0x5cddc983…, which
      // public tests read from the contract. Its name differs from the one on mainnet.
      symbol: "USDC",
      address: "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582",
      decimals: 6,
      domain: { name: "USDC", version: "2", fields: "chainId" },
      methods: ["eip3009", "erc2612"]
    },
    {
      // Source: smartcontractkit/documentation 59e5cde7, ccip/v1_2_0/testnet/tokens.json.
      symbol: "WPOL",
      address: "0x360ad4f9a9A8EFe9A8DCB5f461c4Cc1047E1Dcf9",
      decimals: 18,
      asset: "POL",
      methods: []
    }
  ],
  otherTokens: [],
  // Uniswap/docs does not list it for this network.
  permit2: false,
  feeModel: "polygon",
  finality,
  // As on mainnet, for which PIP-86 was written.
  blockMillis: 1_500,
  explorer: "https://amoy.polygonscan.com/tx/{hash}",
  // Source: @chainlink/mcp-server 0.0.1-alpha.17 (2026-05-15), data/feeds/polygon.json, where POL/USD is MATIC/USD.
  priceFeeds: [
    { pair: "POL/USD", address: "0x001382149eBa3441043c1c66972b4772963f5D43", decimals: 8 },
    { pair: "ETH/USD", address: "0xF0d50568e3A7e8259E16663972b11910F89BD8e7", decimals: 8 },
    { pair: "USDC/USD", address: "0x1b8739bB4CdF0089d07097A9Ae5Bd274b29C6F16", decimals: 8 },
    { pair: "USDT/USD", address: "0x3aC23DcB4eCfcBd24579e1f34542524d0E4eDeA8", decimals: 8 }
  ],
  missing: ["There is no USDT from Tether.", "Sources disagree on which contract is WETH.", "No source lists Permit2."]
}
