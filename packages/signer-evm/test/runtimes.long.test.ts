/** The signer contract in every runtime. */
import "./runtimes.test.js"
