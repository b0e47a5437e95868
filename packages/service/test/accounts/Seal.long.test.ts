/** Every other character at every position of a token. */
import "./Seal.test.js"
