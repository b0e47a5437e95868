import { payments } from "./suites/payments.js"

payments()
