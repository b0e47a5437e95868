import { oldQuotes } from "./suites/freeOption.js"

oldQuotes()
