/**
 * Code shared by signers, readers and transports. Only authors of signer, reader or transport packages need this entry
 * point.
 */
export { describeKind, invalidInput } from "./adapters/constructorInput.js"
export {
  hashDomain,
  hashOperation,
  hashOrder,
  hashPayment,
  hashPermit,
  hashPermit2Domain,
  hashTerms
} from "./adapters/hashes.js"
export { keccak256 } from "./adapters/keccak256.js"
export { type Fetch, nodeAt, NodeError, type RpcCall } from "./adapters/jsonRpc.js"
export { connectNodes, type NodeCheck, type NodeOptions } from "./adapters/nodes.js"
export { quorumAmount, quorumState, unanimous } from "./adapters/quorum.js"
export { readText } from "./adapters/readText.js"
export { findRedirect, isRedirect, refuseRedirects, urlWithoutRedirects } from "./adapters/redirect.js"
export { type OnFailure, reportFailure } from "./adapters/reportFailure.js"
export {
  operationTypedData,
  paymentTypedData,
  permitTypedData,
  type TypedData,
  type TypedTerms
} from "./adapters/typedData.js"
