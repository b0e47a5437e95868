/** Sets the clock of a program one minute ahead. */
const { now } = Date

Date.now = () => now() + 60_000
