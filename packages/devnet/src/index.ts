/** A devnet for GeoSwap: two EVM chains and one SVM, with contracts, funded wallets and fault injection. */
export * as Description from "./Description.js"
export * as Devnet from "./Devnet.js"
export * as DevnetError from "./DevnetError.js"
export * as EvmNode from "./EvmNode.js"
export {
  type RunningDevnet,
  type RunningProxy,
  startDevnet,
  type StartOptions,
  startProxy,
  type Stoppable
} from "./promise.js"
export * as Proxy from "./Proxy.js"
export * as SolanaNode from "./SolanaNode.js"
export * as Wallets from "./Wallets.js"
