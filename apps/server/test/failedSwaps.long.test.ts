import { failedSwaps } from "./suites/failedSwaps.js"

failedSwaps()
