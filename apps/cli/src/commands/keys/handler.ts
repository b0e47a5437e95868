/** Handles `geoswap keys`: manages the keys in the configuration. Only `export` reveals one. */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { requireTerminal } from "../../agent/authority.js"
import * as ConfigFile from "../../config/ConfigFile.js"
import { isName, isSameName, nameFormat } from "../../config/names.js"
import * as Settings from "../../config/Settings.js"
import { isConfusable } from "../../chains/tokenSymbols.js"
import * as Keys from "../../keys/Keys.js"
import { namedKey, type UserKey, userKeys } from "../../keys/KeySource.js"
import { Host } from "../../node/Host.js"
import { writeAllPrivate, writePrivate } from "../../node/secretFile.js"
import { Declined, Failure, UsageError } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import { createKey, importKey, useKeyFile, useKeystore, useSolanaKeyFile } from "../../keys/chooseKeys.js"
import * as Prompts from "../../terminal/Prompts.js"
import { Flags } from "../../flags/Flags.js"

const usage = (message: string, next: string) => new UsageError({ message, next })

/** Reads the configuration file. Fails if `--devnet` is passed, because a devnet's keys come from the devnet. */
const file = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const { devnetFile } = yield* Settings.load
  if (devnetFile !== undefined) {
    return yield* usage("A devnet's keys come from the devnet file.", "Omit --devnet to change your own keys.")
  }
  const path = ConfigFile.pathOf(flags, host)
  const config = yield* ConfigFile.readOrEmpty(path)
  return { path, config, keys: config.keys ?? {} }
})

/** Checks a configuration before it is written. */
const checked = (path: string, config: ConfigFile.ConfigFile) => ConfigFile.parse(JSON.stringify(config), path)

const sourceJson = ({ source }: UserKey) =>
  source.kind === "environment"
    ? { kind: source.kind, variable: source.variable }
    : source.kind === "devnet"
      ? { kind: source.kind }
      : { kind: source.kind, path: source.path }

const checksummed = ({ kind }: UserKey, address: string): string => (kind === "evm" ? Chain.checksum(address) : address)

/** Lists the keys. */
export const list = Effect.fnUntraced(function* () {
  const output = yield* Output.Output
  const keys = yield* Effect.forEach(yield* userKeys, (key) =>
    Effect.match(Keys.addressOfSource(key.kind, key.source), {
      onSuccess: (address) => ({ key, address: address && checksummed(key, address), problem: undefined }),
      onFailure: ({ message }) => ({ key, address: undefined, problem: message })
    })
  )
  yield* output.result(
    {
      keys: keys.map(({ address, key, problem }) => ({
        name: key.name,
        kind: key.kind,
        address,
        default: key.isDefault,
        source: sourceJson(key),
        problem
      }))
    },
    ({ dim, green, red }) =>
      keys.length === 0
        ? "You have no keys. Add one: geoswap keys add <name> --new"
        : Output.table(
            keys.map(({ address, key, problem }) => [
              key.name,
              Keys.familyName[key.kind],
              problem === undefined ? (address ?? "encrypted") : red("unusable"),
              key.isDefault ? green("default") : "",
              problem ?? Keys.describeSource(key.source)
            ]),
            { head: ["name", "kind", "address", "", "from"], style: dim }
          )
  )
}, Effect.provide(Settings.layer))

/** The flags of `keys add`. */
interface AddArgs {
  readonly name: string
  readonly newKey: boolean
  readonly importKey: boolean
  readonly keystore: string | undefined
  readonly keyFile: string | undefined
  readonly solanaKeyFile: string | undefined
  readonly isDefault: boolean
}

/** Fails unless a name is free: not used by a key or contact, and not similar to one. */
const checkName = Effect.fnUntraced(function* (name: string, config: ConfigFile.ConfigFile, except?: string) {
  if (!isName(name) || isSameName(name, "evm") || isSameName(name, "solana")) {
    return yield* usage(`"${Output.stripControls(name)}" is not a name.`, `Use ${nameFormat}, but not evm or solana.`)
  }
  const names = [...Object.keys(config.keys?.named ?? {}), ...Object.keys(config.contacts ?? {})]
  const other = names.find((one) => one !== except && isConfusable(one, name))
  if (other !== undefined) {
    return yield* usage(`"${name}" is taken, or looks like "${other}".`, "Use another name.")
  }
})

const sourceHint = "Pass one of --new, --import, --keystore, --key-file or --solana-key-file."

