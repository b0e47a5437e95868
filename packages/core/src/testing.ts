/** Test helpers: a scripted service, test signers, and conformance suites for signers, services and stores. */
export * as ChainLibrary from "./testing/ChainLibrary.js"
export { ContractViolation } from "./testing/contractAssertions.js"
export * as Fault from "./testing/Fault.js"
export { pumpClock } from "./testing/pumpClock.js"
export * as ScriptedTransport from "./testing/ScriptedTransport.js"
export {
  type EvmSignerOptions,
  type SignerCase,
  signerContract,
  type SolanaSignerOptions
} from "./testing/signerContract.js"
export * as TestSigner from "./testing/TestSigner.js"
export { storeContract } from "./testing/storeContract.js"
export { transportContract, type TransportHarness } from "./testing/transportContract.js"
export * as Vectors from "./testing/vectors.js"
