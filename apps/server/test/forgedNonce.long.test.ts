import { expiredForgery, forgedNonce } from "./suites/forgedNonce.js"

forgedNonce()
expiredForgery()
