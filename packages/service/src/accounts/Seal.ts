/**
 * Sealed tokens. A token contains what later calls need. Callers pass it on, but can neither read nor change its
 * contents.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Cipher } from "../crypto/Cipher.js"
import * as RandomPool from "../crypto/randomPool.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import * as token from "./sealedToken.js"
import * as keys from "./sealKeys.js"

/** The type of a token. */
export type Type = token.Type

/** What a token is bound to. A token can be opened only for this account and by this chain family's endpoints. */
export interface Binding {
  readonly family: "evm" | "solana"
  readonly account: string
}

export {
  format as formatKeys,
  generate as generateKey,
  InvalidKeys,
  type Key,
  make as makeKey,
  parse as parseKeys
} from "./sealKeys.js"

export interface Options {
  /** The name of the environment. Tokens from one environment cannot be opened in another, even with the same keys. */
  readonly environment: string
  /** The master keys. The first key seals new tokens, and all keys can open tokens. */
  readonly keys: ReadonlyArray<keys.Key>
}

/** The token cannot be opened. The message gives no reason, because a reason would only help an attacker. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", {}) {
  override get message() {
    return "The sealed token was modified, or is not for this call. Send it exactly as the previous call returned it."
  }
}

export interface Seal {
  /** Seals a UTF-8 payload, which can be passed as a string or as bytes. */
  readonly seal: (type: Type, binding: Binding, payload: Uint8Array | string) => Effect.Effect<string>
  /** Opens a token and returns its payload. Fails unless the token was sealed with this type and binding. */
  readonly open: (type: Type, binding: Binding, token: string) => Effect.Effect<string, InvalidToken>
}

/** Seals and opens tokens. A token's contents determine when it expires. */
export const Seal = /* @__PURE__ */ Context.Service<Seal>("@geoswap/service/Seal")

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Returns the data that a token's ciphertext is bound to. The data is encoded as a JSON array, so different inputs
 * never have the same encoding.
 */
const associatedData = (type: Type, { account, family }: Binding, kid: string, environment: string) =>
  encoder.encode(JSON.stringify([type, family, kid, environment, account]))

/** Decodes UTF-8. Returns `undefined` if the bytes are not UTF-8. */
const textOf = (bytes: Uint8Array) => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Creates a service that seals and opens tokens. The key for each token type is derived only once. */
export const make = Effect.fnUntraced(function* ({ environment, keys: given }: Options) {
  const cipher = yield* Cipher
  const masters = yield* keys.check(given)
  const derived = yield* Effect.forEach(masters, (master) =>
    Effect.map(keys.deriveAll(cipher, master), (keys) => [master.kid, keys] as const)
  )
  const opening = new Map(derived)
  const [[sealingKid, sealingKeys]] = derived
  const random = RandomPool.make()
  // One error for all failures, so that not even its stack gives a reason.
  const invalid = Effect.fail(new InvalidToken())

  const seal = withSpanIfTraced("Seal.seal", (type: Type, binding: Binding, payload: Uint8Array | string) => {
    const plaintext = typeof payload === "string" ? encoder.encode(payload) : new Uint8Array(payload)
    // Random 96-bit nonces are safe for 2^32 tokens per type and key, which is enough for more than a year at 100
    // tokens per second.
    const head = { kid: sealingKid, nonce: random(token.nonceLength) }
    const associated = associatedData(type, binding, head.kid, environment)
    return Effect.flatMap(sealingKeys[type].encrypt(head.nonce, associated, plaintext), (ciphertext) => {
      const sealed = token.format(type, { ...head, ciphertext }, cipher)
      return sealed.length > token.maxLength
        ? Effect.die(`the ${type} is too large for a sealed token`)
        : Effect.succeed(sealed)
    })
  })

  const open = withSpanIfTraced("Seal.open", (type: Type, binding: Binding, text: string) => {
    const parts = token.parse(type, text, cipher)
    const key = parts && opening.get(parts.kid)?.[type]
    if (parts === undefined || key === undefined) return invalid
    const associated = associatedData(type, binding, parts.kid, environment)
    return Effect.flatMap(key.decrypt(parts.nonce, associated, parts.ciphertext), (plaintext) => {
      const opened = plaintext && textOf(plaintext)
      return opened === undefined ? invalid : Effect.succeed(opened)
    })
  })

  return Seal.of({ seal, open })
})

/** A layer that provides the seal. */
export const layer = (options: Options) => Layer.effect(Seal, make(options))
