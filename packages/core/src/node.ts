/** File-backed stores for Node. */
export { authenticatedStore, createAuthenticatedStore } from "./node/AuthenticatedStore.js"
export { fileStore } from "./node/FileStore.js"
export * as AuthenticatedStore from "./node/AuthenticatedStore.js"
export * as FileStore from "./node/FileStore.js"
