/** Tokens for devnets and tests, which anyone can mint, and the deployment of Permit2. */
export * as AuthorizedToken from "./generated/AuthorizedToken.js"
export * as FeeToken from "./generated/FeeToken.js"
export * as LegacyToken from "./generated/LegacyToken.js"
export * as PausableToken from "./generated/PausableToken.js"
export * as PlainToken from "./generated/PlainToken.js"
export * as TestToken from "./generated/TestToken.js"
export * as Permit2Deployment from "./Permit2Deployment.js"
