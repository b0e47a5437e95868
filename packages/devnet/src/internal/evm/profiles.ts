/** Public chains that an EVM chain can imitate. */

/** The name of a public chain. */
export type ProfileName = "base" | "arbitrum" | "ethereum" | "polygon"

/** What the tags `safe` and `finalized` return: a block that lags, the latest block, or an error as if there were none. */
export type FinalityTags = "lagging" | "latest" | "missing"

/** How a public chain differs from a plain one. */
export interface Profile {
  /** Milliseconds between blocks. The clock has whole seconds, so faster blocks share a timestamp. */
  readonly blockTime: number
  /** How many blocks behind the latest one the tags are, about as on the public chain. */
  readonly behind: { readonly safe: number; readonly finalized: number }
  /** The base fee of the first block, in wei, below which it does not fall. */
  readonly leastBaseFee: bigint
  /** How the base fee moves: by at most 1/denominator per empty block, up if a block exceeds its gas limit/elasticity. */
  readonly baseFeeChange: { readonly denominator: bigint; readonly elasticity: bigint }
  /** The lowest tip that the node accepts, in wei. */
  readonly leastTip: bigint
  /** The tip that the node suggests, in wei (default: EDR's). */
  readonly suggestedTip?: bigint
  /** The rollup stack, which charges for the data that it publishes on Ethereum. */
  readonly rollup: "op" | "arbitrum" | undefined
}

const gwei = 1_000_000_000n

/** How the base fee moves on Ethereum (EIP-1559). */
const ofEthereum = { denominator: 8n, elasticity: 2n }

/** The profile of a chain that imitates no other. The tags are those of anvil with one slot per epoch. */
export const plain: Omit<Profile, "blockTime"> = {
  behind: { safe: 1, finalized: 2 },
  leastBaseFee: gwei / 100n,
  baseFeeChange: ofEthereum,
  leastTip: 0n,
  rollup: undefined
}

/** The profiles by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  base: {
    blockTime: 2_000,
    behind: { safe: 90, finalized: 600 },
    leastBaseFee: gwei / 200n,
    baseFeeChange: { denominator: 250n, elasticity: 6n },
    leastTip: 0n,
    suggestedTip: gwei / 1_000n,
    rollup: "op"
  },
  arbitrum: {
    blockTime: 250,
    behind: { safe: 2_400, finalized: 4_800 },
    leastBaseFee: gwei / 50n,
    baseFeeChange: ofEthereum,
    leastTip: 0n,
    suggestedTip: 0n,
    rollup: "arbitrum"
  },
  ethereum: {
    blockTime: 12_000,
    behind: { safe: 32, finalized: 64 },
    leastBaseFee: gwei / 10n,
    baseFeeChange: ofEthereum,
    leastTip: 0n,
    suggestedTip: gwei / 10n,
    rollup: undefined
  },
  polygon: {
    blockTime: 2_000,
    behind: { safe: 3, finalized: 3 },
    leastBaseFee: 25n * gwei,
    baseFeeChange: { denominator: 64n, elasticity: 2n },
    leastTip: 25n * gwei,
    suggestedTip: 30n * gwei,
    rollup: undefined
  }
}

/** The names of all profiles. */
export const profileNames = Object.keys(profiles) as ReadonlyArray<ProfileName>

/** All values of `FinalityTags`. */
export const finalityTags: ReadonlyArray<FinalityTags> = ["lagging", "latest", "missing"]
