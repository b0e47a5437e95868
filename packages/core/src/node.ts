/** File-backed stores for Node. */
export * as AuthenticatedStore from "./node/AuthenticatedStore.js"
export * as FileStore from "./node/FileStore.js"
