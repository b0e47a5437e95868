/** The caller's readers, for code without Effect. */
import {
  type ChainReader,
  evmFromPromise,
  type PromiseEvmReader,
  type PromiseSolanaReader,
  solanaFromPromise
} from "../ChainReader.js"

/** Readers whose methods return promises. */
export interface PromiseReaders {
  readonly evm?: PromiseEvmReader | undefined
  readonly solana?: PromiseSolanaReader | undefined
}

/** Converts readers whose methods return promises. */
export const fromPromise = ({ evm, solana }: PromiseReaders = {}): ChainReader => ({
  ...(evm && { evm: evmFromPromise(evm) }),
  ...(solana && { solana: solanaFromPromise(solana) })
})
