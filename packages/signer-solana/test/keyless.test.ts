/** Addresses without a private key are refused as wallets. */
import { describe, expect, it } from "@effect/vitest"
import { type Address, address as kitAddress, getAddressDecoder, getProgramDerivedAddress } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { otherKey, walletKey } from "./keys.js"
import { refusal } from "./expectError.js"
import { memoProgram, tokenAccount, vault } from "./transactions.js"
import { accountOf, standardWallet } from "./wallets.js"

const key = walletKey()
const [programs] = await getProgramDerivedAddress({ programAddress: memoProgram, seeds: ["wallet"] })

/** Every kind of wallet, claiming this address. */
const forms: Readonly<Record<string, (address: string) => { readonly address: string }>> = {
  "a key service": (address) => SolanaSigner.fromKeyService({ address, signMessage: async () => "" }),
  "a remote signer": (address) => SolanaSigner.fromKeyService({ address, signTransaction: async () => "" }),
  "a kit signer": (address) =>
    SolanaSigner.fromKitSigner({ address: kitAddress(address), signTransactions: async () => [] }),
  "a Wallet Standard wallet": (address) =>
    SolanaSigner.fromWalletStandard({ ...standardWallet(key), accounts: [accountOf(address)] }),
  "a chosen account": (address) =>
    SolanaSigner.fromWalletStandard({ ...standardWallet(key), accounts: [accountOf(address)] }, { account: address })
}

const addressOf = (hex: string): Address => getAddressDecoder().decode(Buffer.from(hex, "hex"))

const [sign, zeros, ones] = ["80", "00".repeat(30), "ff".repeat(30)]
/** The points whose order divides 8, in every encoding. */
const smallOrder: Readonly<Record<string, string>> = {
  "the identity": `01${zeros}00`,
  "the identity with a sign": `01${zeros}${sign}`,
  "the identity, written too large": `ee${ones}7f`,
  "the identity, written too large and with a sign": `ee${ones}ff`,
  "order 2": `ec${ones}7f`,
  "order 2 with a sign": `ec${ones}ff`,
  "order 4": `00${zeros}00`,
  "order 4 with a sign": `00${zeros}${sign}`,
  "order 4, written too large": `ed${ones}7f`,
  "order 4, written too large and with a sign": `ed${ones}ff`,
  "order 8": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "order 8 with a sign": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "the other of order 8": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "the other of order 8 with a sign": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
}

describe.each(Object.entries(forms))("%s", (_, form) => {
  it("is accepted if its address has a key", () => {
    for (let fill = 1; fill < 20; fill++) expect(form(otherKey(fill).address).address).toBe(otherKey(fill).address)
  })

  it("is refused if its address belongs to a program, like that of a multisig", async () => {
    for (const address of [programs, await tokenAccount(vault)]) {
      const message = refusal(() => form(address))
      expect(message).toMatch(
        /^(keyService|signer|wallet) \| \1: its address has no private key: it belongs to a multisig, a smart wallet or a program\. Use a wallet with a key\.$/
      )
      // The address may be a misplaced seed: both are 32 bytes in base58.
      expect(message).not.toContain(address)
    }
  })

  it.each(Object.entries(smallOrder))("is refused if its address is a point of small order: %s", (_, hex) => {
    expect(refusal(() => form(addressOf(hex)))).toMatch(/its address has no private key/)
  })
})
