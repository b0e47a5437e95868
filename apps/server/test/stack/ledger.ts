/** Balances before and after: every swap is checked to the smallest unit. */
import type { Devnet } from "@geoswap/devnet"
import * as evm from "./evm.js"
import * as solana from "./solana.js"

/** A named balance to watch. */
export interface Entry {
  readonly name: string
  readonly chain: Devnet.EvmChain | Devnet.SolanaChain
  readonly token: string
  readonly owner: string
}

/** The changed balances by name. */
export type Deltas = Readonly<Record<string, bigint>>

const read = ({ chain, owner, token }: Entry): Promise<bigint> =>
  chain.family === "evm" ? evm.balanceOf(chain, token, owner) : solana.balanceOf(chain, token, owner)

/** Reads balances now. Returns a function that returns how they have changed. */
export const open = async (entries: ReadonlyArray<Entry>): Promise<() => Promise<Deltas>> => {
  const before = await Promise.all(entries.map(read))
  return async () => {
    const after = await Promise.all(entries.map(read))
    return Object.fromEntries(
      entries
        .map(({ name }, index) => [name, (after[index] ?? 0n) - (before[index] ?? 0n)] as const)
        .filter(([, delta]) => delta !== 0n)
    )
  }
}

/** Every token of a chain, for all participants. */
export const entriesOf = (
  chain: Devnet.EvmChain | Devnet.SolanaChain,
  owners: Readonly<Record<string, string>>,
  native: string
): ReadonlyArray<Entry> =>
  Object.entries(owners).flatMap(([who, owner]) =>
    [...chain.tokens, { symbol: "native", address: native }].map(({ address, symbol }) => ({
      name: `${who} ${symbol}@${chain.id}`,
      chain,
      token: address,
      owner
    }))
  )
