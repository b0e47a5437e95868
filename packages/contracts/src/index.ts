/** The GeoSwap contracts for viem: typed `{ abi, bytecode }` objects. */
export * as GeoAccount from "./generated/GeoAccount.js"
export * as GeoVault from "./generated/GeoVault.js"
