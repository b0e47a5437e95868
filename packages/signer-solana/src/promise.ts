/** The Solana signers and reader for code without Effect. In Node, this entry point loads from a single file. */
export * as SolanaSigner from "./PromiseSolanaSigner.js"
export { solanaReader, type SolanaReaderOptions } from "./PromiseSolanaReader.js"
