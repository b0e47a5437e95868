/** The Solana signer port of `@geoswap/core`, on `@solana/kit`. */
export * as SolanaSigner from "./SolanaSigner.js"
