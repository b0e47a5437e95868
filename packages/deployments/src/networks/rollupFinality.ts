/** The finality of the rollups on Ethereum. */
import type { FinalityTier } from "./PublicNetwork.js"

/**
 * Sources, checked on 2026-11-19: base/docs, transaction-finality.mdx (batch after about 2 minutes, final after about
 * 20); ethereum-optimism/docs, transaction-finality.mdx (safe after 5 to 10 minutes); OffchainLabs/nitro, release notes
 * of v2.0.10 (`safe` and `finalized` are the blocks whose batch is safe or finalized on Ethereum).
 */
export const rollupFinality: readonly [FinalityTier, ...ReadonlyArray<FinalityTier>] = [
  // Only the sequencer can replace these blocks, and it has almost never done so. The time covers a failover to another
  // sequencer. It is a time and not a number of blocks, because 12 blocks are 24 s on OP Mainnet, 3 s on Arbitrum, and
  // 2.4 s on Base since its blocks take 200 ms.
  { upToUsd: 1_000, after: { seconds: 24 } },
  // The transaction is in a batch on Ethereum, so that replacing it would take a reorg of Ethereum.
  { upToUsd: 100_000, after: "safe" },
  // The batch is in a finalized block of Ethereum.
  { after: "finalized" }
]
