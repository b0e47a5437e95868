import { refundedSwaps } from "./suites/refundedSwaps.js"

refundedSwaps()
