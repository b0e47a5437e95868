/** The file-backed stores for code without Effect. In Node, this entry point loads from a single file. */
export {
  authenticatedStore,
  createAuthenticatedStore,
  type Options as AuthenticatedStoreOptions
} from "./AuthenticatedStore.js"
export { fileStore, type Options as FileStoreOptions } from "./FileStore.js"
