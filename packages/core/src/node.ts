/** What needs Node: the journal in files. */
export { fileJournal } from "./node/FileJournal.js"
export * as FileJournal from "./node/FileJournal.js"
