/** Every form of a key in every error of a key service. */
import "./secrets.test.js"
