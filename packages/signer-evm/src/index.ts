/** Implements the EVM signer and reader ports from `@geoswap/core`. */
export * as EvmReader from "./EvmReader.js"
export * as EvmSigner from "./EvmSigner.js"
export { evmReader, type EvmReaderOptions } from "./PromiseEvmReader.js"
