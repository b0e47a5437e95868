import { failedSwaps } from "./failedSwaps.js"

failedSwaps()
