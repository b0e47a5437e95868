/** Handles `geoswap init`: writes the configuration from interactive prompts, or from flags in a script. */
import { dirname, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../../terminal/Prompts.js"
import * as ConfigFile from "../../config/ConfigFile.js"
import { usage, failure } from "../../output/Exit.js"
import { Flags } from "../../flags/Flags.js"
import { bundledChain } from "../../chains/bundledChains.js"
import { Host, variable } from "../../node/Host.js"
import { probe } from "../../service/probe.js"
import { readSecret } from "../../node/secretFile.js"
import { offerBundledTokens } from "./offerBundledTokens.js"
import { confirmDeployments, readDeployments, promptDeployments } from "./chooseDeployments.js"
import { backupNotice, type KeyFlags, passedKeys, promptKey, useKeyFile } from "../../keys/chooseKeys.js"
import * as Output from "../../output/Output.js"

/** The parsed flags of `geoswap init`. */
export interface InitArgs extends KeyFlags {
  readonly apiKeyFile: string | undefined
  readonly deployment: string | undefined
  readonly bundledTokens: boolean
}

const urlHint = "Pass the service URL with --url."

/** Returns the URL once a request to the service has succeeded. */
const checkUrl = Effect.fnUntraced(function* (url: string) {
  const { timeoutSeconds = 10 } = yield* Flags
  if (!ConfigFile.isServiceUrl(url)) {
    return yield* usage(`The URL is invalid: expected ${ConfigFile.serviceUrlFormat}.`, urlHint)
  }
  const probed = yield* probe(url, undefined, timeoutSeconds * 1000)
  if (!probed.reached) {
    return yield* failure(
      `The service at ${url} did not respond: ${probed.reason}.`,
      "Check the URL and your internet connection."
    )
  }
  yield* Output.notice(`The service responded in ${probed.took} ms.`)
  return url
})

/** Chooses the service URL. */
const chooseUrl = Effect.fnUntraced(function* (known: string | undefined, ask: boolean) {
  const { url: passed } = yield* Flags
  if (ask && passed === undefined) {
    const prompt = Prompts.text("Service URL", urlHint, known)
    return yield* Prompts.untilValid(Effect.flatMap(prompt, checkUrl))
  }
  const url = passed ?? known
  return url === undefined ? yield* usage("No service URL was given.", urlHint) : yield* checkUrl(url)
})

/** Returns the API key, unless the service rejects it. An empty key means that none is stored. */
const checkApiKey = Effect.fnUntraced(function* (url: string, key: Redacted.Redacted) {
  const { timeoutSeconds = 10 } = yield* Flags
  if (Redacted.value(key) === "") return undefined
  if (!/^[!-~]+$/.test(Redacted.value(key))) {
    return yield* failure("This is not an API key: it contains spaces or unexpected characters.", "Copy the key again.")
  }
  const probed = yield* probe(url, key, timeoutSeconds * 1000)
  if (probed.reached && (probed.status === 401 || probed.status === 403)) {
    return yield* failure("The service does not accept the API key.", "Ask the service operator for a key.")
  }
  return key
})

/** Returns the API key and, if the key is already in a file, the path of that file. */
const chooseApiKey = Effect.fnUntraced(function* (url: string, args: InitArgs, ask: boolean) {
  const host = yield* Host
  const file = args.apiKeyFile && resolve(host.folder, args.apiKeyFile)
  const given = file ? yield* readSecret(file, "The API key") : variable(host, "GEOSWAP_API_KEY")
  const prompt = Prompts.secret("Your API key", "Set GEOSWAP_API_KEY, or pass a file with --api-key-file.")
  const key =
    given !== undefined
      ? yield* checkApiKey(url, Redacted.make(given.trim()))
      : ask
        ? yield* Prompts.untilValid(Effect.flatMap(prompt, (typed) => checkApiKey(url, typed)))
        : undefined
  return key && { key, file }
})

/** Returns the chains that the service lists, or an empty list if there is no API key or the request fails. */
const servedChains = (url: string, apiKey: Redacted.Redacted | undefined) =>
  apiKey === undefined
    ? Effect.succeed([])
    : Effect.match(
        Effect.flatMap(FetchTransport.make({ baseUrl: url, apiKey, traceparent: false }), ({ chains }) => chains),
        { onSuccess: (chains) => chains, onFailure: () => [] }
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
      const family = Chain.isAddress("solana", vault) ? "solana" : "evm"
      return chains?.[id] !== undefined || Chain.defaultFamily(Number(id)) === family ? [] : [[id, { family }] as const]
    })
  )

