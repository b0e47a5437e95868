/**
 * Public networks as plain data: chain ids, tokens and how they can be paid with, fees, finality, explorers and price
 * feeds. Each figure has its source beside it. Nothing here has been tried on a public network.
 */
import { arbitrum, arbitrumSepolia } from "./networks/arbitrum.js"
import { base, baseSepolia } from "./networks/base.js"
import { ethereum, sepolia } from "./networks/ethereum.js"
import { optimism, optimismSepolia } from "./networks/optimism.js"
import { polygon, polygonAmoy } from "./networks/polygon.js"
import type { PublicNetwork } from "./networks/PublicNetwork.js"
import { solana, solanaDevnet } from "./networks/solana.js"

export {
  arbitrum,
  arbitrumSepolia,
  base,
  baseSepolia,
  ethereum,
  optimism,
  optimismSepolia,
  polygon,
  polygonAmoy,
  sepolia,
  solana,
  solanaDevnet
}
export { pinnedChain } from "./networks/PublicNetwork.js"
export type {
  FeeModel,
  FinalAfter,
  FinalityTier,
  PaymentMethod,
  PriceFeed,
  PublicNetwork,
  PublicToken,
  TokenDomain
} from "./networks/PublicNetwork.js"

/** All networks, each main network followed by the test networks. Importing this list bundles all of them. */
export const publicNetworks: ReadonlyArray<PublicNetwork> = [
  ethereum,
  base,
  arbitrum,
  optimism,
  polygon,
  solana,
  sepolia,
  baseSepolia,
  arbitrumSepolia,
  optimismSepolia,
  polygonAmoy,
  solanaDevnet
]
