/** Programs that end in every way. */
import "./cli.test.js"
