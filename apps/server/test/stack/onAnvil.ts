/** Suites that need anvil. */
export { describeOnAnvil } from "../../../../packages/devnet/test/onAnvil.js"
