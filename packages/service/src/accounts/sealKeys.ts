/** Seal keys: parsing, validation, and derivation of one key per token type. */
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Cipher } from "../crypto/Cipher.js"
import * as base64url from "./base64url.js"

/** A master key and the key id that its tokens carry. */
export interface Key {
  readonly kid: string
  readonly key: Redacted.Redacted<Uint8Array>
}

/** The keys are invalid. The message identifies an invalid key by its position and never contains the key. */
export class InvalidKeys extends Schema.TaggedError<InvalidKeys>()("InvalidKeys", { message: Schema.String }) {}

const keyLength = 32
const isKid = (text: string) => /^[A-Za-z0-9_-]{1,16}$/.test(text)

const keyFormat = "Write the keys as `kid:key` pairs, separated by commas. The first key seals new tokens."

const noKey = `No seal key is set. ${keyFormat}`

const problemOf = (keys: ReadonlyArray<Key>) => {
  for (const [index, { kid, key }] of keys.entries()) {
    if (!isKid(kid)) return `The name of key ${index + 1} must be 1 to 16 letters, digits, _ or -. ${keyFormat}`
    if (Redacted.value(key).length !== keyLength) return `Key ${index + 1} is not ${keyLength} bytes long.`
    const first = keys.findIndex((other) => other.kid === kid)
    if (first !== index) return `Keys ${first + 1} and ${index + 1} have the same name. Give each key its own name.`
  }
  return undefined
}

/** Validates keys. There must be at least one key, and each key must have the right length and a unique key id. */
export const check = (keys: ReadonlyArray<Key>): Effect.Effect<NonEmptyReadonlyArray<Key>, InvalidKeys> => {
  const message = problemOf(keys)
  return message === undefined && isReadonlyArrayNonEmpty(keys)
    ? Effect.succeed(keys)
    : Effect.fail(new InvalidKeys({ message: message ?? noKey }))
}

/** Parses keys from an environment variable: `kid:base64url-of-32-bytes,kid2:…`. The first key seals new tokens. */
export const parse = Effect.fnUntraced(function* (text: Redacted.Redacted) {
  const written = Redacted.value(text).trim()
  const keys: Array<Key> = []
  for (const [index, entry] of (written === "" ? [] : written.split(",")).entries()) {
    const [kid = "", body, ...more] = entry.trim().split(":")
    if (body === undefined || more.length > 0) {
      return yield* new InvalidKeys({ message: `Key ${index + 1} does not have the form \`kid:key\`. ${keyFormat}` })
    }
    const bytes = base64url.decode(body)
    if (bytes?.length !== keyLength) {
      return yield* new InvalidKeys({
        message: `Key ${index + 1} is not ${keyLength} bytes in unpadded base64url (43 characters).`
      })
    }
    keys.push({ kid, key: Redacted.make(bytes) })
  }
  return yield* check(keys)
})

/** Formats keys as `parse` expects them. The order of the keys does not change. */
export const format = (keys: ReadonlyArray<Key>) =>
  Redacted.make(keys.map(({ key, kid }) => `${kid}:${base64url.encode(Redacted.value(key))}`).join(","))

/** Creates a new key. `kid` consists of 1 to 16 letters, digits, underscores or hyphens. */
export const make = (kid: string): Effect.Effect<Key> =>
  Effect.sync(() => ({ kid, key: Redacted.make(crypto.getRandomValues(new Uint8Array(keyLength))) }))

/** Generates a key with a new key id, in the format that `parse` accepts. The result is a secret. */
export const generate = Effect.suspend(() => {
  const kid = `k${Hex.encode(crypto.getRandomValues(new Uint8Array(4)))}`
  return Effect.map(make(kid), (key) => Redacted.value(format([key])))
})

/** Derives one key per token type, so a token of one type can never be opened as another type. */
export const deriveAll = ({ derive }: Cipher, { key }: Key) => {
  const master = new Uint8Array(Redacted.value(key))
  return Effect.all({ quote: derive(master, "quote"), operation: derive(master, "operation") })
}
