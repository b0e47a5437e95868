import { describe } from "@effect/vitest"
import { EvmSigner } from "../src/index.js"
import { built, eachWallet } from "./contractWallets.js"
import { passesContract } from "./signerContract.js"
import { digestService, forms } from "./wallets.js"

eachWallet((name, { layer, promise }, able = true, typed = true) => {
  describe(`${name} passes the signer contract as a promise signer`, () => {
    passesContract(promise, able, typed)
  })
  describe(`${name} passes the signer contract as a layer`, () => {
    passesContract(() => built(layer()), able, typed)
  })
})

describe.each(Object.entries(forms))("a key service that returns %s passes the signer contract", (_, form) => {
  describe("as a promise signer", () => {
    passesContract(() => EvmSigner.fromKeyService(digestService(form)))
  })
  describe("as a layer", () => {
    passesContract(() => built(EvmSigner.layerKeyService(digestService(form))))
  })
})
