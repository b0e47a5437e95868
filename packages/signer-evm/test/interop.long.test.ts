/** More operations and delegations that other libraries sign and verify. */
import "./interop.test.js"
