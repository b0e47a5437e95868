/** The EVM signers and reader for code without Effect. In Node, this entry point loads from a single file. */
export * as EvmSigner from "./PromiseEvmSigner.js"
export { evmReader, type EvmReaderOptions } from "./PromiseEvmReader.js"
