import { expect, test } from "vitest"
import { parseContacts } from "../../src/form/addressBook.js"

test("parseContacts leaves out what is not an address with a name", () => {
  const alice = { name: "Alice", address: "0x00000000000000000000000000000000000a11ce", family: "evm" }
  const solana = { name: "Sol", address: "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ", family: "solana" }
  const invalid = [
    { ...alice, name: "" },
    { ...alice, address: "0x00000000000000000000000000000000000A11ce" },
    { ...alice, family: "solana" },
    { ...solana, family: "evm" },
    null,
    "Alice"
  ]
  expect(parseContacts([...invalid, alice, solana])).toEqual([alice, solana])
  expect(parseContacts({ alice })).toEqual([])
})
