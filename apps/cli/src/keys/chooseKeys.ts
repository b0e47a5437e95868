/**
 * Chooses the keys for a configuration: a new keystore, an imported key, or an existing key. Nothing is written here: a
 * new keystore is returned, so that it can be written together with the configuration.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../terminal/Prompts.js"
import type { Keys } from "../config/ConfigFile.js"
import { Failure } from "../output/Exit.js"
import { encrypt, KeyError } from "./Keystore.js"
import { readKeystore } from "./Keys.js"
import { keystorePath } from "./KeySource.js"
import { Host, variable } from "../node/Host.js"
import { parseEvmKey, parseSolanaKey } from "./parseKey.js"
import { type PrivateFile, readSecret } from "../node/secretFile.js"

/** The key flags for `geoswap init`. */
export interface KeyFlags {
  readonly newKeystore: boolean
  readonly importKey: boolean
  readonly keystore: string | undefined
  readonly keyFile: string | undefined
  readonly solanaKeyFile: string | undefined
}

type EvmKey = NonNullable<Keys["evm"]>

/** A chosen key and, if the key is new, the keystore to write and its address. */
interface ChosenKey {
  readonly key: EvmKey
  readonly created?: { readonly file: PrivateFile; readonly address: string }
}

const checkLength = (password: Redacted.Redacted) =>
  Redacted.value(password).length >= 8
    ? Effect.succeed(password)
    : Effect.fail(new Failure({ message: "The password is too short.", next: "Use at least 8 characters." }))

/** Asks for a new password twice, and again if the answers differ or are too short. */
const promptPassword = Prompts.untilValid(
  Effect.gen(function* () {
    const hint = "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
    const first = yield* checkLength(yield* Prompts.secret("Password for the new keystore", hint))
    const second = yield* Prompts.secret("Repeat the password", hint)
    return Redacted.value(first) === Redacted.value(second)
      ? first
      : yield* new Failure({ message: "The passwords do not match.", next: "Enter the password again." })
  })
)

/** Reads a new password from the environment or a file, or asks for it. */
const newPassword = Effect.gen(function* () {
  const host = yield* Host
  const fromEnvironment = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
  if (fromEnvironment !== undefined) return yield* checkLength(Redacted.make(fromEnvironment))
  const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
  if (file === undefined) return yield* promptPassword
  const bytes = yield* readSecret(resolve(host.folder, file), "The password")
  return yield* checkLength(Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, "")))
})

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
const encryptKey = Effect.fnUntraced(function* (key: Uint8Array, folder: string) {
  const address = yield* addressOf(key)
  const path = join(folder, "keystores", `${address.toLowerCase()}.json`)
  if (existsSync(path)) {
    return yield* new Failure({ message: `There is already a keystore for this key: ${path}.`, next: "Use that file." })
  }
  const keystore = yield* encrypt(key, address, yield* newPassword)
  key.fill(0)
  const chosen: ChosenKey = {
    key: { keystore: path },
    created: { file: { path, text: `${JSON.stringify(keystore, null, 2)}\n` }, address }
  }
  return chosen
})

/** Creates a key. */
export const createKey = (folder: string) => Effect.suspend(() => encryptKey(randomBytes(32), folder))

/** Imports a key from the environment or a prompt. */
export const importKey = Effect.fnUntraced(function* (folder: string) {
  const host = yield* Host
  const fromEnvironment = variable(host, "GEOSWAP_EVM_KEY")
  const text = fromEnvironment ?? Redacted.value(yield* Prompts.secret("Private key", "Set GEOSWAP_EVM_KEY."))
  const bytes = parseEvmKey(text)
  return bytes === undefined
    ? yield* new KeyError({ message: "This is not an EVM key.", next: "Expected 0x followed by 64 hex digits." })
    : yield* encryptKey(bytes, folder)
})

/** Uses an existing keystore, given by its path or by its name in Foundry's folder. */
export const useKeystore = Effect.fnUntraced(function* (named: string, folder: string) {
  const host = yield* Host
  const keystore = /[/~]/.test(named) ? resolve(host.folder, named.replace(/^~(?=\/)/, host.home)) : named
  yield* readKeystore(keystorePath(host, folder, keystore))
  const chosen: ChosenKey = { key: { keystore } }
  return chosen
})

/** Uses the EVM key in a file. */
export const useKeyFile = Effect.fnUntraced(function* (named: string) {
  const { folder, home } = yield* Host
  const file = resolve(folder, named.replace(/^~(?=\/)/, home))
  const text = new TextDecoder().decode(yield* readSecret(file, "The key"))
  if (parseEvmKey(text) === undefined) {
    return yield* new KeyError({
      message: `There is no EVM key in ${file}.`,
      next: "Expected 0x followed by 64 hex digits."
    })
  }
  const chosen: ChosenKey = { key: { file } }
  return chosen
})

/** Uses the Solana key in a file. */
export const useSolanaKeyFile = Effect.fnUntraced(function* (named: string) {
  const { folder, home } = yield* Host
  const file = resolve(folder, named.trim().replace(/^~(?=\/)/, home))
  const text = new TextDecoder().decode(yield* readSecret(file, "The key"))
  if (parseSolanaKey(text) === undefined) {
    return yield* new KeyError({
      message: `There is no Solana key in ${file}.`,
      next: "Expected 64 bytes in base58, or the byte array that solana-keygen writes."
    })
  }
  return { file }
})

const askEvm = Effect.fnUntraced(function* (folder: string) {
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
      return yield* createKey(folder)
    case "import":
      return yield* importKey(folder)
    case "keystore":
      return yield* useKeystore(yield* Prompts.text("File or name", hint), folder)
    case "none":
      return undefined
  }
})

/** Chooses the EVM key from the flags or a prompt. Returns `undefined` to keep the configured key. */
export const chooseEvmKey = Effect.fnUntraced(function* (flags: KeyFlags, folder: string, ask: boolean) {
  const chosen = [flags.newKeystore, flags.importKey, flags.keystore !== undefined, flags.keyFile !== undefined]
  if (chosen.filter(Boolean).length > 1) {
    return yield* new Failure({
      message: "More than one EVM key was given.",
      next: "Pass only one of --new-keystore, --import-key, --keystore or --key-file.",
      exitCode: 64
    })
  }
  if (flags.newKeystore) return yield* createKey(folder)
  if (flags.importKey) return yield* importKey(folder)
  if (flags.keystore !== undefined) return yield* useKeystore(flags.keystore, folder)
  if (flags.keyFile !== undefined) return yield* useKeyFile(flags.keyFile)
  return ask ? yield* Prompts.untilValid(askEvm(folder)) : undefined
})

/** Chooses the Solana key from the flag or a prompt. Returns `undefined` to keep the configured key. */
export const chooseSolanaKey = Effect.fnUntraced(function* (flags: KeyFlags, ask: boolean) {
  if (flags.solanaKeyFile !== undefined) return yield* useSolanaKeyFile(flags.solanaKeyFile)
  if (!ask) return undefined
  return yield* Prompts.untilValid(
    Effect.gen(function* () {
      const named = yield* Prompts.text(
        "Path to your Solana key file, as written by solana-keygen (leave empty for none)",
        "Pass --solana-key-file."
      )
      return named.trim() === "" ? undefined : yield* useSolanaKeyFile(named)
    })
  )
})
