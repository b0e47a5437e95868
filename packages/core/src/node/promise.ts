/** The file-backed journal and ledgers for code without Effect. In Node, this entry point loads from a single file. */
export {
  authenticatedLedger,
  createAuthenticatedLedger,
  type Options as AuthenticatedLedgerOptions
} from "./AuthenticatedLedger.js"
export { fileJournal, type Options as FileJournalOptions } from "./FileJournal.js"
export { fileLedger, type Options as FileLedgerOptions } from "./FileLedger.js"
