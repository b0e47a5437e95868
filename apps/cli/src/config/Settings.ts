/** The program settings. Flags override environment variables, which override the configuration file. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Chain, Operation } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ConfigFile from "./ConfigFile.js"
import { devnetOf, Flags } from "../flags/Flags.js"
import { type DevnetFile, readDevnet } from "./devnetFile.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { type FileProblem, readSecret } from "../node/secretFile.js"

export { SettingsError } from "./ConfigFile.js"

/** A token in the configuration. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

/** A chain in the configuration. */
export interface ConfiguredChain {
  readonly id: number
  readonly name?: string | undefined
  readonly aliases?: ReadonlyArray<string>
  readonly kind: Chain.Family
  readonly rpcUrl?: string | undefined
  readonly tokens?: ReadonlyArray<Token>
}

/** A devnet wallet. */
export interface Wallet {
  readonly name: string
  readonly kind: Chain.Family
  readonly address: string
  readonly privateKey: Redacted.Redacted
}

/** The service and its API key. */
interface Service {
  readonly url: string
  readonly apiKey: Redacted.Redacted
}

/** The program settings. */
export interface Settings {
  readonly configFile: string
  readonly configExists: boolean
  /** The devnet file, if one is used. */
  readonly devnetFile: string | undefined
  readonly url: string | undefined
  /** The service and its API key. This is an effect, because the API key may have to be read from a file. */
  readonly service: Effect.Effect<Service, ConfigFile.SettingsError | FileProblem>
  readonly chains: ReadonlyArray<ConfiguredChain>
  readonly deployments: Readonly<Record<number, Operation.Deployment>>
  readonly policy: ConfigFile.Policy
  readonly keys: ConfigFile.Keys
  /** The address book. */
  readonly contacts: Readonly<Record<string, string>>
  /** The devnet wallets, or an empty list without a devnet. */
  readonly wallets: ReadonlyArray<Wallet>
  /** The value of `--wallet`. */
  readonly wallet: string | undefined
  readonly timeoutSeconds: number | undefined
  /** The folder for this service's history. It may not exist yet. */
  readonly stateFolder: string
  /** The folder for the store of open flows, budgets and idempotency keys, shared by all services. */
  readonly storeFolder: string
}

/** The program settings. */
export const Settings: Context.Service<Settings, Settings> =
  /* @__PURE__ */ Context.Service<Settings>("@geoswap/cli/Settings")

