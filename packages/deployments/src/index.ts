/** The contracts and tokens of a network, as data to pin. */
export * as Network from "./Network.js"
export { parseNetwork } from "./Network.js"
