/** What the program goes by: flags before environment variables, those before the configuration file. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Chain, Operation } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ConfigFile from "./ConfigFile.js"
import { Flags, type Shape as FlagsShape } from "../commands/Flags.js"
import { type DevnetFile, readDevnet } from "./devnetFile.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { type FileProblem, readSecret } from "../node/secretFile.js"

export { SettingsError } from "./ConfigFile.js"

/** A token as the configuration names it. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

/** A chain as the configuration has it. */
export interface ConfiguredChain {
  readonly id: number
  readonly name: string | undefined
  readonly aliases: ReadonlyArray<string>
  readonly kind: Chain.Family
  readonly rpcUrl: string | undefined
  readonly tokens: ReadonlyArray<Token>
}

/** A wallet of the devnet. */
export interface Wallet {
  readonly name: string
  readonly kind: Chain.Family
  readonly address: string
  readonly privateKey: Redacted.Redacted
}

/** The service, and the key that it knows us by. */
interface Service {
  readonly url: string
  readonly apiKey: Redacted.Redacted
}

/** What the program goes by. */
export interface Shape {
  readonly configFile: string
  readonly configExists: boolean
  /** The file of the devnet, where one is used. */
  readonly devnetFile: string | undefined
  readonly url: string | undefined
  /** The service; read when it is asked for, since the API key may be in a file. */
  readonly service: Effect.Effect<Service, ConfigFile.SettingsError | FileProblem>
  readonly chains: ReadonlyArray<ConfiguredChain>
  readonly deployments: Readonly<Record<number, Operation.Deployment>>
  readonly policy: ConfigFile.Policy
  readonly keys: ConfigFile.Keys
  /** The wallets of the devnet; empty elsewhere. */
  readonly wallets: ReadonlyArray<Wallet>
  /** What `--wallet` names. */
  readonly wallet: string | undefined
  readonly timeoutSeconds: number | undefined
  /** Where the journal and the history of this service are kept. It may not be there yet. */
  readonly stateFolder: string
  /** Where the ledger of budgets and idempotency keys is kept: one for all services. */
  readonly ledgerFolder: string
}

/** What the program goes by. */
export class Settings extends Context.Service<Settings, Shape>()("@geoswap/cli/Settings") {}

