/**
 * The GeoSwap contracts for viem: typed `{ abi, bytecode }` objects, and the typed data and third-party functions that
 * payments use.
 */
export * as GeoAccount from "./generated/GeoAccount.js"
export * as GeoVault from "./generated/GeoVault.js"
export * as Permit2 from "./Permit2.js"
export * as TokenAbi from "./TokenAbi.js"
export * as TypedData from "./TypedData.js"
