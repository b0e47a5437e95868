/** All rules on every screen, in every state that a test inspects. */
import "./accessibility.test.js"
import "./activity.test.js"
import "./form.test.js"
import "./language.test.js"
import "./names.test.js"
import "./wallets.test.js"
