/** The journal and the ledger in files, for Node. */
export { fileJournal } from "./node/FileJournal.js"
export { fileLedger } from "./node/FileLedger.js"
export * as FileJournal from "./node/FileJournal.js"
export * as FileLedger from "./node/FileLedger.js"
