/** The user's keys, and where they come from: the environment, the configuration, or a devnet. No key is opened here. */
import { existsSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Key } from "../config/ConfigFile.js"
import { isSameName } from "../config/names.js"
import { Settings, type Wallet } from "../config/Settings.js"
import { type Host as HostShape, Host, inHome, variable } from "../node/Host.js"

/** The source of a key. */
export type Source =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "keystore"; readonly path: string }
  | { readonly kind: "devnet"; readonly wallet: Wallet }

/** A key of the user. */
export interface UserKey {
  readonly name: string
  readonly family: Chain.Family
  readonly source: Source
}

/** The chain families. */
export const families = ["evm", "solana"] as const

/** The environment variable that holds the key for each chain family. */
export const variables = {
  evm: "GEOSWAP_EVM_KEY",
  solana: "GEOSWAP_SOLANA_KEY"
}

/** The display name of each chain family. */
export const familyName = { evm: "EVM", solana: "Solana" }

/** Describes the source of a key, without revealing any part of the key. */
export const describeSource = (source: Source) => {
  switch (source.kind) {
    case "environment":
      return `the environment variable ${source.variable}`
    case "devnet":
      return `the devnet wallet ${source.wallet.name}`
    default:
      return `the ${source.kind} ${source.path}`
  }
}

/** Resolves a keystore by path, or by name in Foundry's keystore folder. */
export const keystorePath = (host: HostShape, folder: string, named: string) => {
  if (isAbsolute(named) || named.includes("/")) return resolve(folder, inHome(host, named))
  const here = resolve(folder, named)
  return existsSync(here) ? here : join(host.home, ".foundry", "keystores", named)
}

const toSource = ({ env, file, keystore = "" }: Key, folder: string, host: HostShape): Source => {
  if (env !== undefined) return { kind: "environment", variable: env }
  if (file !== undefined) return { kind: "file", path: resolve(folder, inHome(host, file)) }
  return { kind: "keystore", path: keystorePath(host, folder, keystore) }
}

/**
 * All keys of the user: those in the environment and in the configuration or, on a devnet, the devnet's wallets. The
 * first key of a chain family is the default.
 */
export const userKeys = Effect.gen(function* () {
  const { configFile, devnetFile, keys, wallets } = yield* Settings
  const host = yield* Host
  if (devnetFile !== undefined) {
    return wallets.map((wallet): UserKey => ({
      name: wallet.name,
      family: wallet.family,
      source: { kind: "devnet", wallet }
    }))
  }
  return [
    ...families
      .filter((family) => variable(host, variables[family]) !== undefined)
      .map((family): UserKey => ({
        name: variables[family],
        family,
        source: { kind: "environment", variable: variables[family] }
      })),
    ...Object.entries(keys).map(([name, key]) => ({
      name,
      family: key.family,
      source: toSource(key, resolve(configFile, ".."), host)
    }))
  ]
})

/** Finds a key by its name or, on a devnet, by its position, such as `evm-2`. */
export const namedKey = (name: string) =>
  Effect.gen(function* () {
    const { devnetFile } = yield* Settings
    const keys = yield* userKeys
    const [, family, position] = (devnetFile !== undefined && /^(evm|solana)-([1-9]\d?)$/.exec(name)) || []
    return (
      keys.find((key) => isSameName(key.name, name)) ??
      keys.filter((wallet) => wallet.family === family)[Number(position) - 1]
    )
  })
