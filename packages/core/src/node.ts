/** File-backed journal and ledger for Node. */
export { fileJournal } from "./node/FileJournal.js"
export { fileLedger } from "./node/FileLedger.js"
export * as FileJournal from "./node/FileJournal.js"
export * as FileLedger from "./node/FileLedger.js"
