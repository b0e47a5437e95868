/** Every other character at every position of a key's secret. */
import "./Accounts.test.js"
