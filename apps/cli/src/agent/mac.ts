/** Keys for message authentication codes, derived from a wallet's secret. They reveal nothing about the secret. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

const derive = (secret: Uint8Array, purpose: string) =>
  Redacted.make(new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), `geoswap agent ${purpose} v1`, 32)), {
    label: `${purpose} key`
  })

/** Derives the keys that authenticate a wallet's policy and its store from the bytes of a private key. */
export const macKeysOf = (secret: Uint8Array) => ({
  policy: derive(secret, "policy"),
  store: derive(secret, "store")
})
export type MacKeys = ReturnType<typeof macKeysOf>

/** Computes the MAC of a text, in hex. */
export const macOf = (text: string, key: Redacted.Redacted<Uint8Array>) =>
  createHmac("sha256", Redacted.value(key)).update(text).digest("hex")

/** Whether a MAC belongs to a text. The comparison takes the same time for every MAC. */
export const isMac = (mac: string, text: string, key: Redacted.Redacted<Uint8Array>) => {
  const [expected, found] = [Buffer.from(macOf(text, key), "hex"), Buffer.from(mac, "hex")]
  return expected.length === found.length && timingSafeEqual(expected, found)
}