/** Asks for the source of the key. */
const promptSource = Effect.fnUntraced(function* (folder: string) {
  const how = yield* Prompts.select(
    "Which key do you want to add?",
    [
      { title: "Create a new EVM key", value: "new" as const, description: "in an encrypted keystore" },
      { title: "Import an EVM key", value: "import" as const, description: "into an encrypted keystore" },
      { title: "Use an existing keystore", value: "keystore" as const, description: "a file, or a Foundry keystore" },
      { title: "Use a Solana key file", value: "solana" as const, description: "as written by solana-keygen" }
    ],
    sourceHint
  )
  switch (how) {
    case "new":
      return { kind: "evm" as const, ...(yield* createKey(folder)) }
    case "import":
      return { kind: "evm" as const, ...(yield* importKey(folder)) }
    case "keystore":
      return { kind: "evm" as const, ...(yield* useKeystore(yield* Prompts.text("File or name", sourceHint), folder)) }
    case "solana":
      return { kind: "solana" as const, key: yield* useSolanaKeyFile(yield* Prompts.text("File", sourceHint)) }
  }
})

const chooseKey = Effect.fnUntraced(function* (args: AddArgs, folder: string) {
  const { interactive } = yield* Output.Output
  const { yes } = yield* Flags
  const passed = [args.newKey, args.importKey, args.keystore, args.keyFile, args.solanaKeyFile].filter(
    (one) => one !== false && one !== undefined
  )
  if (passed.length === 0 && interactive && !yes) {
    return { created: undefined, ...(yield* Prompts.untilValid(promptSource(folder))) }
  }
  if (passed.length !== 1) return yield* usage("Exactly one source is required for the key.", sourceHint)
  if (args.solanaKeyFile !== undefined) {
    return { kind: "solana" as const, key: yield* useSolanaKeyFile(args.solanaKeyFile), created: undefined }
  }
  const { created, key } = yield* args.newKey
    ? createKey(folder)
    : args.importKey
      ? importKey(folder)
      : args.keystore !== undefined
        ? useKeystore(args.keystore, folder)
        : useKeyFile(args.keyFile ?? "")
  return { kind: "evm" as const, key, created }
})

/** Adds a key. A new keystore and the configuration are written together. */
export const add = Effect.fnUntraced(function* (args: AddArgs) {
  const output = yield* Output.Output
  const { config, keys, path } = yield* file
  yield* checkName(args.name, config)
  const { created, key, kind } = yield* chooseKey(args, dirname(path))
  const isDefault = args.isDefault || keys[kind] === undefined
  const named = { ...keys.named, [args.name]: { kind, ...key } }
  const after = yield* checked(path, {
    ...config,
    keys: {
      ...(yield* withNamedDefault(keys, kind, isDefault)),
      ...(isDefault && { [kind]: { name: args.name } }),
      named
    }
  })
  yield* writeAllPrivate([...(created === undefined ? [] : [created.file]), ConfigFile.toFile(path, after)])
  if (created !== undefined) {
    yield* output.notice(
      `The key for ${created.address} is in ${created.file.path}. Back up the file and its password, because neither can be recovered.`
    )
  }
  yield* output.result({ name: args.name, kind, default: isDefault, path }, () =>
    [
      `Added the key ${args.name} to ${path}.`,
      isDefault ? `It is the default on ${Keys.familyName[kind]} chains.` : `Use it with --wallet ${args.name}.`
    ].join("\n")
  )
})

/** Refuses to replace a default key that has no name, because the key would be lost from the configuration. */
const withNamedDefault = (keys: ConfigFile.Keys, kind: "evm" | "solana", replaces: boolean) => {
  const { [kind]: before } = keys
  return replaces && before !== undefined && before.name === undefined
    ? Effect.fail(
        usage(
          `The default key for ${Keys.familyName[kind]} chains has no name, so it would be lost.`,
          `Name it first: geoswap keys rename ${kind} <name>`
        )
      )
    : Effect.succeed(keys)
}

