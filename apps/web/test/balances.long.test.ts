/** Balances after swaps in all directions. */
import "./balances.test.js"
