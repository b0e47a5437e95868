/** Encrypted EVM keys in Web3 Secret Storage version 3, the format that geth, Foundry and most wallets use. */
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { explained } from "../output/Exit.js"

const HexText = Schema.String.check(Schema.isPattern(/^(0x)?([0-9a-fA-F]{2})*$/))

/** An encrypted key. */
export const Keystore = Schema.Struct({
  version: Schema.Literal(3),
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  address: Schema.optionalKey(Schema.NullOr(Schema.String)),
  crypto: Schema.Struct({
    cipher: Schema.Literal("aes-128-ctr"),
    cipherparams: Schema.Struct({ iv: HexText }),
    ciphertext: HexText,
    kdf: Schema.Literals(["scrypt", "pbkdf2"]),
    kdfparams: Schema.Struct({
      dklen: Schema.Int,
      salt: HexText,
      n: Schema.optionalKey(Schema.Int),
      r: Schema.optionalKey(Schema.Int),
      p: Schema.optionalKey(Schema.Int),
      c: Schema.optionalKey(Schema.Int),
      prf: Schema.optionalKey(Schema.String)
    }),
    mac: HexText
  })
})
export type Keystore = typeof Keystore.Type

/** A key cannot be opened: it is missing or damaged, or the password is wrong. */
export class KeyError extends Schema.TaggedError<KeyError>()("KeyError", explained) {}

/** Creates a `KeyError`. */
export const keyError = (message: string, next: string) => new KeyError({ message, next })

const bytesOf = (hex: string) => Buffer.from(hex.replace(/^0x/, ""), "hex")

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Keystore))

/** Parses a keystore. Old files contain `Crypto`, because the specification ignores the case of field names. */
export const parse = (text: string, path: string) =>
  Effect.mapError(Effect.fromOption(decode(text.replace(/"Crypto"(?=\s*:)/, '"crypto"'))), () =>
    keyError(`${path} is not a supported version 3 keystore.`, "Choose another one with geoswap init.")
  )

/** Limits that protect against keystores designed to exhaust this machine's resources. */
const limits = { memory: 2 ** 30, rounds: 20_000_000 }

const deriveWith = promisify<Buffer, Buffer, number, object, Buffer>(scrypt)
const pbkdf2With = promisify(pbkdf2)

/** Converts scrypt parameters to Node's format, or returns `undefined` if the parameters are invalid. */
const scryptOf = ({ n, p, r }: Keystore["crypto"]["kdfparams"]) => {
  if (n === undefined || r === undefined || p === undefined) return undefined
  if (n < 2 || (n & (n - 1)) !== 0 || r < 1 || p < 1 || p > 16 || 128 * n * r > limits.memory) return undefined
  return { N: n, r, p, maxmem: 128 * n * r + 128 * r * p + 2 ** 20 }
}

/**
 * OpenSSL enforces the RFC's limit, n < 2^(16 r). Keystores with r = 1 exceed this limit, so slower JavaScript code is
 * used for them.
 */
const scryptWith = async (
  password: Buffer,
  salt: Buffer,
  dklen: number,
  options: NonNullable<ReturnType<typeof scryptOf>>
) => {
  const { N, maxmem, p, r } = options
  if (Math.log2(N) < 16 * r) return deriveWith(password, salt, dklen, options)
  const { scryptAsync } = await import("@noble/hashes/scrypt.js")
  return Buffer.from(await scryptAsync(password, salt, { N, r, p, dkLen: dklen, maxmem }))
}

const derive = Effect.fnUntraced(function* (password: Buffer, { kdf, kdfparams }: Keystore["crypto"]) {
  const { c = 0, dklen, prf, salt } = kdfparams
  const unusable = keyError("The keystore parameters are not supported.", "Create another keystore with geoswap init.")
  if (dklen < 32 || dklen > 64) return yield* unusable
  const run = (make: () => Promise<Buffer>) => Effect.tryPromise({ try: make, catch: () => unusable })
  if (kdf === "scrypt") {
    const options = scryptOf(kdfparams)
    return options === undefined
      ? yield* unusable
      : yield* run(() => scryptWith(password, bytesOf(salt), dklen, options))
  }
  if (prf !== "hmac-sha256" || c < 1 || c > limits.rounds) return yield* unusable
  return yield* run(() => pbkdf2With(password, bytesOf(salt), c, dklen, "sha256"))
})

/** Computes the MAC over the ciphertext. */
const macOf = (derived: Buffer, ciphertext: Buffer) =>
  Effect.promise(async () => {
    const { keccak256 } = await import("viem/utils")
    return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), "bytes"))
  })

/** Decrypts a keystore. Returns the 32-byte key, which the caller must wipe. */
export const decrypt = Effect.fn("Keystore.decrypt")(function* (keystore: Keystore, password: Redacted.Redacted) {
  const { crypto } = keystore
  const secret = Buffer.from(Redacted.value(password), "utf8")
  const derived = yield* derive(secret, crypto)
  secret.fill(0)
  const ciphertext = bytesOf(crypto.ciphertext)
  const [expected, found] = [bytesOf(crypto.mac), yield* macOf(derived, ciphertext)]
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) {
    derived.fill(0)
    return yield* keyError("The password is wrong.", "Try again with this keystore's password.")
  }
  const iv = bytesOf(crypto.cipherparams.iv)
  const plain = yield* Effect.try({
    try: () => {
      const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), iv)
      return Buffer.concat([decipher.update(ciphertext), decipher.final()])
    },
    catch: () => keyError("The keystore is damaged.", "Restore it from a backup.")
  })
  derived.fill(0)
  if (plain.length !== 32) {
    plain.fill(0)
    return yield* keyError("The keystore does not contain an EVM key.", "Choose another one with geoswap init.")
  }
  return plain
})

/** Encrypts a key. By default, decrypting it takes about half a second and 128 MiB per attempt. */
export const encrypt = Effect.fn("Keystore.encrypt")(function* (
  key: Uint8Array,
  address: string,
  password: Redacted.Redacted,
  parameters: Readonly<Record<"n" | "p" | "r", number>> = { n: 2 ** 17, r: 8, p: 1 }
) {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const secret = Buffer.from(Redacted.value(password), "utf8")
  const kdfparams = { dklen: 32, ...parameters, salt: salt.toString("hex") }
  const rest = { cipher: "aes-128-ctr", cipherparams: { iv: iv.toString("hex") }, kdf: "scrypt", kdfparams } as const
  const derived = yield* derive(secret, { ...rest, ciphertext: "", mac: "" })
  secret.fill(0)
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(key), cipher.final()])
  const mac = yield* macOf(derived, ciphertext)
  derived.fill(0)
  const keystore: Keystore = {
    address: address.replace(/^0x/, "").toLowerCase(),
    crypto: { ...rest, ciphertext: ciphertext.toString("hex"), mac: mac.toString("hex") },
    id: randomUUID(),
    version: 3
  }
  return keystore
})
