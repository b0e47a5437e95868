/** Swaps in all directions. */
import "./swaps.test.js"
