/** Handles `geoswap keys`: manages the keys in the configuration. Only `export` reveals one. */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { requireTerminal } from "../../agent/authority.js"
import * as ConfigFile from "../../config/ConfigFile.js"
import { checkName, isSameName } from "../../config/names.js"
import * as Settings from "../../config/Settings.js"
import { Flags } from "../../flags/Flags.js"
import { backupNotice, type KeyFlags, passedKeys, promptKey, useKeyFile } from "../../keys/chooseKeys.js"
import * as Keys from "../../keys/Keys.js"
import { namedKey, type UserKey, userKeys } from "../../keys/KeySource.js"
import { Host } from "../../node/Host.js"
import { writePrivate } from "../../node/secretFile.js"
import { usage, failure, declined } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import * as Prompts from "../../terminal/Prompts.js"

const noKey = (name: string, next: string) => usage(`There is no key "${Output.stripControls(name)}".`, next)

/** Lists the keys. The first key of a chain family is the default. */
export const list = Effect.fnUntraced(function* () {
  const all = yield* userKeys
  const keys = yield* Effect.forEach(all, (key) =>
    Effect.match(Keys.addressOfSource(key.family, key.source), {
      onSuccess: (address) => ({
        address: address && (key.family === "evm" ? Chain.checksum(address) : address),
        problem: undefined
      }),
      onFailure: ({ message }) => ({ address: undefined, problem: message })
    }).pipe(
      Effect.map((found) => ({ ...key, ...found, default: all.find(({ family }) => family === key.family) === key }))
    )
  )
  yield* Output.result(
    {
      keys: keys.map((key) => ({
        ...key,
        source: key.source.kind === "devnet" ? { kind: key.source.kind } : key.source
      }))
    },
    ({ dim, green, red }) =>
      keys.length === 0
        ? "You have no keys. Add one: geoswap keys add <name> --new"
        : Output.table(
            keys.map(({ address = "encrypted", default: isDefault, family, name, problem, source }) => [
              name,
              Keys.familyName[family],
              problem === undefined ? address : red("unusable"),
              isDefault ? green("default") : "",
              problem ?? Keys.describeSource(source)
            ]),
            { head: ["name", "family", "address", "", "from"], style: dim }
          )
  )
}, Effect.provide(Settings.layer))

const sourceHint = "Pass one of --new, --import, --keystore, --key-file or --solana-key-file."

const chooseKey = Effect.fnUntraced(function* (args: KeyFlags, folder: string) {
  const { interactive } = yield* Output.Output
  const { yes } = yield* Flags
  const { evm, solana } = passedKeys(args, folder)
  const [only, ...others] = [...evm, ...solana]
  if (only === undefined && interactive && !yes) {
    return yield* promptKey("Which key do you want to add?", sourceHint, folder, {
      title: "Use a Solana key file",
      description: "as written by solana-keygen",
      value: Effect.flatMap(Prompts.text("File", sourceHint), (named) => useKeyFile("solana", named))
    })
  }
  return only === undefined || others.length > 0
    ? yield* usage("Exactly one source is required for the key.", sourceHint)
    : yield* only
})

/** Adds a key. A new keystore and the configuration are written together. */
export const add = Effect.fnUntraced(function* (
  args: KeyFlags & { readonly name: string; readonly isDefault: boolean }
) {
  const { config, path, save } = yield* ConfigFile.edit
  const { isDefault, name } = args
  yield* checkName(name, config)
  const { created, key } = yield* chooseKey(args, dirname(path))
  const keys = isDefault ? { [name]: key, ...config.keys } : { ...config.keys, [name]: key }
  yield* save({ ...config, keys }, created && [created.file])
  if (created !== undefined) yield* Output.notice(backupNotice(created))
  const { family } = key
  const first = Object.entries(keys).find(([, other]) => other.family === family)?.[0] === name
  yield* Output.result({ name, family, default: first, path }, () =>
    [
      `Added the key ${name} to ${path}.`,
      first ? `It is the default on ${Keys.familyName[family]} chains.` : `Use it with --wallet ${name}.`
    ].join("\n")
  )
})

