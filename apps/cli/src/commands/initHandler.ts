/** `geoswap init`: writes the configuration, by questions at a terminal or by flags in a script. */
import { dirname, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ask from "../terminal/Prompts.js"
import * as ConfigFile from "../config/ConfigFile.js"
import { Failure, UsageError } from "../output/Exit.js"
import { Flags } from "./Flags.js"
import { bundledChain } from "../chains/bundledChains.js"
import { Host, variable } from "../node/Host.js"
import { probe } from "../service/probe.js"
import { readSecret, writePrivate } from "../node/secretFile.js"
import { pinBundled } from "../setup/bundledTokens.js"
import { agree, readDeployments, typeDeployments } from "../setup/deployments.js"
import { evmKey, type KeyFlags, solanaKey } from "../setup/keys.js"
import { clean, Output } from "../output/Output.js"
import * as Settings from "../config/Settings.js"

/** What the flags say. */
export interface Given extends KeyFlags {
  readonly apiKeyFile: string | undefined
  readonly deployment: string | undefined
  readonly bundledTokens: boolean
}

const urlInstead = "Name the service with --url."

/** The service's URL, once it answered. */
const chooseUrl = Effect.fnUntraced(function* (known: string | undefined, ask: boolean) {
  const output = yield* Output
  const { timeoutSeconds = 10, url: given } = yield* Flags
  const asked =
    given ??
    (ask
      ? yield* Ask.text("URL of the service", urlInstead, {
          ...(known !== undefined && { initial: known }),
          validate: (text) =>
            ConfigFile.isServiceUrl(text) ? undefined : `It should be ${ConfigFile.serviceUrlWords}.`
        })
      : known)
  if (asked === undefined)
    return yield* new Failure({ message: "No service is named.", next: urlInstead, exitCode: 64 })
  if (!ConfigFile.isServiceUrl(asked)) {
    return yield* new UsageError({ message: `The URL should be ${ConfigFile.serviceUrlWords}.`, next: urlInstead })
  }
  const seen = yield* probe(asked, undefined, timeoutSeconds * 1000)
  if (!seen.reached) {
    return yield* new Failure({
      message: `The service at ${asked} does not answer: ${seen.reason}.`,
      next: "Check the URL and the network, and run geoswap init again."
    })
  }
  yield* output.remark(`The service answers in ${seen.took} ms.`)
  return asked
})

/** The API key, and where it is already; only one that the service accepts is kept. */
const chooseApiKey = Effect.fnUntraced(function* (
  url: string,
  given: Given,
  devnetKey: Redacted.Redacted | undefined,
  ask: boolean
) {
  const host = yield* Host
  const { timeoutSeconds = 10 } = yield* Flags
  const environment = variable(host, "GEOSWAP_API_KEY")
  const file = given.apiKeyFile === undefined ? undefined : resolve(host.folder, given.apiKeyFile)
  const key =
    file !== undefined
      ? Redacted.make(new TextDecoder().decode(yield* readSecret(file, "The API key")).trim())
      : (devnetKey ??
        (environment !== undefined
          ? Redacted.make(environment.trim())
          : ask
            ? yield* Ask.secret("Your API key", "Set GEOSWAP_API_KEY, or name a file with --api-key-file.")
            : undefined))
  if (key === undefined || Redacted.value(key) === "") return undefined
  if (!/^[!-~]+$/.test(Redacted.value(key))) {
    return yield* new Failure({
      message: "That is no API key: it has spaces or strange characters.",
      next: "Try again."
    })
  }
  const seen = yield* probe(url, key, timeoutSeconds * 1000)
  if (seen.reached && (seen.status === 401 || seen.status === 403)) {
    return yield* new Failure({
      message: "The service does not accept the API key.",
      next: "Ask its operator for one."
    })
  }
  return { key, file }
})

/** What the configuration should hold of a devnet. */
const ofDevnet = Effect.gen(function* () {
  const { devnet } = yield* Flags
  if (devnet === undefined) return undefined
  const settings = yield* Settings.load
  const service = yield* settings.service
  return { settings, service }
})

/** The chains that the service lists, to ask about; none where it does not say. */
const servedChains = (url: string, apiKey: Redacted.Redacted | undefined) =>
  apiKey === undefined
    ? Effect.succeed([])
    : Effect.match(
        Effect.flatMap(FetchTransport.make({ baseUrl: url, apiKey, traceparent: false }), ({ chains }) => chains),
        { onSuccess: (chains) => chains, onFailure: () => [] }
      )

/** What the file says of a devnet's chains. */
const chainsOf = (chains: ReadonlyArray<Settings.ConfiguredChain>): NonNullable<ConfigFile.ConfigFile["chains"]> =>
  Object.fromEntries(
    chains.map(({ id, kind, name, rpcUrl, tokens }) => [
      id,
      { kind, tokens, ...(name !== undefined && { name }), ...(rpcUrl !== undefined && { rpcUrl }) }
    ])
  )

/** The families of chains that are not the usual ones, as the form of their pinned contracts says. */
const familiesOf = (
  pinned: NonNullable<ConfigFile.ConfigFile["deployments"]>,
  chains: ConfigFile.ConfigFile["chains"]
): NonNullable<ConfigFile.ConfigFile["chains"]> =>
  Object.fromEntries(
    Object.entries(pinned).flatMap(([id, { vault }]) => {
      const kind = Chain.isAddress("solana", vault) ? "solana" : "evm"
      return chains?.[id] !== undefined || Chain.families()(Number(id)) === kind ? [] : [[id, { kind }] as const]
    })
  )

/** Keeps the API key beside the configuration, unless it is in a file already. */
const keepApiKey = Effect.fnUntraced(function* (
  apiKey: { key: Redacted.Redacted; file: string | undefined },
  folder: string
) {
  if (apiKey.file !== undefined) return apiKey.file
  const file = join(folder, "api-key")
  yield* writePrivate(file, `${Redacted.value(apiKey.key)}\n`)
  return file
})

/** Writes the configuration. */
export const run = Effect.fnUntraced(function* (given: Given) {
  const output = yield* Output
  const flags = yield* Flags
  const host = yield* Host
  if (!flags.yes && !output.canAsk) {
    return yield* new Failure({
      message: "There is no terminal to ask at.",
      next: "Say it all with flags and --yes: see geoswap init --help"
    })
  }
  const path = ConfigFile.pathOf(flags, host)
  const folder = dirname(path)
  const before = yield* ConfigFile.readOrEmpty(path)
  const devnet = yield* ofDevnet
  // A devnet leaves nothing to ask but the yes.
  const ask = !flags.yes && devnet === undefined
  const url = yield* chooseUrl(devnet?.service.url ?? before.service?.url, ask)
  const apiKey = yield* chooseApiKey(url, given, devnet?.service.apiKey, ask)
  const evm = yield* evmKey(given, folder, ask)
  const solana = yield* solanaKey(given, ask)
  // A name from the service would let it choose which chain the contracts are pinned on.
  const nameOf = (id: string): string | undefined =>
    devnet?.settings.chains.find((chain) => String(chain.id) === id)?.name ??
    before.chains?.[id]?.name ??
    bundledChain(Number(id))?.name
  const listed = devnet?.settings.chains ?? (yield* servedChains(url, apiKey?.key))
  const found: NonNullable<ConfigFile.ConfigFile["deployments"]> =
    given.deployment !== undefined
      ? yield* readDeployments(given.deployment)
      : devnet !== undefined
        ? devnet.settings.deployments
        : ask
          ? yield* typeDeployments(
              listed.map(({ id, kind, name }) => ({
                id,
                kind: before.chains?.[id]?.kind ?? bundledChain(id)?.kind ?? kind,
                name:
                  nameOf(String(id)) ??
                  `chain ${id}${name === undefined ? "" : `, which the service calls "${clean(name)}"`}`
              }))
            )
          : {}
  const pinned = yield* agree(found, nameOf)

  const deployments = { ...before.deployments, ...pinned }
  const configured = {
    ...before.chains,
    ...familiesOf(pinned, before.chains),
    ...(devnet !== undefined && chainsOf(devnet.settings.chains))
  }
  const tokens = yield* pinBundled(
    configured,
    Object.keys(deployments).map(Number),
    given.bundledTokens ? "pin" : ask ? "ask" : "leave"
  )

  const apiKeyFile = apiKey === undefined ? undefined : yield* keepApiKey(apiKey, folder)
  const keptFile = before.service?.url === url ? before.service.apiKeyFile : undefined
  const service = { url, ...((apiKeyFile ?? keptFile) !== undefined && { apiKeyFile: apiKeyFile ?? keptFile }) }
  const keys = { ...before.keys, ...(evm !== undefined && { evm }), ...(solana !== undefined && { solana }) }
  const after = yield* ConfigFile.parse(
    JSON.stringify({
      ...before,
      service,
      ...(Object.keys(tokens.chains ?? {}).length > 0 && { chains: tokens.chains }),
      ...(Object.keys(deployments).length > 0 && { deployments }),
      ...(Object.keys(keys).length > 0 && { keys })
    }),
    path
  )
  yield* ConfigFile.write(path, after)
  if (service.apiKeyFile === undefined) {
    yield* output.remark("No API key is stored: set GEOSWAP_API_KEY with each command.")
  }
  if (Object.keys(deployments).length === 0) {
    yield* output.remark("No deployment is pinned: nothing can be signed until geoswap init --deployment <file>.")
  }
  const pinsTokens = Object.values(after.chains ?? {}).some((chain) => (chain.tokens ?? []).length > 0)
  if (!pinsTokens) {
    yield* output.remark(
      "No token is pinned: amounts are in smallest units until geoswap token add <chain> <token>, or --bundled-tokens."
    )
  }
  yield* output.answer(
    { path, service, keys, pinned: Object.keys(deployments).map(Number), tokens: tokens.pinned },
    () => [`The configuration is in ${path}.`, "See whether all is well with: geoswap doctor"].join("\n")
  )
})
