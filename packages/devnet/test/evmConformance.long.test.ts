/** Reorgs of every depth. */
import "./evmConformance.test.js"
