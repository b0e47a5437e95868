import { refundedSwaps } from "./refundedSwaps.js"

refundedSwaps()
