import { expiredForgery, forgedNonce } from "./forgedNonce.js"

forgedNonce()
expiredForgery()