const stateRootOf = (host: HostShape): string =>
  join(variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local", "state"), "geoswap")

/** Returns a service's state folder. */
const stateFolderOf = (host: HostShape, url: string | undefined): string => {
  const root = stateRootOf(host)
  if (url === undefined) return join(root, "no-service")
  const { host: name, pathname } = new URL(url)
  const escaped = (character: string) => `_${character.charCodeAt(0).toString(16).padStart(2, "0")}`
  return join(root, `${name}${pathname.replace(/\/+$/, "")}`.replaceAll(/[^A-Za-z0-9.-]/g, escaped))
}

/** Returns the URL of the service that a state folder belongs to. */
export const serviceOfFolder = (folder: string): string => {
  const name = folder.replaceAll(/_([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return ConfigFile.isServiceUrl(`http://${name}`) ? `http://${name}` : `https://${name}`
}

const noService = () =>
  new ConfigFile.SettingsError({
    message: "No service is configured.",
    next: "Run geoswap init, pass --url, set GEOSWAP_URL, or use a devnet with --devnet."
  })

const urlOf = (url: string | undefined, from: string): Effect.Effect<string | undefined, ConfigFile.SettingsError> =>
  url === undefined || ConfigFile.isServiceUrl(url)
    ? Effect.succeed(url)
    : Effect.fail(
        new ConfigFile.SettingsError({
          message: `${from} is invalid: expected ${ConfigFile.serviceUrlFormat}.`,
          next: "Correct it and run the command again."
        })
      )

const apiKey = (text: string): Redacted.Redacted => Redacted.make(text.trim(), { label: "API key" })

/** An API key and the service that it is for. A URL in `--url` does not change that. */
interface GivenKey {
  readonly service: string | undefined
  readonly read: Effect.Effect<Redacted.Redacted, FileProblem>
}

/** The key in the environment, which is for the service in `GEOSWAP_URL` if that is set. */
const environmentKey = (host: HostShape, otherwise?: string): ReadonlyArray<GivenKey> => {
  const text = variable(host, "GEOSWAP_API_KEY")
  const service = variable(host, "GEOSWAP_URL") ?? otherwise
  return text === undefined ? [] : [{ service, read: Effect.succeed(apiKey(text)) }]
}

/** The key in the file that the configuration names, which is for the service in the configuration. */
const storedKey = (configFile: string, { service }: ConfigFile.ConfigFile): ReadonlyArray<GivenKey> =>
  service?.apiKeyFile === undefined
    ? []
    : [
        {
          service: service.url,
          read: Effect.map(readSecret(resolve(configFile, "..", service.apiKeyFile), "The API key"), apiKey)
        }
      ]

const isSameOrigin = (one: string, other: string | undefined): boolean =>
  other !== undefined && URL.canParse(other) && new URL(one).origin === new URL(other).origin

/** Reads the first API key that is for the service at a URL. */
const apiKeyFor = (
  url: string,
  host: HostShape,
  keys: ReadonlyArray<GivenKey>
): Effect.Effect<Redacted.Redacted, ConfigFile.SettingsError | FileProblem> =>
  keys.find(({ service }) => isSameOrigin(url, service))?.read ??
  Effect.fail(
    variable(host, "GEOSWAP_API_KEY") === undefined
      ? new ConfigFile.SettingsError({
          message: `There is no API key for ${url}.`,
          next: "Set GEOSWAP_URL and GEOSWAP_API_KEY, or run geoswap init to store a key."
        })
      : new ConfigFile.SettingsError({
          message: `GEOSWAP_API_KEY is not sent to ${url}. It is for the service in GEOSWAP_URL or, if that is not set, in the configuration.`,
          next: "If the key is for this service, set GEOSWAP_URL instead of passing --url."
        })
  )

const timeoutOf = Effect.fnUntraced(function* (flags: Flags, host: HostShape, file: ConfigFile.ConfigFile) {
  const fromEnvironment = variable(host, "GEOSWAP_TIMEOUT")
  const seconds = fromEnvironment === undefined ? undefined : Number(fromEnvironment)
  if (flags.timeoutSeconds === undefined && seconds !== undefined && !(seconds > 0 && seconds <= 86_400)) {
    return yield* new ConfigFile.SettingsError({
      message: "GEOSWAP_TIMEOUT is invalid: expected a number of seconds greater than 0 and at most 86,400.",
      next: "Correct it and run the command again."
    })
  }
  return flags.timeoutSeconds ?? seconds ?? file.timeoutSeconds
})

const fromFile = Effect.fnUntraced(function* (flags: Flags, host: HostShape) {
  const configFile = ConfigFile.pathOf(flags, host)
  const file = yield* ConfigFile.read(flags, host)
  const fromEnvironment = variable(host, "GEOSWAP_URL")
  const url = (yield* urlOf(flags.url ?? fromEnvironment, flags.url ? "--url" : "GEOSWAP_URL")) ?? file.service?.url
  const settings: Settings = {
    configFile,
    configExists: existsSync(configFile),
    devnetFile: undefined,
    url,
    service: Effect.gen(function* () {
      if (url === undefined) return yield* noService()
      const keys = [...environmentKey(host, file.service?.url), ...storedKey(configFile, file)]
      return { url, apiKey: yield* apiKeyFor(url, host, keys) }
    }),
    chains: Object.entries(file.chains ?? {}).map(([id, chain]) => ({ id: Number(id), ...chain })),
    deployments: file.deployments ?? {},
    policy: file.policy ?? {},
    keys: file.keys ?? {},
    contacts: file.contacts ?? {},
    wallets: [],
    wallet: flags.wallet,
    timeoutSeconds: yield* timeoutOf(flags, host, file),
    stateFolder: stateFolderOf(host, url),
    storeFolder: join(stateRootOf(host), "store")
  }
  return settings
})

/**
 * A devnet's contracts. The devnet file can be trusted, because it is written by the program that deploys the
 * contracts.
 */
const deploymentsOf = ({ chains, operators = [] }: DevnetFile): Settings["deployments"] => {
  const relayer = operators.find(({ kind, role }) => kind === "solana" && role === "relayer")?.address
  return Object.fromEntries(
    chains.map(({ contracts: { account, accountV2, vault }, id, kind }) => [
      id,
      kind === "evm"
        ? {
            delegates: account === undefined ? [] : [account],
            vault,
            // Wallets that delegate to the second version of the account can pay, too.
            ...(accountV2 !== undefined && { older: [{ delegate: accountV2, vault, accountVersion: 2 as const }] })
          }
        : { vault, ...(relayer !== undefined && { relayer }) }
    ])
  )
}

/**
 * Reads the settings from a devnet file. The configuration file is used only if `--config` is passed, and then only for
 * the policy and the timeout, because a key with real funds must not be used on a devnet.
 */
const fromDevnet = Effect.fnUntraced(function* (named: string, flags: Flags, host: HostShape) {
  const { file, path } = yield* readDevnet(named, host)
  const config = flags.config === undefined ? {} : yield* ConfigFile.read(flags, host)
  const fallback = file.service?.url ?? variable(host, "GEOSWAP_URL")
  const url = yield* urlOf(flags.url ?? fallback, flags.url ? "--url" : "The devnet's service URL")
  const settings: Settings = {
    configFile: ConfigFile.pathOf(flags, host),
    configExists: flags.config !== undefined,
    devnetFile: path,
    url,
    service: Effect.gen(function* () {
      if (url === undefined) {
        return yield* new ConfigFile.SettingsError({
          message: `${path} does not specify a service.`,
          next: "Run npm start, which starts a service, too. Or set GEOSWAP_URL to the URL of your own, and GEOSWAP_API_KEY to a key from geoswap-server keys create."
        })
      }
      const first = file.service?.apiKeys[0]
      const own = first === undefined ? [] : [{ service: file.service?.url, read: Effect.succeed(apiKey(first)) }]
      return { url, apiKey: yield* apiKeyFor(url, host, [...own, ...environmentKey(host)]) }
    }),
    chains: file.chains,
    deployments: deploymentsOf(file),
    policy: config.policy ?? {},
    keys: {},
    contacts: config.contacts ?? {},
    wallets: file.wallets.map((wallet) => ({ ...wallet, privateKey: Redacted.make(wallet.privateKey) })),
    wallet: flags.wallet,
    timeoutSeconds: flags.timeoutSeconds ?? config.timeoutSeconds,
    stateFolder: stateFolderOf(host, url),
    // Devnet swaps do not count toward real budgets.
    storeFolder: join(stateFolderOf(host, url), "store")
  }
  return settings
})

/** Loads the settings. */
export const load: Effect.Effect<Settings, ConfigFile.SettingsError, Flags> = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const devnet = devnetOf(flags, host)
  return devnet === undefined ? yield* fromFile(flags, host) : yield* fromDevnet(devnet, flags, host)
})

/** Provides the settings. */
export const layer: Layer.Layer<Settings, ConfigFile.SettingsError, Flags> = Layer.effect(Settings, load)
