import { forgedNonce } from "./forgedNonce.js"

forgedNonce()
