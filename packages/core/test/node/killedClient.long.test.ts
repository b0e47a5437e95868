/** Kills the process at every call. */
import "./killedClient.test.js"
