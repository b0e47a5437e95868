/** The file-backed stores for code without Effect. In Node, this entry point loads from a single file. */
export { authenticatedStore, createAuthenticatedStore } from "./AuthenticatedStore.js"
export { fileStore } from "./FileStore.js"