/** Chooses the keys from the flags or prompts. Returns only those that replace configured ones. */
const chooseKeys = Effect.fnUntraced(function* (args: InitArgs, folder: string, ask: boolean) {
  const passed = passedKeys(args, folder)
  const hint = "Pass --new-keystore, --import-key, --keystore or --key-file."
  const [evm, ...others] = passed.evm
  if (others.length > 0) {
    return yield* usage("More than one EVM key was given.", hint)
  }
  const chosen = yield* (
    evm ??
      (ask
        ? promptKey("Which key should your EVM wallet use?", hint, folder, {
            title: "None",
            description: "you can set GEOSWAP_EVM_KEY later",
            value: Effect.undefined
          })
        : Effect.undefined)
  )
  const promptSolana = Prompts.text(
    "Path to your Solana key file, as written by solana-keygen (leave empty for none)",
    "Pass --solana-key-file."
  )
  const solana = yield* (
    passed.solana[0] ??
      (ask
        ? Prompts.untilValid(
            Effect.flatMap(promptSolana, (named) => (named === "" ? Effect.undefined : useKeyFile("solana", named)))
          )
        : Effect.undefined)
  )
  return {
    keys: { ...(chosen && { evm: chosen.key }), ...(solana && { solana: solana.key }) },
    created: chosen?.created
  }
})

/** Writes the configuration. */
export const run = Effect.fnUntraced(function* (args: InitArgs) {
  const output = yield* Output.Output
  const { yes } = yield* Flags
  if (!yes && !output.interactive) {
    return yield* failure(
      "No interactive terminal is available.",
      "Pass flags and --yes instead. To list the flags, run 'geoswap init --help'."
    )
  }
  const { config: before, path, save } = yield* ConfigFile.edit
  const folder = dirname(path)
  const ask = !yes
  const url = yield* chooseUrl(before.service?.url, ask)
  const apiKey = yield* chooseApiKey(url, args, ask)
  const chosen = yield* chooseKeys(args, folder, ask)
  // Chain names from the service are not used. Otherwise, the service could trick the user into pinning contracts on
  // the wrong chain.
  const nameOf = (id: string) => before.chains?.[id]?.name ?? bundledChain(Number(id))?.name
  const listed = yield* servedChains(url, apiKey?.key)
  const found =
    args.deployment !== undefined
      ? yield* readDeployments(args.deployment)
      : ask
        ? yield* promptDeployments(
            listed.map(({ id, family, name }) => ({
              id,
              family: before.chains?.[id]?.family ?? bundledChain(id)?.family ?? family,
              name: nameOf(String(id)) ?? `chain ${id}, which the service calls "${Output.stripControls(name)}"`
            }))
          )
        : {}
  const pinned = yield* confirmDeployments(found, nameOf)

  const deployments = { ...before.deployments, ...pinned }
  const tokens = yield* offerBundledTokens(
    { ...before.chains, ...familiesOf(pinned, before.chains) },
    Object.keys(deployments).map(Number),
    args.bundledTokens ? "pin" : ask ? "ask" : "skip"
  )

  const apiKeyFile =
    (apiKey && (apiKey.file ?? join(folder, "api-key"))) ??
    (before.service?.url === url ? before.service.apiKeyFile : undefined)
  const service = { url, ...(apiKeyFile !== undefined && { apiKeyFile }) }
  const keys = { ...chosen.keys, ...before.keys, ...chosen.keys }
  const isUsed = (entries: object | undefined) => Object.keys(entries ?? {}).length > 0
  const after = yield* save(
    {
      ...before,
      service,
      ...(isUsed(tokens.chains) && { chains: tokens.chains }),
      ...(isUsed(deployments) && { deployments }),
      ...(isUsed(keys) && { keys })
    },
    [
      ...(chosen.created === undefined ? [] : [chosen.created.file]),
      ...(apiKey !== undefined && apiKey.file === undefined
        ? [{ path: join(folder, "api-key"), text: `${Redacted.value(apiKey.key)}\n` }]
        : [])
    ]
  )
  const pinsTokens = Object.values(after.chains ?? {}).some(({ tokens = [] }) => tokens.length > 0)
  for (const notice of [
    chosen.created && backupNotice(chosen.created),
    apiKeyFile === undefined && "No API key was stored. Set GEOSWAP_API_KEY whenever you run a command.",
    !isUsed(deployments) &&
      "No contracts are pinned, so nothing can be signed until you run geoswap init --deployment <file>.",
    !pinsTokens &&
      "No tokens are pinned, so amounts are in each token's smallest unit. To pin tokens, run geoswap token add <chain> <token>, or run geoswap init with --bundled-tokens."
  ]) {
    if (notice) yield* Output.notice(notice)
  }
  yield* Output.result(
    { path, service, keys, pinned: Object.keys(deployments).map(Number), tokens: tokens.pinned },
    () => [`Configuration written to ${path}.`, "Check it with: geoswap doctor"].join("\n")
  )
})
