import { decidedRefunds, oldQuotes } from "./freeOption.js"

decidedRefunds()
oldQuotes()
