/** The file-backed journal and ledger for code without Effect. In Node, this entry point loads from a single file. */
export { fileJournal, type Options as FileJournalOptions } from "./FileJournal.js"
export { fileLedger, type Options as FileLedgerOptions } from "./FileLedger.js"
