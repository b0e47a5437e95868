import { forgedNonce } from "./suites/forgedNonce.js"

forgedNonce()
