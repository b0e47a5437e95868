/** Tokens for devnets and tests. Anyone can mint them. */
export * as FeeToken from "./generated/FeeToken.js"
export * as PausableToken from "./generated/PausableToken.js"
export * as TestToken from "./generated/TestToken.js"
