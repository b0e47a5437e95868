import { decidedRefunds, oldQuotes } from "./suites/freeOption.js"

decidedRefunds()
oldQuotes()
