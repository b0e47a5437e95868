import { expect, test } from "vitest"
import { hasChecksum } from "../../src/form/useTypo.js"
import { isChecksummed } from "../../src/wallets/evmSigning.js"

/** The first example of EIP-55. */
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

/** Whether a typed address is refused. */
const isRefused = (typed: string): boolean => hasChecksum(typed) && !isChecksummed(typed)

test("an address in its own capital letters, or in one case alone, is taken", () => {
  expect(hasChecksum(address)).toBe(true)
  const one = [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]
  expect([address, ...one].map(isRefused)).toEqual([false, false, false])
  expect(one.map(hasChecksum)).toEqual([false, false])
})

test("one wrong digit, or one wrong capital letter, is noticed", () => {
  expect(isRefused(address.replace("6053", "6054"))).toBe(true)
  expect(isRefused(address.replace("aAeb", "aaeb"))).toBe(true)
})

test("what is no address at all is not asked for its checksum", () => {
  expect(
    ["", "0xnonsenseA", address.slice(0, -1), "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"].map(hasChecksum)
  ).toEqual([false, false, false, false])
})
