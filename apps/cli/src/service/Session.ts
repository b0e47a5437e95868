/** A conversation with the service, put together from the settings: for looking, and for signing. */
import { Chain, ChainReader, type Policy, Settings as Patience, type SwapError, Transport } from "@geoswap/core"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Balances from "../chains/Balances.js"
import * as ConfigFile from "../config/ConfigFile.js"
import * as Directory from "../chains/Directory.js"
import type { Flags } from "../commands/Flags.js"
import type { FileProblem } from "../node/secretFile.js"
import * as Keys from "../keys/Keys.js"
import * as Settings from "../config/Settings.js"

/** How patient the programs are, given the seconds that the person set. */
const patienceOf = (seconds: number | undefined): Patience.Shape =>
  seconds === undefined
    ? Patience.defaults
    : {
        ...Patience.defaults,
        requestTimeout: Math.min(Patience.defaults.requestTimeout, Math.ceil(seconds * 1000)),
        waitTimeout: Math.ceil(seconds * 1000)
      }

/** The service of the settings. */
const transport: Layer.Layer<
  Transport.Transport,
  Settings.SettingsError | FileProblem | SwapError.InvalidInput,
  Settings.Settings
> = Layer.effect(
  Transport.Transport,
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    const { apiKey, url } = yield* settings.service
    return yield* FetchTransport.make({ baseUrl: url, apiKey, traceparent: false })
  })
)

/** How patient core's programs are. */
const patience = Layer.effect(
  Patience.Settings,
  Effect.map(Settings.Settings, ({ timeoutSeconds }) => patienceOf(timeoutSeconds))
)

/** The families of all chains that are known. */
const families = Layer.effect(
  Chain.Families,
  Effect.map(Directory.Directory, ({ familyOf }) => familyOf)
)

/** How a session for looking can fail to come about. */
export type ReadError = Settings.SettingsError | FileProblem | SwapError.InvalidInput | SwapError.CallError

/** A session that has no key: settings, service, and the chains and tokens that can be named. */
export const reads: Layer.Layer<Settings.Settings | Transport.Transport | Directory.Directory, ReadError, Flags> =
  families.pipe(
    Layer.provideMerge(Directory.layer),
    Layer.provideMerge(transport),
    Layer.provideMerge(patience),
    Layer.provideMerge(Settings.layer)
  )

/** The policy of the configuration, its names resolved. */
export const policyOf = Effect.gen(function* () {
  const { deployments, policy } = yield* Settings.Settings
  // A rule that cannot be read must not silently allow.
  const inPolicy = <A, E extends { readonly message: string; readonly next: string }, R>(
    rule: string,
    effect: Effect.Effect<A, E, R>
  ) =>
    Effect.mapError(
      effect,
      ({ message, next }) =>
        new Settings.SettingsError({ message: `policy.${rule} of the configuration: ${message}`, next })
    )
  const amountsOf = <A extends { readonly token: string; readonly amount: string }>(
    rule: string,
    list: ReadonlyArray<A>
  ) =>
    Effect.forEach(list, (entry) =>
      inPolicy(
        rule,
        Effect.gen(function* () {
          const place = yield* Directory.resolvePair(entry.token)
          return {
            ...entry,
            chain: place.chain.id,
            token: place.token.address,
            amount: yield* Directory.parseAmount(entry.amount, place)
          }
        })
      )
    )
  const { familyOf } = yield* Directory.Directory
  const least = yield* amountsOf("minOutput", policy.minOutput ?? [])
  const options: Policy.Options = {
    verification: policy.verification,
    deployments,
    maxPriceImpactBps: policy.maxPriceImpactBps,
    maxFeeBps: policy.maxFeeBps,
    minOutput: ({ destinationChain, outputToken }) =>
      least.find(
        ({ chain, token }) => chain === destinationChain && Chain.sameAddress(familyOf(chain), token, outputToken)
      )?.amount,
    allowedChains:
      policy.allowedChains &&
      (yield* Effect.forEach(policy.allowedChains, (name) =>
        inPolicy(
          "allowedChains",
          Effect.map(Directory.resolveChain(name), ({ id }) => id)
        )
      )),
    allowedTokens:
      policy.allowedTokens &&
      (yield* Effect.forEach(policy.allowedTokens, (name) =>
        inPolicy(
          "allowedTokens",
          Effect.map(Directory.resolvePair(name), ({ chain, token }) => ({ chain: chain.id, token: token.address }))
        )
      )),
    allowedRecipients: policy.allowedRecipients,
    maxSlippageBps: policy.maxSlippageBps,
    // An empty list would leave no budget for any token.
    budgets: policy.budgets && (yield* amountsOf("budgets", policy.budgets)),
    afterRefusal: policy.afterRefusal,
    maxLifetimeSeconds: policy.maxLifetimeSeconds
  }
  return options
})

/** Whether a node can be believed: nobody on the way may change what it says. */
const isPrivate = (rpcUrl: string): boolean => ConfigFile.isServiceUrl(rpcUrl.replace(/\?[^#]*$/, ""))

/** The user's own nodes of a family, by chain. */
const nodesOf = (chains: ReadonlyArray<Settings.ConfiguredChain>, family: Chain.Family) =>
  chains.flatMap(({ id, kind, rpcUrl }) =>
    kind === family && rpcUrl !== undefined && isPrivate(rpcUrl) ? [[id, rpcUrl] as const] : []
  )

/**
 * The signer of one family, with its key opened; the other family's is not looked at. An EVM signer reads the code of a
 * delegate through the user's own nodes, and compares it with the pinned `codeHash`.
 */
export const signers = (family: Chain.Family) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (family === "evm") {
        const { chains } = yield* Settings.Settings
        const { account } = yield* Keys.evm
        const { EvmSigner } = yield* Effect.promise(() => import("@geoswap/signer-evm"))
        const rpc = yield* Effect.promise(() =>
          Promise.all(nodesOf(chains, "evm").map(async ([id, url]) => [id, await Balances.evmClient(url)] as const))
        )
        return EvmSigner.layerAccount(account, { rpc: Object.fromEntries(rpc) })
      }
      const { keyPair } = yield* Keys.solana
      const { SolanaSigner } = yield* Effect.promise(() => import("@geoswap/signer-solana"))
      return SolanaSigner.layerKeyPair(keyPair)
    })
  )

/**
 * The user's own nodes as readers of the chains: they show whether something that was signed has expired unused, and the
 * nonce that a delegation needs. Where there is no node there is no reader, and the service's word is not enough.
 */
export const readers = (wanted: (chain: Settings.ConfiguredChain) => boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { chains } = yield* Settings.Settings
      const known = chains.filter(wanted)
      const [evm, solana] = [nodesOf(known, "evm"), nodesOf(known, "solana")]
      const { EvmReader } = evm.length > 0 ? yield* Effect.promise(() => import("@geoswap/signer-evm")) : {}
      const { SolanaReader } = solana.length > 0 ? yield* Effect.promise(() => import("@geoswap/signer-solana")) : {}
      return ChainReader.layer({
        ...(EvmReader !== undefined && { evm: yield* EvmReader.make({ rpcUrls: Object.fromEntries(evm) }) }),
        ...(SolanaReader !== undefined && { solana: yield* SolanaReader.make({ rpcUrls: Object.fromEntries(solana) }) })
      })
    })
  )
