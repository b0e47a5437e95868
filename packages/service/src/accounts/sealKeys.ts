/** The keys that seal: how they are written down, checked, and turned into one key per type of token. */
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as base64url from "./base64url.js"
import type { Type } from "./sealedToken.js"

/** A master key and the name that tokens carry. */
export interface Key {
  readonly kid: string
  readonly key: Redacted.Redacted<Uint8Array>
}

/** The keys cannot be used. Says which by its place, and never repeats what was written there: it may be a key. */
export class InvalidKeys extends Schema.TaggedError<InvalidKeys>()("InvalidKeys", { message: Schema.String }) {}

const keyLength = 32
const isKid = (text: string): boolean => /^[A-Za-z0-9_-]{1,16}$/.test(text)

const keyFormat = "Write `kid:key`, several of them with commas in between, the one that seals first."

const noKey = `There is no key to seal with. ${keyFormat}`

const problemOf = (keys: ReadonlyArray<Key>): string | undefined => {
  for (const [index, { kid, key }] of keys.entries()) {
    if (!isKid(kid)) return `The name of key ${index + 1} is not 1 to 16 letters, digits, _ or -. ${keyFormat}`
    if (Redacted.value(key).length !== keyLength) return `Key ${index + 1} is not ${keyLength} bytes.`
    const first = keys.findIndex((other) => other.kid === kid)
    if (first !== index) return `Keys ${first + 1} and ${index + 1} have the same name: give each its own.`
  }
  return undefined
}

/** The keys, if there is one, and each is of the right length and has a name of its own. */
export const check = (keys: ReadonlyArray<Key>): Effect.Effect<NonEmptyReadonlyArray<Key>, InvalidKeys> => {
  const message = problemOf(keys)
  return message === undefined && isReadonlyArrayNonEmpty(keys)
    ? Effect.succeed(keys)
    : Effect.fail(new InvalidKeys({ message: message ?? noKey }))
}

/** Reads `kid:base64url,kid:base64url`. */
export const parse = Effect.fnUntraced(function* (text: Redacted.Redacted) {
  const written = Redacted.value(text).trim()
  const keys: Array<Key> = []
  for (const [index, entry] of (written === "" ? [] : written.split(",")).entries()) {
    const [kid = "", body, ...more] = entry.trim().split(":")
    if (body === undefined || more.length > 0) {
      return yield* new InvalidKeys({ message: `Key ${index + 1} is not of the form \`kid:key\`. ${keyFormat}` })
    }
    const bytes = base64url.decode(body)
    if (bytes?.length !== keyLength) {
      return yield* new InvalidKeys({
        message: `Key ${index + 1} is not ${keyLength} bytes in unpadded base64url, which is 43 characters.`
      })
    }
    keys.push({ kid, key: Redacted.make(bytes) })
  }
  return yield* check(keys)
})

/** The text that `parse` reads as these keys. */
export const format = (keys: ReadonlyArray<Key>): Redacted.Redacted =>
  Redacted.make(keys.map(({ key, kid }) => `${kid}:${base64url.encode(Redacted.value(key))}`).join(","))

/** A fresh key under a name. */
export const make = (kid: string): Effect.Effect<Key> =>
  Effect.sync(() => ({ kid, key: Redacted.make(crypto.getRandomValues(new Uint8Array(keyLength))) }))

/** A fresh entry for the text above. */
export const generate: Effect.Effect<string> = Effect.suspend(() => {
  const name = crypto.getRandomValues(new Uint8Array(4))
  const kid = `k${Array.from(name, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  return Effect.map(make(kid), (key) => Redacted.value(format([key])))
})

/** A key that only encrypts and decrypts and that nothing can read out. */
const derive = async (master: CryptoKey, type: Type): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(type) },
    master,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"]
  )

/** One key per type of token, so that no token of one can pass for the other. */
export const deriveAll = ({ key }: Key): Effect.Effect<Readonly<Record<Type, CryptoKey>>> =>
  Effect.promise(async () => {
    const bytes = new Uint8Array(Redacted.value(key))
    const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"])
    return { quote: await derive(master, "quote"), operation: await derive(master, "operation") }
  })
