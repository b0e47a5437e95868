/** The file-backed stores for code without Effect. In Node, this entry point loads from a single file. */
import * as Effect from "effect/Effect"
import type { PromiseStore } from "../Store.js"
import * as AuthenticatedStore from "./AuthenticatedStore.js"
import * as FileStore from "./FileStore.js"
import { toPromises } from "./internal/toPromises.js"

/**
 * Creates a file-backed store for the promise client.
 *
 * @example
 * ```ts
 * const client = createClient({ transport, signers, policy, store: fileStore("/var/lib/app/store") })
 * ```
 */
export const fileStore = (folder: string, options?: FileStore.Options): PromiseStore =>
  toPromises(FileStore.makeRecords(folder, options))

/**
 * Opens the store in an existing file, for the promise client. `createAuthenticatedStore` creates the file.
 *
 * @example
 * ```ts
 * const store = authenticatedStore("/var/lib/app/store.json", { id: "trading", key })
 * ```
 */
export const authenticatedStore = (path: string, options: AuthenticatedStore.Options): PromiseStore =>
  toPromises(AuthenticatedStore.makeRecords(path, options))

/** Creates the file of an empty store. Rejects if it exists. */
export const createAuthenticatedStore = (path: string, options: AuthenticatedStore.Options): Promise<void> =>
  Effect.runPromise(AuthenticatedStore.create(path, options))
