/** The EVM signer port of `@geoswap/core` on viem. */
export * as EvmSigner from "./EvmSigner.js"
