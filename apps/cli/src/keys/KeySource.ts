/** Where keys come from: the environment, the configuration, or a devnet. No key is opened here. */
import { existsSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { KeyError } from "./Keystore.js"
import type { NamedKey } from "../config/ConfigFile.js"
import { Settings, type Wallet } from "../config/Settings.js"
import { isSameName } from "../config/names.js"

/** The source of a key. */
export type Source =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "keystore"; readonly path: string }
  | { readonly kind: "devnet"; readonly wallet: Wallet }

/** The environment variable that holds the key for each chain family. */
export const variables: Readonly<Record<Chain.Family, string>> = {
  evm: "GEOSWAP_EVM_KEY",
  solana: "GEOSWAP_SOLANA_KEY"
}

/** The display name of each chain family. */
export const familyName: Readonly<Record<Chain.Family, string>> = { evm: "EVM", solana: "Solana" }

const fail = (message: string, next: string) => new KeyError({ message, next })

/** Describes the source of a key, without revealing any part of the key. */
export const describeSource = (source: Source): string => {
  switch (source.kind) {
    case "environment":
      return `the environment variable ${source.variable}`
    case "file":
      return `the file ${source.path}`
    case "keystore":
      return `the keystore ${source.path}`
    case "devnet":
      return `the devnet wallet ${source.wallet.name}`
  }
}

/** Finds a devnet wallet by name, by position such as `evm-2`, or by address. */
export const findWallet = (wallets: ReadonlyArray<Wallet>, name: string): Wallet | undefined => {
  const [, family, position] = /^(evm|solana)-([1-9]\d?)$/.exec(name) ?? []
  return (
    wallets.find((wallet) => wallet.name.toLowerCase() === name.toLowerCase()) ??
    wallets.find((wallet) => Chain.sameAddress(wallet.kind, wallet.address, name)) ??
    wallets.filter(({ kind }) => kind === family)[Number(position) - 1]
  )
}

const devnetSource = ({ wallet: name, wallets }: Settings, family: Chain.Family) => {
  const ofFamily = wallets.filter(({ kind }) => kind === family)
  const names = ofFamily.map((wallet) => wallet.name).join(", ")
  const wallet = name === undefined ? ofFamily[0] : findWallet(wallets, name)
  if (wallet === undefined) {
    return Effect.fail(fail(`The devnet has no wallet "${name ?? ""}".`, `${familyName[family]} wallets: ${names}`))
  }
  return wallet.kind === family
    ? Effect.succeed<Source>({ kind: "devnet", wallet })
    : Effect.fail(
        fail(
          `${wallet.name} is a wallet for ${familyName[wallet.kind]} chains, but a wallet for ${familyName[family]} chains is needed.`,
          `Use one of: ${names}`
        )
      )
}

/** Resolves a keystore by path, or by name in Foundry's keystore folder. */
export const keystorePath = (host: HostShape, folder: string, named: string): string => {
  if (isAbsolute(named) || named.includes("/")) return resolve(folder, named.replace(/^~(?=\/)/, host.home))
  const here = resolve(folder, named)
  return existsSync(here) ? here : join(host.home, ".foundry", "keystores", named)
}

/** Resolves where the configuration says that a key is. */
const toSource = (
  { env, file, keystore }: Pick<NamedKey, "env" | "file" | "keystore">,
  { configFile }: Settings,
  host: HostShape
): Source | undefined => {
  const folder = resolve(configFile, "..")
  if (env !== undefined) return { kind: "environment", variable: env }
  if (file !== undefined) return { kind: "file", path: resolve(folder, file.replace(/^~(?=\/)/, host.home)) }
  return keystore === undefined ? undefined : { kind: "keystore", path: keystorePath(host, folder, keystore) }
}

/** A key of the user. */
export interface UserKey {
  readonly name: string
  readonly kind: Chain.Family
  readonly source: Source
  /** Whether the key is used if `--wallet` names no other. */
  readonly isDefault: boolean
}

const families = ["evm", "solana"] as const

/** The keys of the configuration. The default key of a chain family, if it has no name, is called like the family. */
const configuredKeys = (settings: Settings, host: HostShape): ReadonlyArray<UserKey> => {
  const { keys } = settings
  const isOverridden = (kind: Chain.Family) => variable(host, variables[kind]) !== undefined
  const keyOf = (name: string, kind: Chain.Family, entry: Omit<NamedKey, "kind">, isDefault: boolean) => {
    const source = toSource(entry, settings, host)
    return source === undefined ? [] : [{ name, kind, source, isDefault: isDefault && !isOverridden(kind) }]
  }
  return [
    ...families.flatMap((kind) => {
      const { [kind]: unnamed } = keys
      return unnamed === undefined || unnamed.name !== undefined ? [] : keyOf(kind, kind, unnamed, true)
    }),
    ...Object.entries(keys.named ?? {}).flatMap(([name, { kind, ...entry }]) =>
      keyOf(name, kind, entry, isSameName(keys[kind]?.name ?? "", name))
    )
  ]
}

/** All keys of the user: those in the environment and in the configuration or, on a devnet, the devnet's wallets. */
export const userKeys: Effect.Effect<ReadonlyArray<UserKey>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const host = yield* Host
  if (settings.devnetFile !== undefined) {
    return settings.wallets.map((wallet) => ({
      name: wallet.name,
      kind: wallet.kind,
      source: { kind: "devnet" as const, wallet },
      isDefault: settings.wallets.find(({ kind }) => kind === wallet.kind) === wallet
    }))
  }
  const fromEnvironment = families.flatMap((kind) =>
    variable(host, variables[kind]) === undefined
      ? []
      : [
          {
            name: variables[kind],
            kind,
            source: { kind: "environment" as const, variable: variables[kind] },
            isDefault: true
          }
        ]
  )
  return [...fromEnvironment, ...configuredKeys(settings, host)]
})

/** Finds a key by its name. */
export const namedKey = (name: string): Effect.Effect<UserKey | undefined, never, Settings> =>
  Effect.map(userKeys, (keys) => keys.find((key) => isSameName(key.name, name)))

/** Returns the source of the default key for a chain family, or `undefined` if no key is configured. */
const defaultSourceOf = (family: Chain.Family): Effect.Effect<Source | undefined, KeyError, Settings> =>
  Effect.gen(function* () {
    const settings = yield* Settings
    if (settings.devnetFile !== undefined) return yield* devnetSource(settings, family)
    const found = (yield* userKeys).find(({ isDefault, kind }) => isDefault && kind === family)
    const missing = settings.keys[family]?.name
    if (found === undefined && missing !== undefined) {
      return yield* fail(
        `keys.${family} names the key "${missing}", which does not exist.`,
        "List your keys with geoswap keys list, and choose one with geoswap keys default <name>."
      )
    }
    return found?.source
  })

/**
 * Returns the source of the key for a chain family: the key that `--wallet` names, or the default key. Returns
 * `undefined` if no key is configured.
 */
export const sourceOf = (family: Chain.Family): Effect.Effect<Source | undefined, KeyError, Settings> =>
  Effect.gen(function* () {
    const { devnetFile, wallet } = yield* Settings
    const selected = devnetFile !== undefined || wallet === undefined ? undefined : yield* namedKey(wallet)
    if (selected === undefined) return yield* defaultSourceOf(family)
    return selected.kind === family
      ? selected.source
      : yield* fail(
          `${selected.name} is a key for ${familyName[selected.kind]} chains, but a key for ${familyName[family]} chains is needed.`,
          "Pass another --wallet. To list your keys, run 'geoswap keys list'."
        )
  })
