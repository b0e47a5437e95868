/** The program settings. Flags override environment variables, which override the configuration file. */
import { join, resolve } from "node:path"
import type { Operation } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ConfigFile from "./ConfigFile.js"
import { devnetOf, Flags } from "../flags/Flags.js"
import { type DevnetFile, readDevnet } from "./devnetFile.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { readSecret } from "../node/secretFile.js"

export { settingsError } from "./ConfigFile.js"

/** A chain in the configuration. */
export type ConfiguredChain = typeof ConfigFile.ChainEntry.Type & { readonly id: number }

const stateRootOf = (host: HostShape) =>
  join(variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local", "state"), "geoswap")

/** Returns a service's state folder. */
const stateFolderOf = (host: HostShape, url: string | undefined) => {
  if (url === undefined) return join(stateRootOf(host), "no-service")
  const { host: name, pathname } = new URL(url)
  return join(stateRootOf(host), encodeURIComponent(name + pathname.replace(/\/+$/, "")))
}

/** Returns the URL of the service that a state folder belongs to. */
export const serviceOfFolder = (folder: string) => {
  const name = decodeURIComponent(folder)
  return ConfigFile.isServiceUrl(`http://${name}`) ? `http://${name}` : `https://${name}`
}

const apiKey = (text: string) => Redacted.make(text.trim(), { label: "API key" })

/**
 * The API keys of the environment, and of the devnet or the configuration, each with the service that it is for. A URL in
 * `--url` does not change that.
 */
const keysOf = (
  host: HostShape,
  configFile: string,
  devnet: DevnetFile | undefined,
  { service: configured }: ConfigFile.ConfigFile
) => {
  const text = variable(host, "GEOSWAP_API_KEY")
  const { apiKeyFile, url } = configured ?? {}
  const fromEnvironment = {
    service: variable(host, "GEOSWAP_URL") ?? (devnet === undefined ? url : undefined),
    read: Effect.succeed(apiKey(text ?? ""))
  }
  return [
    ...(devnet?.service === undefined
      ? []
      : [{ service: devnet.service.url, read: Effect.succeed(apiKey(devnet.service.apiKeys[0])) }]),
    ...(text === undefined ? [] : [fromEnvironment]),
    ...(devnet !== undefined || apiKeyFile === undefined
      ? []
      : [{ service: url, read: Effect.map(readSecret(resolve(configFile, "..", apiKeyFile), "The API key"), apiKey) }])
  ]
}

const isSameOrigin = (one: string, other: string | undefined) =>
  other !== undefined && URL.canParse(other) && new URL(one).origin === new URL(other).origin

/** Reads the first API key that is for the service at a URL. */
const apiKeyFor = Effect.fnUntraced(function* (url: string, host: HostShape, keys: ReturnType<typeof keysOf>) {
  const key = keys.find(({ service }) => isSameOrigin(url, service))
  if (key !== undefined) return yield* key.read
  return yield* variable(host, "GEOSWAP_API_KEY") === undefined
    ? ConfigFile.settingsError(
        `There is no API key for ${url}.`,
        "Set GEOSWAP_URL and GEOSWAP_API_KEY, or run geoswap init to store a key."
      )
    : ConfigFile.settingsError(
        `GEOSWAP_API_KEY is not sent to ${url}. It is for the service in GEOSWAP_URL or, if that is not set, in the configuration.`,
        "If the key is for this service, set GEOSWAP_URL instead of passing --url."
      )
})

/** The URL of the service, and where it comes from. */
const urlOf = Effect.fnUntraced(function* (
  { url: passed }: Flags,
  host: HostShape,
  devnet: DevnetFile | undefined,
  { service }: ConfigFile.ConfigFile
) {
  const fromEnvironment = variable(host, "GEOSWAP_URL")
  const url = passed ?? devnet?.service?.url ?? fromEnvironment ?? (devnet === undefined ? service?.url : undefined)
  if (url === undefined || ConfigFile.isServiceUrl(url)) return url
  const from = passed !== undefined ? "--url" : devnet?.service ? "The devnet's service URL" : "GEOSWAP_URL"
  return yield* ConfigFile.settingsError(`${from} is invalid: expected ${ConfigFile.serviceUrlFormat}.`)
})

const timeoutOf = Effect.fnUntraced(function* (flags: Flags, host: HostShape, file: ConfigFile.ConfigFile) {
  const fromEnvironment = variable(host, "GEOSWAP_TIMEOUT")
  if (flags.timeoutSeconds !== undefined || fromEnvironment === undefined) {
    return flags.timeoutSeconds ?? file.timeoutSeconds
  }
  const seconds = Number(fromEnvironment)
  return seconds > 0 && seconds <= 86_400
    ? seconds
    : yield* ConfigFile.settingsError(
        "GEOSWAP_TIMEOUT is invalid: expected a number of seconds greater than 0 and at most 86,400."
      )
})

/**
 * A devnet's contracts. The devnet file can be trusted, because it is written by the program that deploys the
 * contracts.
 */
const deploymentsOf = ({ chains, operators = [] }: DevnetFile): Readonly<Record<number, Operation.Deployment>> => {
  const relayer = operators.find(({ family, role }) => family === "solana" && role === "relayer")?.address
  return Object.fromEntries(
    chains.map(({ contracts: { account, vault }, id, family }) => [
      id,
      family === "evm"
        ? { delegates: account === undefined ? [] : [account], vault }
        : { vault, ...(relayer !== undefined && { relayer }) }
    ])
  )
}

/**
 * Loads the settings. With a devnet, the configuration is used only if `--config` is passed, and then only for the
 * policy, the contacts and the timeout, because a key with real funds must not be used on a devnet.
 */
export const load = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const { exists: configExists, path: configFile, read } = yield* ConfigFile.file
  const named = devnetOf(flags, host)
  const { file: devnet, path: devnetFile } = named === undefined ? {} : yield* readDevnet(named, host)
  const config: ConfigFile.ConfigFile = devnet !== undefined && flags.config === undefined ? {} : yield* read
  const url = yield* urlOf(flags, host, devnet, config)
  const keys = keysOf(host, configFile, devnet, config)
  const chains: ReadonlyArray<ConfiguredChain> =
    devnet?.chains ?? Object.entries(config.chains ?? {}).map(([id, chain]) => ({ id: Number(id), ...chain }))
  return {
    configFile,
    configExists,
    /** The devnet file, if one is used. */
    devnetFile,
    url,
    /** The service and its API key. This is an effect, because the API key may have to be read from a file. */
    service: Effect.gen(function* () {
      if (url !== undefined) return { url, apiKey: yield* apiKeyFor(url, host, keys) }
      return yield* devnetFile === undefined
        ? ConfigFile.settingsError(
            "No service is configured.",
            "Run geoswap init, pass --url, set GEOSWAP_URL, or use a devnet with --devnet."
          )
        : ConfigFile.settingsError(
            `${devnetFile} does not specify a service.`,
            "Run npm start, which starts a service, too. Or set GEOSWAP_URL to the URL of your own, and GEOSWAP_API_KEY to a key from geoswap-server keys create."
          )
    }),
    chains,
    deployments: devnet === undefined ? (config.deployments ?? {}) : deploymentsOf(devnet),
    policy: config.policy ?? {},
    keys: (devnet === undefined && config.keys) || {},
    /** The address book. */
    contacts: config.contacts ?? {},
    /** The devnet wallets, or an empty list without a devnet. */
    wallets: (devnet?.wallets ?? []).map((wallet) => ({ ...wallet, privateKey: Redacted.make(wallet.privateKey) })),
    /** The value of `--wallet`. */
    wallet: flags.wallet,
    timeoutSeconds: yield* timeoutOf(flags, host, config),
    /** The folder for this service's history. It may not exist yet. */
    stateFolder: stateFolderOf(host, url),
    /**
     * The folder for the store of open flows, budgets and idempotency keys, shared by all services. Devnet swaps do not
     * count toward real budgets.
     */
    storeFolder: join(devnet === undefined ? stateRootOf(host) : stateFolderOf(host, url), "store")
  }
})

/** The program settings. */
export type Settings = Effect.Success<typeof load>

/** The program settings. */
export const Settings = /* @__PURE__ */ Context.Service<Settings>("@geoswap/cli/Settings")

/** A devnet wallet. */
export type Wallet = Settings["wallets"][number]

/** Provides the settings. */
export const layer = Layer.effect(Settings, load)