const stateRootOf = (host: HostShape): string =>
  join(variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local", "state"), "geoswap")

/** A folder for each service. Two never share one: what was signed for the one would be sent to the other. */
const stateFolderOf = (host: HostShape, url: string | undefined): string => {
  const root = stateRootOf(host)
  if (url === undefined) return join(root, "no-service")
  const { host: name, pathname } = new URL(url)
  const escaped = (character: string) => `_${character.charCodeAt(0).toString(16).padStart(2, "0")}`
  return join(root, `${name}${pathname.replace(/\/+$/, "")}`.replaceAll(/[^A-Za-z0-9.-]/g, escaped))
}

const noService = () =>
  new ConfigFile.SettingsError({
    message: "No service is configured.",
    next: "Run geoswap init, or name one with --url or GEOSWAP_URL; geoswap --devnet uses a devnet."
  })

const urlOf = (given: string | undefined, from: string): Effect.Effect<string | undefined, ConfigFile.SettingsError> =>
  given === undefined || ConfigFile.isServiceUrl(given)
    ? Effect.succeed(given)
    : Effect.fail(
        new ConfigFile.SettingsError({
          message: `${from} should be ${ConfigFile.serviceUrlWords}.`,
          next: "Correct it and run it again."
        })
      )

/** The API key: from the environment, or from the file that the configuration names. */
const apiKeyOf = Effect.fnUntraced(function* (host: HostShape, file: string | undefined) {
  const given = variable(host, "GEOSWAP_API_KEY")
  if (given !== undefined) return Redacted.make(given.trim(), { label: "API key" })
  if (file === undefined) {
    return yield* new ConfigFile.SettingsError({
      message: "There is no API key for the service.",
      next: "Set GEOSWAP_API_KEY, or run geoswap init to store one."
    })
  }
  const bytes = yield* readSecret(file, "The API key")
  return Redacted.make(new TextDecoder().decode(bytes).trim(), { label: "API key" })
})

const timeoutOf = Effect.fnUntraced(function* (flags: FlagsShape, host: HostShape, file: ConfigFile.ConfigFile) {
  const given = variable(host, "GEOSWAP_TIMEOUT")
  const seconds = given === undefined ? undefined : Number(given)
  if (flags.timeoutSeconds === undefined && seconds !== undefined && !(seconds > 0 && seconds <= 86_400)) {
    return yield* new ConfigFile.SettingsError({
      message: "GEOSWAP_TIMEOUT should be seconds above 0, a day at most.",
      next: "Correct it and run it again."
    })
  }
  return flags.timeoutSeconds ?? seconds ?? file.timeoutSeconds
})

const ofFile = Effect.fnUntraced(function* (flags: FlagsShape, host: HostShape) {
  const configFile = ConfigFile.pathOf(flags, host)
  const file = yield* ConfigFile.read(flags, host)
  const fromEnvironment = variable(host, "GEOSWAP_URL")
  const url = (yield* urlOf(flags.url ?? fromEnvironment, flags.url ? "--url" : "GEOSWAP_URL")) ?? file.service?.url
  const apiKeyFile = file.service?.apiKeyFile
  const settings: Shape = {
    configFile,
    configExists: existsSync(configFile),
    devnetFile: undefined,
    url,
    service: Effect.gen(function* () {
      if (url === undefined) return yield* noService()
      // A key goes only to the service that it was stored for.
      const sameService = url === file.service?.url
      const stored = sameService && apiKeyFile !== undefined ? resolve(configFile, "..", apiKeyFile) : undefined
      return { url, apiKey: yield* apiKeyOf(host, stored) }
    }),
    chains: Object.entries(file.chains ?? {}).map(([id, { aliases = [], kind, name, rpcUrl, tokens = [] }]) => ({
      id: Number(id),
      name,
      aliases,
      kind,
      rpcUrl,
      tokens
    })),
    deployments: file.deployments ?? {},
    policy: file.policy ?? {},
    keys: file.keys ?? {},
    wallets: [],
    wallet: flags.wallet,
    timeoutSeconds: yield* timeoutOf(flags, host, file),
    stateFolder: stateFolderOf(host, url),
    ledgerFolder: join(stateRootOf(host), "ledger")
  }
  return settings
})

/** The contracts of a devnet: the file is written by what deployed them. */
const deploymentsOf = ({ chains, operators = [] }: DevnetFile): Shape["deployments"] => {
  const relayer = operators.find(({ kind, role }) => kind === "solana" && role === "relayer")?.address
  return Object.fromEntries(
    chains.map(({ contracts: { account, vault }, id, kind }) => [
      id,
      kind === "evm"
        ? { delegates: account === undefined ? [] : [account], vault }
        : { vault, ...(relayer !== undefined && { relayer }) }
    ])
  )
}

/**
 * All from the file of a devnet. Of the configuration only what `--config` names counts, and of that the policy and the
 * time: a key of value must not get near a devnet.
 */
const ofDevnet = Effect.fnUntraced(function* (named: string, flags: FlagsShape, host: HostShape) {
  const { file, path } = yield* readDevnet(named, host.folder)
  const config = flags.config === undefined ? {} : yield* ConfigFile.read(flags, host)
  const given = file.service?.url ?? variable(host, "GEOSWAP_URL")
  const url = yield* urlOf(flags.url ?? given, flags.url ? "--url" : "The URL of the devnet's service")
  const settings: Shape = {
    configFile: ConfigFile.pathOf(flags, host),
    configExists: flags.config !== undefined,
    devnetFile: path,
    url,
    service: Effect.gen(function* () {
      if (url === undefined) {
        return yield* new ConfigFile.SettingsError({
          message: `${path} names no service.`,
          next: "Start geoswap-server on the devnet, and name it with --url; its API key goes into GEOSWAP_API_KEY."
        })
      }
      const first = file.service?.apiKeys[0]
      return { url, apiKey: first === undefined ? yield* apiKeyOf(host, undefined) : Redacted.make(first) }
    }),
    chains: file.chains.map(({ id, kind, name, rpcUrl, tokens }) => ({ id, name, aliases: [], kind, rpcUrl, tokens })),
    deployments: deploymentsOf(file),
    policy: config.policy ?? {},
    keys: {},
    wallets: file.wallets.map((wallet) => ({ ...wallet, privateKey: Redacted.make(wallet.privateKey) })),
    wallet: flags.wallet,
    timeoutSeconds: flags.timeoutSeconds ?? config.timeoutSeconds,
    stateFolder: stateFolderOf(host, url),
    // Play money is not counted with that of value.
    ledgerFolder: join(stateFolderOf(host, url), "ledger")
  }
  return settings
})

/** Reads all that there is to go by. */
export const load: Effect.Effect<Shape, ConfigFile.SettingsError, Flags> = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const variableDevnet = variable(host, "GEOSWAP_DEVNET")
  const fromVariable = variableDevnet === "1" || variableDevnet === "true" ? "" : variableDevnet
  const devnet = flags.devnet ?? fromVariable
  return devnet === undefined ? yield* ofFile(flags, host) : yield* ofDevnet(devnet, flags, host)
})

/** What the program goes by, as a layer. */
export const layer: Layer.Layer<Settings, ConfigFile.SettingsError, Flags> = Layer.effect(Settings, load)
