/** Lets a program believe that it is a minute later than it is. */
const { now } = Date

Date.now = () => now() + 60_000
