import { describe } from "@effect/vitest"
import { walletKey } from "./keys.js"
import { passesContract } from "./signerContract.js"
import { kinds, signerOf } from "./wallets.js"

/** The wallets that sign in different ways. The others share the code of one of them. */
const complete = [
  "a key pair",
  "a partial kit signer",
  "a modifying kit signer",
  "a Wallet Standard wallet",
  "a key service that is a class",
  "a remote signer that returns base64"
]

// signerContract.long.test.ts runs every case with every wallet in promises and in effects. Here, the other wallets pass
// every fifth case in promises, and all pass every tenth case in effects, beginning with another one each.
describe.each(kinds.map((kind, row) => ({ ...kind, row })))("$name passes the signer contract", (kind) => {
  const { layer, make, name, row } = kind
  describe("in promises", () => {
    passesContract(() => make(walletKey()), complete.includes(name) ? undefined : { of: 5, number: row % 5 })
  })
  describe("in effects", () => {
    passesContract(async () => signerOf(await layer(walletKey())), { of: 10, number: row % 10 })
  })
})
