import { payments } from "./payments.js"

payments()