/** Finds a key by name, or fails with the names. */
const findKey = Effect.fnUntraced(function* (name: string) {
  const names = (yield* userKeys).map((key) => key.name)
  return (
    (yield* namedKey(name)) ??
    (yield* noKey(
      name,
      names.length === 0 ? "Add one: geoswap keys add <name> --new" : `Your keys: ${names.join(", ")}`
    ))
  )
})

/** Asks the user to type the name of the key. Without a terminal, `--confirm` must repeat it. `--yes` is not enough. */
const confirmExport = Effect.fnUntraced(function* ({ name }: UserKey, confirmed: string | undefined, where: string) {
  const output = yield* Output.Output
  if (confirmed !== undefined) {
    return confirmed === name
      ? undefined
      : yield* usage(`--confirm does not repeat the name of the key: expected ${name}.`, "Nothing was exported.")
  }
  const next = `Pass --confirm ${name} if you are sure. --yes does not confirm it.`
  if (!output.interactive) {
    return yield* declined(
      "Your confirmation is required, but no interactive terminal is available. Nothing was exported.",
      next
    )
  }
  yield* Output.notice(
    output.noticeStyle.yellow(
      `Anyone with the private key can take everything in the wallet. Never share it. It will be ${where}.`
    )
  )
  const typed = yield* Prompts.text(`Type ${name} to export the key`, next)
  if (typed.trim() !== name) {
    return yield* declined("Cancelled. Nothing was exported.", "Run the command again.")
  }
})

/** Prints a private key, or writes it to a file. */
export const exportKey = Effect.fnUntraced(function* (args: {
  readonly name: string
  readonly output: string | undefined
  readonly confirm: string | undefined
}) {
  const { folder } = yield* Host
  const key = yield* findKey(args.name)
  const path = args.output === undefined ? undefined : resolve(folder, args.output)
  if (path !== undefined && existsSync(path)) {
    return yield* failure(`${path} already exists.`, "Use another file.")
  }
  if (key.source.kind === "keystore") yield* requireTerminal("Exporting a key from a keystore")
  yield* confirmExport(key, args.confirm, path === undefined ? "printed" : `written to ${path}`)
  // A program that has the password in its environment, to sign, must not be able to export the key.
  const { address, privateKey } = yield* Effect.provideService(
    Keys.exportKey(key.family, key.source),
    Keys.PasswordSource,
    "typed"
  )
  const about = { name: key.name, family: key.family, address }
  if (path === undefined) {
    return yield* Output.result({ key: { ...about, privateKey: Redacted.value(privateKey) } }, () =>
      Redacted.value(privateKey)
    )
  }
  yield* writePrivate(path, `${Redacted.value(privateKey)}\n`)
  yield* Output.result({ key: { ...about, path } }, () => `Wrote the key for ${address} to ${path}.`)
}, Effect.provide(Settings.layer))

/** Finds a key in the configuration, and returns the others, too. */
const editKey = Effect.fnUntraced(function* (name: string) {
  const { config, path, save } = yield* ConfigFile.edit
  const entries = Object.entries(config.keys ?? {})
  const entry = entries.find(([one]) => isSameName(one, name))
  if (entry === undefined) return yield* noKey(name, "To list your keys, run 'geoswap keys list'.")
  return { config, path, save, entry, entries }
})

/** Renames a key. */
export const rename = Effect.fnUntraced(function* ({ name, to }: { readonly name: string; readonly to: string }) {
  const { config, entries, entry, path, save } = yield* editKey(name)
  const [before] = entry
  yield* checkName(to, config, before)
  yield* save({ ...config, keys: Object.fromEntries(entries.map((one) => (one === entry ? [to, one[1]] : one))) })
  yield* Output.result({ name: to, before, path }, () => `Renamed ${before} to ${to}.`)
})

/** Chooses the default key for the chains of its family: the first one in the configuration. */
export const setDefault = Effect.fnUntraced(function* ({ name }: { readonly name: string }) {
  const { config, entries, entry, path, save } = yield* editKey(name)
  const [known, { family }] = entry
  yield* save({ ...config, keys: Object.fromEntries([entry, ...entries]) })
  yield* Output.result(
    { name: known, family, default: true, path },
    () => `${known} is now the default key on ${Keys.familyName[family]} chains.`
  )
})
