/** Chooses the keys for a configuration: a new keystore, an imported key, or an existing key. */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../terminal/Prompts.js"
import type { Keys } from "../config/ConfigFile.js"
import { Failure } from "../output/Exit.js"
import { encrypt, KeyError } from "../keys/Keystore.js"
import { Output } from "../output/Output.js"
import { Host, variable } from "../node/Host.js"
import { parseEvmKey } from "../keys/parseKey.js"
import { readSecret, writePrivate } from "../node/secretFile.js"

/** The key flags for `geoswap init`. */
export interface KeyFlags {
  readonly newKeystore: boolean
  readonly importKey: boolean
  readonly keystore: string | undefined
  readonly keyFile: string | undefined
  readonly solanaKeyFile: string | undefined
}

/** Reads a new password from the environment or a file, or asks for it twice. */
const newPassword = Effect.gen(function* () {
  const host = yield* Host
  const fromEnvironment = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
  if (fromEnvironment !== undefined) return Redacted.make(fromEnvironment)
  const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
  if (file !== undefined) {
    const bytes = yield* readSecret(resolve(host.folder, file), "The password")
    return Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, ""))
  }
  const hint = "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
  const first = yield* Prompts.secret("Password for the new keystore", hint)
  const second = yield* Prompts.secret("Repeat the password", hint)
  return Redacted.value(first) === Redacted.value(second)
    ? first
    : yield* new Failure({ message: "The passwords do not match.", next: "Run geoswap init again." })
}).pipe(
  Effect.filterOrFail(
    (password) => Redacted.value(password).length >= 8,
    () => new Failure({ message: "The password is too short.", next: "Use at least 8 characters." })
  )
)

const addressOf = (key: Uint8Array) =>
  Effect.tryPromise({
    try: async () => {
      const { privateKeyToAddress } = await import("viem/accounts")
      return privateKeyToAddress(`0x${Buffer.from(key).toString("hex")}`)
    },
    catch: () =>
      new KeyError({
        message: "This is not an EVM key.",
        next: "Expected a secp256k1 key: 0x followed by 64 hex digits."
      })
  })

/** Encrypts a key into a keystore next to the configuration, and wipes the key. */
const storeKey = Effect.fnUntraced(function* (key: Uint8Array, folder: string) {
  const output = yield* Output
  const address = yield* addressOf(key)
  const path = join(folder, "keystores", `${address.toLowerCase()}.json`)
  if (existsSync(path)) {
    return yield* new Failure({ message: `${path} already exists.`, next: "Use it: geoswap init --keystore <path>" })
  }
  const keystore = yield* encrypt(key, address, yield* newPassword)
  key.fill(0)
  yield* writePrivate(path, `${JSON.stringify(keystore, null, 2)}\n`)
  yield* output.notice(
    `The key for ${address} is in ${path}. Back up the file and its password, because neither can be recovered.`
  )
  return { keystore: path }
})

const importedKey = Effect.gen(function* () {
  const host = yield* Host
  const fromEnvironment = variable(host, "GEOSWAP_EVM_KEY")
  const text = fromEnvironment ?? Redacted.value(yield* Prompts.secret("Private key", "Set GEOSWAP_EVM_KEY."))
  const bytes = parseEvmKey(text)
  return (
    bytes ??
    (yield* new KeyError({ message: "This is not an EVM key.", next: "Expected 0x followed by 64 hex digits." }))
  )
})

type EvmKey = NonNullable<Keys["evm"]>

/** Returns the name of a Foundry keystore unchanged, and resolves any other value to an absolute path. */
const pathOrName = (folder: string, named: string): string => (/[/~]/.test(named) ? resolve(folder, named) : named)

const askEvm = Effect.fnUntraced(function* (folder: string, here: string) {
  const hint = "Pass --new-keystore, --import-key, --keystore or --key-file."
  const how = yield* Prompts.select(
    "Which key should your EVM wallet use?",
    [
      { title: "Create a new key", value: "new" as const, description: "in an encrypted keystore" },
      { title: "Import a private key", value: "import" as const, description: "into an encrypted keystore" },
      {
        title: "Use an existing keystore",
        value: "keystore" as const,
        description: "a file, or a Foundry keystore by name"
      },
      { title: "None", value: "none" as const, description: "you can set GEOSWAP_EVM_KEY later" }
    ],
    hint
  )
  switch (how) {
    case "new":
      return yield* storeKey(randomBytes(32), folder)
    case "import":
      return yield* storeKey(yield* importedKey, folder)
    case "keystore":
      return { keystore: pathOrName(here, yield* Prompts.text("File or name", hint)) }
    case "none":
      return undefined
  }
})

/** Chooses the EVM key from the flags or a prompt. Returns `undefined` to keep the configured key. */
export const chooseEvmKey = Effect.fnUntraced(function* (flags: KeyFlags, folder: string, ask: boolean) {
  const { folder: here } = yield* Host
  const chosen = [flags.newKeystore, flags.importKey, flags.keystore !== undefined, flags.keyFile !== undefined]
  if (chosen.filter(Boolean).length > 1) {
    return yield* new Failure({
      message: "More than one EVM key was given.",
      next: "Pass only one of --new-keystore, --import-key, --keystore or --key-file.",
      exitCode: 64
    })
  }
  const key: EvmKey | undefined = flags.newKeystore
    ? yield* storeKey(randomBytes(32), folder)
    : flags.importKey
      ? yield* storeKey(yield* importedKey, folder)
      : flags.keystore !== undefined
        ? { keystore: pathOrName(here, flags.keystore) }
        : flags.keyFile !== undefined
          ? { file: resolve(here, flags.keyFile) }
          : ask
            ? yield* askEvm(folder, here)
            : undefined
  if (key?.file !== undefined) yield* readSecret(key.file, "The key")
  return key
})

/** Chooses the Solana key from the flag or a prompt. Returns `undefined` to keep the configured key. */
export const chooseSolanaKey = Effect.fnUntraced(function* (flags: KeyFlags, ask: boolean) {
  const { folder: here, home } = yield* Host
  const named =
    flags.solanaKeyFile ??
    (ask
      ? yield* Prompts.text(
          "Path to your Solana key file, as written by solana-keygen (leave empty for none)",
          "Pass --solana-key-file."
        )
      : "")
  if (named.trim() === "") return undefined
  const file = resolve(here, named.trim().replace(/^~(?=\/)/, home))
  yield* readSecret(file, "The key")
  return { file }
})
