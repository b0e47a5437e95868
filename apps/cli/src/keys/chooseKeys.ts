/**
 * Chooses a key for the configuration: a new keystore, an imported key, or an existing key. Nothing is written here: a
 * new keystore is returned, so that it can be written together with the configuration.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Key } from "../config/ConfigFile.js"
import { Host, inHome, variable } from "../node/Host.js"
import type { PrivateFile } from "../node/secretFile.js"
import { failure } from "../output/Exit.js"
import * as Prompts from "../terminal/Prompts.js"
import * as Keys from "./Keys.js"
import { encrypt } from "./Keystore.js"
import { keystorePath } from "./KeySource.js"

/** The flags that choose a key. */
export interface KeyFlags {
  readonly newKey: boolean
  readonly importKey: boolean
  readonly keystore: string | undefined
  readonly keyFile: string | undefined
  readonly solanaKeyFile: string | undefined
}

/** A chosen key and, if the key is new, the keystore to write and its address. */
interface ChosenKey {
  readonly key: Key
  readonly created?: { readonly file: PrivateFile; readonly address: string }
}

/** What to say once a new keystore has been written. */
export const backupNotice = ({ address, file }: NonNullable<ChosenKey["created"]>) =>
  `The key for ${address} is in ${file.path}. Back up the file and its password, because neither can be recovered.`

const checkLength = (password: Redacted.Redacted) =>
  Redacted.value(password).length >= 8
    ? Effect.succeed(password)
    : Effect.fail(failure("The password is too short.", "Use at least 8 characters."))

/** Reads a new password from the environment or a file, or asks for it twice, until the answers are valid. */
const newPassword = Effect.gen(function* () {
  const stored = yield* Keys.storedPassword
  if (stored !== undefined) return yield* checkLength(stored)
  const hint = "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
  return yield* Prompts.untilValid(
    Effect.gen(function* () {
      const first = yield* checkLength(yield* Prompts.secret("Password for the new keystore", hint))
      const second = yield* Prompts.secret("Repeat the password", hint)
      return Redacted.value(first) === Redacted.value(second)
        ? first
        : yield* failure("The passwords do not match.", "Enter the password again.")
    })
  )
})

/** Encrypts an EVM key into a keystore next to the configuration, and wipes the key. */
const encryptKey = Effect.fnUntraced(function* (text: string, where: string, folder: string) {
  const { address, bytes } = yield* Keys.decodeEvm(text, where)
  const path = join(folder, "keystores", `${address.toLowerCase()}.json`)
  if (existsSync(path)) {
    return yield* failure(`There is already a keystore for this key: ${path}.`, "Use that file.")
  }
  const keystore = yield* encrypt(bytes, address, yield* newPassword)
  bytes.fill(0)
  const chosen: ChosenKey = {
    key: { family: "evm", keystore: path },
    created: { file: { path, text: `${JSON.stringify(keystore, null, 2)}\n` }, address }
  }
  return chosen
})

const createKey = (folder: string) =>
  Effect.suspend(() => encryptKey(randomBytes(32).toString("hex"), "the new key", folder))

/** Imports a key from the environment or a prompt. */
const importKey = Effect.fnUntraced(function* (folder: string) {
  const fromEnvironment = variable(yield* Host, "GEOSWAP_EVM_KEY")
  const text = fromEnvironment ?? Redacted.value(yield* Prompts.secret("Private key", "Set GEOSWAP_EVM_KEY."))
  return yield* encryptKey(text, "your input", folder)
})

/** Uses an existing keystore, given by its path or by its name in Foundry's folder. */
const useKeystore = Effect.fnUntraced(function* (named: string, folder: string) {
  const host = yield* Host
  const keystore = /[/~]/.test(named) ? resolve(host.folder, inHome(host, named)) : named
  yield* Keys.readKeystore(keystorePath(host, folder, keystore))
  const chosen: ChosenKey = { key: { family: "evm", keystore } }
  return chosen
})

/** Uses the key in a file, which must be valid. */
export const useKeyFile = Effect.fnUntraced(function* (family: Chain.Family, named: string) {
  const host = yield* Host
  const file = resolve(host.folder, inHome(host, named.trim()))
  yield* Keys.addressOfSource(family, { kind: "file", path: file })
  const chosen: ChosenKey = { key: { family, file } }
  return chosen
})

type Choosing<A> = Effect.Effect<
  A,
  Effect.Error<ReturnType<typeof useKeyFile>>,
  Effect.Services<ReturnType<typeof useKeyFile>>
>

/** Asks how to choose a key, and again after a mistake. */
export const promptKey = <A>(
  question: string,
  hint: string,
  folder: string,
  other: { readonly title: string; readonly description: string; readonly value: Choosing<A> }
): Choosing<ChosenKey | A> => {
  const named = Prompts.text("File or name", hint)
  const choice = Prompts.select<Choosing<ChosenKey | A>>(
    question,
    [
      { title: "Create a new EVM key", description: "in an encrypted keystore", value: createKey(folder) },
      { title: "Import an EVM private key", description: "into an encrypted keystore", value: importKey(folder) },
      {
        title: "Use an existing keystore",
        description: "a file, or a Foundry keystore by name",
        value: Effect.flatMap(named, (keystore) => useKeystore(keystore, folder))
      },
      other
    ],
    hint
  )
  return Prompts.untilValid(Effect.flatten(choice))
}

/** The keys that the flags choose, by chain family. */
export const passedKeys = (flags: KeyFlags, folder: string) => ({
  evm: [
    ...(flags.newKey ? [createKey(folder)] : []),
    ...(flags.importKey ? [importKey(folder)] : []),
    ...(flags.keystore === undefined ? [] : [useKeystore(flags.keystore, folder)]),
    ...(flags.keyFile === undefined ? [] : [useKeyFile("evm", flags.keyFile)])
  ],
  solana: flags.solanaKeyFile === undefined ? [] : [useKeyFile("solana", flags.solanaKeyFile)]
})
