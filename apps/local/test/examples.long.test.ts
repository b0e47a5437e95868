/** Every example: the pages, too, in a browser. */
import "./examples.test.js"
