/** Handles `geoswap init`: writes the configuration from interactive prompts, or from flags in a script. */
import { dirname, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../../terminal/Prompts.js"
import * as ConfigFile from "../../config/ConfigFile.js"
import { Failure, UsageError } from "../../output/Exit.js"
import { Flags } from "../../flags/Flags.js"
import { bundledChain } from "../../chains/bundledChains.js"
import { Host, variable } from "../../node/Host.js"
import { probe } from "../../service/probe.js"
import { readSecret, writeAllPrivate } from "../../node/secretFile.js"
import { offerBundledTokens } from "./offerBundledTokens.js"
import { confirmDeployments, readDeployments, promptDeployments } from "./chooseDeployments.js"
import { chooseEvmKey, type KeyFlags, chooseSolanaKey } from "../../keys/chooseKeys.js"
import { stripControls, Output } from "../../output/Output.js"
import * as Settings from "../../config/Settings.js"

/** The parsed flags of `geoswap init`. */
export interface InitArgs extends KeyFlags {
  readonly apiKeyFile: string | undefined
  readonly deployment: string | undefined
  readonly bundledTokens: boolean
}

const urlHint = "Pass the service URL with --url."

/** Returns the URL once a request to the service has succeeded. */
const checkUrl = Effect.fnUntraced(function* (url: string) {
  const output = yield* Output
  const { timeoutSeconds = 10 } = yield* Flags
  if (!ConfigFile.isServiceUrl(url)) {
    return yield* new UsageError({
      message: `The URL is invalid: expected ${ConfigFile.serviceUrlFormat}.`,
      next: urlHint
    })
  }
  const probed = yield* probe(url, undefined, timeoutSeconds * 1000)
  if (!probed.reached) {
    return yield* new Failure({
      message: `The service at ${url} did not respond: ${probed.reason}.`,
      next: "Check the URL and your internet connection."
    })
  }
  yield* output.notice(`The service responded in ${probed.took} ms.`)
  return url
})

/** Chooses the service URL. */
const chooseUrl = Effect.fnUntraced(function* (known: string | undefined, ask: boolean) {
  const { url: passed } = yield* Flags
  if (ask && passed === undefined) {
    const prompt = Prompts.text("Service URL", urlHint, {
      ...(known !== undefined && { initial: known }),
      validate: (text) => (ConfigFile.isServiceUrl(text) ? undefined : `Expected ${ConfigFile.serviceUrlFormat}.`)
    })
    return yield* Prompts.untilValid(Effect.flatMap(prompt, checkUrl))
  }
  const url = passed ?? known
  return url === undefined
    ? yield* new Failure({ message: "No service URL was given.", next: urlHint, exitCode: 64 })
    : yield* checkUrl(url)
})

/** Returns the API key, unless the service rejects it. An empty key means that none is stored. */
const checkApiKey = Effect.fnUntraced(function* (url: string, key: Redacted.Redacted) {
  const { timeoutSeconds = 10 } = yield* Flags
  if (Redacted.value(key) === "") return undefined
  if (!/^[!-~]+$/.test(Redacted.value(key))) {
    return yield* new Failure({
      message: "This is not an API key: it contains spaces or unexpected characters.",
      next: "Copy the key again."
    })
  }
  const probed = yield* probe(url, key, timeoutSeconds * 1000)
  if (probed.reached && (probed.status === 401 || probed.status === 403)) {
    return yield* new Failure({
      message: "The service does not accept the API key.",
      next: "Ask the service operator for a key."
    })
  }
  return key
})

/** Returns the API key and, if the key is already in a file, the path of that file. */
const chooseApiKey = Effect.fnUntraced(function* (
  url: string,
  args: InitArgs,
  devnetKey: Redacted.Redacted | undefined,
  ask: boolean
) {
  const host = yield* Host
  const environment = variable(host, "GEOSWAP_API_KEY")
  const file = args.apiKeyFile === undefined ? undefined : resolve(host.folder, args.apiKeyFile)
  const given =
    file !== undefined
      ? Redacted.make(new TextDecoder().decode(yield* readSecret(file, "The API key")).trim())
      : (devnetKey ?? (environment === undefined ? undefined : Redacted.make(environment.trim())))
  const prompt = Prompts.secret("Your API key", "Set GEOSWAP_API_KEY, or pass a file with --api-key-file.")
  const key =
    given !== undefined
      ? yield* checkApiKey(url, given)
      : ask
        ? yield* Prompts.untilValid(Effect.flatMap(prompt, (typed) => checkApiKey(url, typed)))
        : undefined
  return key && { key, file }
})

/** Loads the devnet that `--devnet` selects. */
const loadDevnet = Effect.gen(function* () {
  const { devnet } = yield* Flags
  if (devnet === undefined) return undefined
  const settings = yield* Settings.load
  const service = yield* settings.service
  return { settings, service }
})

/** Returns the chains that the service lists, or an empty list if there is no API key or the request fails. */
const servedChains = (url: string, apiKey: Redacted.Redacted | undefined) =>
  apiKey === undefined
    ? Effect.succeed([])
    : Effect.match(
        Effect.flatMap(FetchTransport.make({ baseUrl: url, apiKey, traceparent: false }), ({ chains }) => chains),
        { onSuccess: (chains) => chains, onFailure: () => [] }
      )

/** The devnet's chains, in the format of the configuration file. */
const chainsOf = (chains: ReadonlyArray<Settings.ConfiguredChain>): NonNullable<ConfigFile.ConfigFile["chains"]> =>
  Object.fromEntries(
    chains.map(({ id, kind, name, rpcUrl, tokens }) => [
      id,
      { kind, tokens, ...(name !== undefined && { name }), ...(rpcUrl !== undefined && { rpcUrl }) }
    ])
  )

/**
 * Configuration entries that set the family of chains whose pinned contracts belong to a family other than the default
 * for the chain id.
 */
const familiesOf = (
  pinned: NonNullable<ConfigFile.ConfigFile["deployments"]>,
  chains: ConfigFile.ConfigFile["chains"]
): NonNullable<ConfigFile.ConfigFile["chains"]> =>
  Object.fromEntries(
    Object.entries(pinned).flatMap(([id, { vault }]) => {
      const kind = Chain.isAddress("solana", vault) ? "solana" : "evm"
      return chains?.[id] !== undefined || Chain.defaultFamily(Number(id)) === kind ? [] : [[id, { kind }] as const]
    })
  )

/** Writes the configuration. */
export const run = Effect.fnUntraced(function* (args: InitArgs) {
  const output = yield* Output
  const flags = yield* Flags
  const host = yield* Host
  if (!flags.yes && !output.interactive) {
    return yield* new Failure({
      message: "No interactive terminal is available.",
      next: "Pass flags and --yes instead. To list the flags, run 'geoswap init --help'."
    })
  }
  const path = ConfigFile.pathOf(flags, host)
  const folder = dirname(path)
  const before = yield* ConfigFile.readOrEmpty(path)
  const devnet = yield* loadDevnet
  // With a devnet, the only prompt is the confirmation of the contracts.
  const ask = !flags.yes && devnet === undefined
  const url = yield* chooseUrl(devnet?.service.url ?? before.service?.url, ask)
  const apiKey = yield* chooseApiKey(url, args, devnet?.service.apiKey, ask)
  const evm = yield* chooseEvmKey(args, folder, ask)
  const solana = yield* chooseSolanaKey(args, ask)
  // Chain names from the service are not used. Otherwise, the service could trick the user into pinning contracts on
  // the wrong chain.
  const nameOf = (id: string): string | undefined =>
    devnet?.settings.chains.find((chain) => String(chain.id) === id)?.name ??
    before.chains?.[id]?.name ??
    bundledChain(Number(id))?.name
  const listed = devnet?.settings.chains ?? (yield* servedChains(url, apiKey?.key))
  const found: NonNullable<ConfigFile.ConfigFile["deployments"]> =
    args.deployment !== undefined
      ? yield* readDeployments(args.deployment)
      : devnet !== undefined
        ? devnet.settings.deployments
        : ask
          ? yield* promptDeployments(
              listed.map(({ id, kind, name }) => ({
                id,
                kind: before.chains?.[id]?.kind ?? bundledChain(id)?.kind ?? kind,
                name:
                  nameOf(String(id)) ??
                  `chain ${id}${name === undefined ? "" : `, which the service calls "${stripControls(name)}"`}`
              }))
            )
          : {}
  const pinned = yield* confirmDeployments(found, nameOf)

  const deployments = { ...before.deployments, ...pinned }
  const configured = {
    ...before.chains,
    ...familiesOf(pinned, before.chains),
    ...(devnet !== undefined && chainsOf(devnet.settings.chains))
  }
  const tokens = yield* offerBundledTokens(
    configured,
    Object.keys(deployments).map(Number),
    args.bundledTokens ? "pin" : ask ? "ask" : "skip"
  )

  const apiKeyFile = apiKey && (apiKey.file ?? join(folder, "api-key"))
  const previousFile = before.service?.url === url ? before.service.apiKeyFile : undefined
  const service = { url, ...((apiKeyFile ?? previousFile) !== undefined && { apiKeyFile: apiKeyFile ?? previousFile }) }
  const keys = { ...before.keys, ...(evm !== undefined && { evm: evm.key }), ...(solana !== undefined && { solana }) }
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
  yield* writeAllPrivate([
    ...(evm?.created === undefined ? [] : [evm.created.file]),
    ...(apiKey !== undefined && apiKeyFile !== undefined && apiKey.file === undefined
      ? [{ path: apiKeyFile, text: `${Redacted.value(apiKey.key)}\n` }]
      : []),
    ConfigFile.toFile(path, after)
  ])
  if (evm?.created !== undefined) {
    const { address, file } = evm.created
    yield* output.notice(
      `The key for ${address} is in ${file.path}. Back up the file and its password, because neither can be recovered.`
    )
  }
  if (service.apiKeyFile === undefined) {
    yield* output.notice("No API key was stored. Set GEOSWAP_API_KEY whenever you run a command.")
  }
  if (Object.keys(deployments).length === 0) {
    yield* output.notice(
      "No contracts are pinned, so nothing can be signed until you run geoswap init --deployment <file>."
    )
  }
  const pinsTokens = Object.values(after.chains ?? {}).some((chain) => (chain.tokens ?? []).length > 0)
  if (!pinsTokens) {
    yield* output.notice(
      "No tokens are pinned, so amounts are in each token's smallest unit. To pin tokens, run geoswap token add <chain> <token>, or run geoswap init with --bundled-tokens."
    )
  }
  yield* output.result(
    { path, service, keys, pinned: Object.keys(deployments).map(Number), tokens: tokens.pinned },
    () => [`Configuration written to ${path}.`, "Check it with: geoswap doctor"].join("\n")
  )
})