/** Finds a key by name, or fails with the names. */
const findKey = Effect.fnUntraced(function* (name: string) {
  const names = (yield* userKeys).map((key) => key.name)
  return (
    (yield* namedKey(name)) ??
    (yield* usage(
      `There is no key "${Output.stripControls(name)}".`,
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
    return yield* new Declined({
      message: "Your confirmation is required, but no interactive terminal is available. Nothing was exported.",
      next
    })
  }
  yield* output.notice(
    output.noticeStyle.yellow(
      `Anyone with the private key can take everything in the wallet. Never share it. It will be ${where}.`
    )
  )
  const typed = yield* Prompts.text(`Type ${name} to export the key`, next)
  if (typed.trim() !== name) {
    return yield* new Declined({ message: "Cancelled. Nothing was exported.", next: "Run the command again." })
  }
})

/** Prints a private key, or writes it to a file. */
export const exportKey = Effect.fnUntraced(function* (args: {
  readonly name: string
  readonly output: string | undefined
  readonly confirm: string | undefined
}) {
  const output = yield* Output.Output
  const { folder } = yield* Host
  const key = yield* findKey(args.name)
  const path = args.output === undefined ? undefined : resolve(folder, args.output)
  if (path !== undefined && existsSync(path)) {
    return yield* new Failure({ message: `${path} already exists.`, next: "Use another file." })
  }
  if (key.source.kind === "keystore") yield* requireTerminal("Exporting a key from a keystore")
  yield* confirmExport(key, args.confirm, path === undefined ? "printed" : `written to ${path}`)
  // A program that has the password in its environment, to sign, must not be able to export the key.
  const { address, privateKey } = yield* Effect.provideService(
    Keys.exportKey(key.kind, key.source),
    Keys.PasswordSource,
    "typed"
  )
  const about = { name: key.name, kind: key.kind, address }
  if (path === undefined) {
    return yield* output.result({ key: { ...about, privateKey: Redacted.value(privateKey) } }, () =>
      Redacted.value(privateKey)
    )
  }
  yield* writePrivate(path, `${Redacted.value(privateKey)}\n`)
  yield* output.result({ key: { ...about, path } }, () => `Wrote the key for ${address} to ${path}.`)
}, Effect.provide(Settings.layer))

/** Renames a key. A default key without a name gets one. */
export const rename = Effect.fnUntraced(function* ({ name, to }: { readonly name: string; readonly to: string }) {
  const output = yield* Output.Output
  const { config, keys, path } = yield* file
  const old = Object.keys(keys.named ?? {}).find((one) => isSameName(one, name))
  yield* checkName(to, config, old)
  const after = yield* old === undefined ? nameDefault(keys, name, to) : Effect.succeed(renamed(keys, old, to))
  yield* ConfigFile.write(path, yield* checked(path, { ...config, keys: after }))
  yield* output.result({ name: to, before: old ?? name, path }, () => `Renamed ${old ?? name} to ${to}.`)
})

const renamed = (keys: ConfigFile.Keys, old: string, to: string): ConfigFile.Keys => {
  const pointTo = <K extends { readonly name?: string }>(key: K | undefined) =>
    key?.name !== undefined && isSameName(key.name, old) ? { ...key, name: to } : key
  const [evm, solana] = [pointTo(keys.evm), pointTo(keys.solana)]
  return {
    ...(evm !== undefined && { evm }),
    ...(solana !== undefined && { solana }),
    named: Object.fromEntries(Object.entries(keys.named ?? {}).map(([one, key]) => [one === old ? to : one, key]))
  }
}

/** Gives a name to the default key of a chain family. */
const nameDefault = Effect.fnUntraced(function* (keys: ConfigFile.Keys, name: string, to: string) {
  const kind = name === "evm" || name === "solana" ? name : undefined
  const unnamed = kind && keys[kind]
  if (kind === undefined || unnamed === undefined || unnamed.name !== undefined) {
    return yield* usage(
      `There is no key "${Output.stripControls(name)}" in the configuration.`,
      "To list your keys, run 'geoswap keys list'."
    )
  }
  const { name: _, ...source } = unnamed
  const named: Record<string, ConfigFile.NamedKey> = { ...keys.named, [to]: { kind, ...source } }
  return { ...keys, [kind]: { name: to }, named } satisfies ConfigFile.Keys
})

/** Chooses the default key for the chains of its family. */
export const setDefault = Effect.fnUntraced(function* ({ name }: { readonly name: string }) {
  const output = yield* Output.Output
  const { config, keys, path } = yield* file
  const [known, key] = Object.entries(keys.named ?? {}).find(([one]) => isSameName(one, name)) ?? []
  if (known === undefined || key === undefined) {
    return yield* usage(
      `There is no key "${Output.stripControls(name)}" in the configuration.`,
      "To list your keys, run 'geoswap keys list'."
    )
  }
  const { kind } = key
  const after = { ...(yield* withNamedDefault(keys, kind, true)), [kind]: { name: known } }
  yield* ConfigFile.write(path, yield* checked(path, { ...config, keys: after }))
  yield* output.result(
    { name: known, kind, default: true, path },
    () => `${known} is now the default key on ${Keys.familyName[kind]} chains.`
  )
})
