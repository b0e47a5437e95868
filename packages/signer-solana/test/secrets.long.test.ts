/** Every form of a secret in every error of every wallet. */
import "./secrets.test.js"
