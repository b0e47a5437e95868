/** Implements the Solana signer and reader ports from `@geoswap/core` with `@solana/kit`. */
export * as SolanaReader from "./SolanaReader.js"
export * as SolanaSigner from "./SolanaSigner.js"
export { solanaReader, type SolanaReaderOptions } from "./PromiseSolanaReader.js"
