/** File-backed journal and ledgers for Node. */
export { authenticatedLedger, createAuthenticatedLedger } from "./node/AuthenticatedLedger.js"
export { fileJournal } from "./node/FileJournal.js"
export { fileLedger } from "./node/FileLedger.js"
export * as AuthenticatedLedger from "./node/AuthenticatedLedger.js"
export * as FileJournal from "./node/FileJournal.js"
export * as FileLedger from "./node/FileLedger.js"
