/**
 * The SDKs to compare. Each one imports what its own quick start imports: the client, the support for EVM wallets, and
 * viem's private key account. Then it requests its first quote.
 */

/** The private key of the first account of the well-known test mnemonic. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const usdc = {
  base: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  arbitrum: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
}

/** The import that all SDKs have in common. */
const account = `import { privateKeyToAccount } from "viem/accounts"`

export interface Subject {
  readonly name: string
  /** The packages to install, each in its newest version that can be installed. The first one is the main package. */
  readonly packages: ReadonlyArray<string>
  /** Packages that the SDK imports without declaring them, with their versions. */
  readonly undeclared?: Readonly<Record<string, string>>
  /** The imports of the quick start. */
  readonly imports: string
  /** Code that requests a quote from the local server at `url`, and throws if it gets none. */
  readonly quote: string
  /** The code to bundle for a browser: the client, quotes, execution and EVM wallets, without private keys. */
  readonly bundle: string
}

export const geoswap: Subject = {
  name: "GeoSwap",
  packages: ["@geoswap/core", "@geoswap/signer-evm", "@geoswap/transport-fetch"],
  imports: `import { createClient } from "@geoswap/core/promise"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
${account}`,
  quote: `const client = createClient({
  transport: fetchTransport({ baseUrl: url + "/geoswap", apiKey: "benchmark-key" }),
  signers: { evm: EvmSigner.fromAccount(privateKeyToAccount("${key}")) }
})
const quote = await client.quote({
  originChain: 8453,
  destinationChain: 42161,
  inputToken: "${usdc.base}",
  outputToken: "${usdc.arbitrum}",
  amount: 10_000_000n,
  walletAddress: "${wallet}"
})
if (quote.output !== 9_990_000n) throw new Error("no quote")`,
  bundle: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch/promise"
export { EvmSigner } from "@geoswap/signer-evm/promise"`
}

export const peers: ReadonlyArray<Subject> = [
  {
    // It has no quotes. The closest call is a request whose response states a price, which the client then signs for.
    name: "x402",
    packages: ["@x402/fetch", "@x402/evm"],
    imports: `import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import { registerExactEvmScheme } from "@x402/evm/exact/client"
${account}`,
    quote: `const client = new x402Client()
registerExactEvmScheme(client, { signer: privateKeyToAccount("${key}") })
const response = await wrapFetchWithPayment(fetch, client)(url + "/x402")
if ((await response.text()) !== "paid") throw new Error("not paid")`,
    bundle: `export { wrapFetchWithPayment, x402Client } from "@x402/fetch"
export { registerExactEvmScheme } from "@x402/evm/exact/client"`
  },
  {
    name: "Across",
    packages: ["@across-protocol/app-sdk"],
    undeclared: { zod: "^3.24.2" },
    imports: `import { createAcrossClient } from "@across-protocol/app-sdk"
import { defineChain } from "viem"
${account}`,
    quote: `const chain = (id) => defineChain({
  id,
  name: "chain " + id,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [url] } }
})
const client = createAcrossClient({ integratorId: "0xdead", chains: [chain(8453), chain(42161)] })
privateKeyToAccount("${key}")
const quote = await client.getQuote({
  route: {
    originChainId: 8453,
    destinationChainId: 42161,
    inputToken: "${usdc.base}",
    outputToken: "${usdc.arbitrum}"
  },
  inputAmount: 10_000_000n,
  apiUrl: url + "/across"
})
if (quote.deposit.outputAmount !== 9_990_000n) throw new Error("no quote")`,
    bundle: `export { createAcrossClient } from "@across-protocol/app-sdk"`
  },
  {
    name: "Relay",
    packages: ["@relayprotocol/relay-sdk"],
    imports: `import { adaptViemWallet, createClient } from "@relayprotocol/relay-sdk"
import { createWalletClient, http } from "viem"
${account}`,
    quote: `const client = createClient({ baseApiUrl: url + "/relay", source: "benchmark" })
const wallet = createWalletClient({ account: privateKeyToAccount("${key}"), transport: http(url) })
const quote = await client.actions.getQuote({
  chainId: 8453,
  toChainId: 42161,
  currency: "${usdc.base}",
  toCurrency: "${usdc.arbitrum}",
  amount: "10000000",
  user: "${wallet}",
  recipient: "${wallet}",
  wallet: adaptViemWallet(wallet),
  tradeType: "EXACT_INPUT"
})
if (quote.details.currencyOut.amount !== "9990000") throw new Error("no quote")`,
    bundle: `export { adaptViemWallet, createClient } from "@relayprotocol/relay-sdk"`
  },
  {
    name: "LI.FI",
    packages: ["@lifi/sdk", "@lifi/sdk-provider-ethereum"],
    imports: `import { createClient, getQuote } from "@lifi/sdk"
import { EthereumProvider } from "@lifi/sdk-provider-ethereum"
import { createWalletClient, http } from "viem"
${account}`,
    quote: `const wallet = createWalletClient({ account: privateKeyToAccount("${key}"), transport: http(url) })
const client = createClient({ integrator: "benchmark", apiUrl: url + "/lifi" })
client.setProviders([EthereumProvider({ getWalletClient: async () => wallet })])
const quote = await getQuote(client, {
  fromChain: 8453,
  toChain: 42161,
  fromToken: "${usdc.base}",
  toToken: "${usdc.arbitrum}",
  fromAmount: "10000000",
  fromAddress: "${wallet}"
})
if (quote.estimate.toAmount !== "9990000") throw new Error("no quote")`,
    bundle: `export { createClient, convertQuoteToRoute, executeRoute, getQuote } from "@lifi/sdk"
export { EthereumProvider } from "@lifi/sdk-provider-ethereum"`
  }
]
