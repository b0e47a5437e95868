/** The Solana signer and reader ports of `@geoswap/core`, on `@solana/kit`. */
export * as SolanaReader from "./SolanaReader.js"
export * as SolanaSigner from "./SolanaSigner.js"
export { solanaReader, type SolanaReaderOptions } from "./promise.js"
