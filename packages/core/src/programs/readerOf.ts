/** Which of the caller's readers reads a chain. */
import type { Family } from "../Chain.js"
import type { ChainReader, Evm, Solana } from "../ChainReader.js"

/** Returns the reader for a chain, if it reads that chain. */
export const readerOf = ({ evm, solana }: ChainReader, family: Family, chainId: number): Evm | Solana | undefined => {
  const reader = family === "evm" ? evm : solana
  return (reader?.chains?.includes(chainId) ?? true) ? reader : undefined
}

/** Whether the readers can prove a payment on a chain. */
export const canProve = (readers: ChainReader, family: Family, chainId: number): boolean =>
  readerOf(readers, family, chainId)?.payout !== undefined
