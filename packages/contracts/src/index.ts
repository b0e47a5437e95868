/** The contracts of GeoSwap as viem takes them: `{ abi, bytecode }` each, typed. */
export * as GeoAccount from "./generated/GeoAccount.js"
export * as GeoVault from "./generated/GeoVault.js"
