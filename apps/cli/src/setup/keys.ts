/** The keys of a new configuration: a new keystore, an imported one, or one that is there already. */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ask from "../terminal/Prompts.js"
import type { Keys } from "../config/ConfigFile.js"
import { Failure } from "../output/Exit.js"
import { KeyError, seal } from "../keys/Keystore.js"
import { Output } from "../output/Output.js"
import { Host, variable } from "../node/Host.js"
import { bytesOfEvmKey } from "../keys/parseKey.js"
import { readSecret, writePrivate } from "../node/secretFile.js"

/** What the flags say about keys. */
export interface KeyFlags {
  readonly newKeystore: boolean
  readonly importKey: boolean
  readonly keystore: string | undefined
  readonly keyFile: string | undefined
  readonly solanaKeyFile: string | undefined
}

/** A new password: from the environment for scripts, otherwise typed twice. */
const newPassword = Effect.gen(function* () {
  const host = yield* Host
  const given = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
  if (given !== undefined) return Redacted.make(given)
  const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
  if (file !== undefined) {
    const bytes = yield* readSecret(resolve(host.folder, file), "The password")
    return Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, ""))
  }
  const instead = "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
  const first = yield* Ask.secret("A password for the new keystore", instead)
  const second = yield* Ask.secret("The same again", instead)
  return Redacted.value(first) === Redacted.value(second)
    ? first
    : yield* new Failure({ message: "The two passwords differ.", next: "Run geoswap init again." })
}).pipe(
  Effect.filterOrFail(
    (password) => Redacted.value(password).length >= 8,
    () => new Failure({ message: "The password is too short.", next: "Use 8 characters or more." })
  )
)

const addressOf = (key: Uint8Array) =>
  Effect.tryPromise({
    try: async () => {
      const { privateKeyToAddress } = await import("viem/accounts")
      return privateKeyToAddress(`0x${Buffer.from(key).toString("hex")}`)
    },
    catch: () =>
      new KeyError({ message: "That is no EVM key.", next: "It should be 0x and 64 hex digits of the curve." })
  })

/** Encrypts a key into a keystore beside the configuration, and wipes it. */
const store = Effect.fnUntraced(function* (key: Uint8Array, folder: string) {
  const output = yield* Output
  const address = yield* addressOf(key)
  const path = join(folder, "keystores", `${address.toLowerCase()}.json`)
  if (existsSync(path)) {
    return yield* new Failure({ message: `${path} is there already.`, next: "Use it: geoswap init --keystore <path>" })
  }
  const keystore = yield* seal(key, address, yield* newPassword)
  key.fill(0)
  yield* writePrivate(path, `${JSON.stringify(keystore, null, 2)}\n`)
  yield* output.remark(`The key of ${address} is in ${path}. Keep a copy, and its password: nobody can restore them.`)
  return { keystore: path }
})

const importedKey = Effect.gen(function* () {
  const host = yield* Host
  const given = variable(host, "GEOSWAP_EVM_KEY")
  const text = given ?? Redacted.value(yield* Ask.secret("The private key", "Set GEOSWAP_EVM_KEY."))
  const bytes = bytesOfEvmKey(text)
  return bytes ?? (yield* new KeyError({ message: "That is no EVM key.", next: "It should be 0x and 64 hex digits." }))
})

type EvmKey = NonNullable<Keys["evm"]>

/** Names of Foundry's keystores stay names; anything else becomes a whole path. */
const pathOrName = (folder: string, named: string): string => (/[/~]/.test(named) ? resolve(folder, named) : named)

const askEvm = Effect.fnUntraced(function* (folder: string, here: string) {
  const instead = "Say it with --new-keystore, --import-key, --keystore or --key-file."
  const how = yield* Ask.choose(
    "The key of your EVM wallet",
    [
      { title: "Make a new one", value: "new" as const, description: "in an encrypted keystore" },
      { title: "Import a private key", value: "import" as const, description: "into an encrypted keystore" },
      {
        title: "Use a keystore that I have",
        value: "keystore" as const,
        description: "a file, or a name of Foundry's"
      },
      { title: "None", value: "none" as const, description: "or later, from GEOSWAP_EVM_KEY" }
    ],
    instead
  )
  switch (how) {
    case "new":
      return yield* store(randomBytes(32), folder)
    case "import":
      return yield* store(yield* importedKey, folder)
    case "keystore":
      return { keystore: pathOrName(here, yield* Ask.text("The file, or the name", instead)) }
    case "none":
      return undefined
  }
})

/** The EVM key of the configuration, by the flags or by questions; `undefined` leaves what is there. */
export const evmKey = Effect.fnUntraced(function* (flags: KeyFlags, folder: string, ask: boolean) {
  const { folder: here } = yield* Host
  const given = [flags.newKeystore, flags.importKey, flags.keystore !== undefined, flags.keyFile !== undefined]
  if (given.filter(Boolean).length > 1) {
    return yield* new Failure({
      message: "There can be one EVM key.",
      next: "Say one of --new-keystore, --import-key, --keystore and --key-file.",
      exitCode: 64
    })
  }
  const key: EvmKey | undefined = flags.newKeystore
    ? yield* store(randomBytes(32), folder)
    : flags.importKey
      ? yield* store(yield* importedKey, folder)
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

/** The Solana key of the configuration. */
export const solanaKey = Effect.fnUntraced(function* (flags: KeyFlags, ask: boolean) {
  const { folder: here, home } = yield* Host
  const named =
    flags.solanaKeyFile ??
    (ask
      ? yield* Ask.text(
          "The file of your Solana key, as solana-keygen writes it (empty for none)",
          "Say it with --solana-key-file."
        )
      : "")
  if (named.trim() === "") return undefined
  const file = resolve(here, named.trim().replace(/^~(?=\/)/, home))
  yield* readSecret(file, "The key")
  return { file }
})
