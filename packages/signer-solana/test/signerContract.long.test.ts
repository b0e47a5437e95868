import { describe } from "@effect/vitest"
import { walletKey } from "./keys.js"
import { passesContract } from "./signerContract.js"
import { kinds, signerOf } from "./wallets.js"

describe.each(kinds)("$name passes the signer contract", ({ layer, make }) => {
  describe("in promises", () => {
    passesContract(() => make(walletKey()))
  })
  describe("in effects", () => {
    passesContract(async () => signerOf(await layer(walletKey())))
  })
})
