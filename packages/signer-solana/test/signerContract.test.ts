import { describe } from "@effect/vitest"
import { walletKey } from "./keys.js"
import { passesContract } from "./signerContract.js"
import { kinds, signerOf } from "./wallets.js"

// signerContract.long.test.ts runs every case with every wallet in effects, too.
describe.each(kinds)("$name passes the signer contract", ({ layer, make }) => {
  describe("in promises", () => {
    passesContract(() => make(walletKey()))
  })
  describe("in effects", () => {
    passesContract(async () => signerOf(await layer(walletKey())), 5)
  })
})
