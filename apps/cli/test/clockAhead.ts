/** Sets the clock of a process ahead by `GEOSWAP_TEST_AHEAD` milliseconds. For `node --import`. */
const ahead = Number(process.env["GEOSWAP_TEST_AHEAD"] ?? 0)
const now = Date.now.bind(Date)
Date.now = () => now() + ahead
