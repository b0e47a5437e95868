/** The EVM signer and reader ports of `@geoswap/core` on viem. */
export * as EvmReader from "./EvmReader.js"
export * as EvmSigner from "./EvmSigner.js"
export { evmReader, type EvmReaderOptions } from "./promise.js"
