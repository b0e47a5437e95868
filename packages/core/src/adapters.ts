/** What signers, readers and transports share. For authors of such packages; no other code needs this entry. */
export { describeKind, invalidInput } from "./adapters/constructorInput.js"
export { hashOperation } from "./adapters/hashOperation.js"
export { type Fetch, nodeAt, NodeError, type RpcCall } from "./adapters/jsonRpc.js"
export { connectNodes, type NodeCheck, type NodeOptions, type ReadNodes, unanimous } from "./adapters/nodes.js"
export { readText } from "./adapters/readText.js"
