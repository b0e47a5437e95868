import { oldQuotes } from "./freeOption.js"

oldQuotes()
