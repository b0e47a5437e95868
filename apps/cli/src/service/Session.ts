/** Layers for commands, built from the settings: transport, policy, signers and chain readers. */
import { Chain, ChainReader, type Policy, RetrySettings, Transport } from "@geoswap/core"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConfigFile from "../config/ConfigFile.js"
import * as Directory from "../chains/Directory.js"
import { networkOf } from "../chains/networkOf.js"
import { evmClient, evmReader, type Node, solanaReader } from "../chains/nodes.js"
import type { OpenedWallet } from "../keys/Keys.js"
import * as Settings from "../config/Settings.js"
import type { Explained } from "../output/Exit.js"
import * as OwnPrices from "../swap/OwnPrices.js"

/** The transport for the configured service. */
const transport = Layer.effect(
  Transport.Transport,
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    const { apiKey, url } = yield* settings.service
    return yield* FetchTransport.make({ baseUrl: url, apiKey, traceparent: false })
  })
)

/** Provides the retry settings to core. */
const retrySettings = Layer.effect(
  RetrySettings.RetrySettings,
  Effect.map(Settings.Settings, ({ timeoutSeconds }) => {
    if (timeoutSeconds === undefined) return RetrySettings.defaults
    const waitTimeout = Math.ceil(timeoutSeconds * 1000)
    return {
      ...RetrySettings.defaults,
      requestTimeout: Math.min(RetrySettings.defaults.requestTimeout, waitTimeout),
      waitTimeout
    }
  })
)

/** Provides the families of all known chains. */
const families = Layer.effect(
  Chain.Families,
  Effect.map(Directory.Directory, ({ familyOf }) => familyOf)
)

/** Provides the configured chains and tokens, without contacting the service. */
export const directoryConfigured = families.pipe(Layer.provideMerge(Directory.layerConfigured))

/** Provides the settings, and the configured chains and tokens. */
export const offline = directoryConfigured.pipe(Layer.provideMerge(Settings.layer))

/** Provides the settings and the transport. */
export const connection = transport.pipe(Layer.provideMerge(retrySettings), Layer.provideMerge(Settings.layer))

/** Provides everything that does not need a key: the settings, the transport, and the known chains and tokens. */
export const reads = families.pipe(Layer.provideMerge(Directory.layer), Layer.provideMerge(connection))

/** The configured policy, with the names of chains and tokens resolved. */
export const policyOf = Effect.gen(function* () {
  const { deployments, policy } = yield* Settings.Settings
  const { familyOf } = yield* Directory.Directory
  const { allowedChains, allowedTokens, budgets, maxLossBps, minOutput = [], prices: _, ...rules } = policy
  // If a name in a rule cannot be resolved, that is an error. The rule must not be ignored.
  const resolveAll = <A, B, E extends Explained, R>(
    rule: string,
    list: ReadonlyArray<A>,
    resolve: (entry: A) => Effect.Effect<B, E, R>
  ) =>
    Effect.mapError(Effect.forEach(list, resolve), ({ message, next }) =>
      Settings.settingsError(`Invalid policy.${rule} in the configuration: ${message}`, next)
    )
  const toAmount = <A extends { readonly token: string; readonly amount: string }>(entry: A) =>
    Effect.gen(function* () {
      const resolved = yield* Directory.resolveChainToken(entry.token)
      const amount = yield* Directory.parseAmount(entry.amount, resolved)
      return { ...entry, chainId: resolved.chain.id, token: resolved.token.address, amount }
    })
  const minimums = yield* resolveAll("minOutput", minOutput, toAmount)
  const ownMinimum = yield* OwnPrices.minimumWithin(maxLossBps)
  const options: Policy.Options = {
    ...rules,
    network: networkOf(deployments),
    minOutput: (request) =>
      OwnPrices.highest(
        minimums.find(
          ({ chainId, token }) =>
            chainId === request.destinationChain && Chain.sameAddress(familyOf(chainId), token, request.outputToken)
        )?.amount,
        ownMinimum(request)
      ),
    allowedChains:
      allowedChains &&
      (yield* resolveAll("allowedChains", allowedChains, (name) =>
        Effect.map(Directory.resolveChain(name), ({ id }) => id)
      )),
    allowedTokens:
      allowedTokens &&
      (yield* resolveAll("allowedTokens", allowedTokens, (name) =>
        Effect.map(Directory.resolveChainToken(name), ({ chain, token }) => ({
          chainId: chain.id,
          token: token.address
        }))
      )),
    // An empty list, unlike a missing one, gives every token a budget of zero.
    budgets: budgets && (yield* resolveAll("budgets", budgets, toAmount))
  }
  return options
})

/** Whether the connection to a node is secure: it uses https, or http on this machine. */
const isSecure = (rpcUrl: string) => ConfigFile.isServiceUrl(rpcUrl.replace(/\?[^#]*$/, ""))

/** The user's nodes for a chain family, by chain. */
const nodesOf = (chains: ReadonlyArray<Settings.ConfiguredChain>, family: Chain.Family) =>
  chains.flatMap(({ id, family: of, rpcUrl }) =>
    of === family && rpcUrl !== undefined && isSecure(rpcUrl) ? [[id, rpcUrl] as const] : []
  )

/**
 * Provides the signer of an opened wallet. An EVM signer reads a delegate's code through the user's
 * nodes and compares it with the pinned `codeHash`.
 */
export const signersOf = (opened: OpenedWallet, nodes: ReadonlyArray<Node>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (opened.family === "evm") {
        const { account } = opened
        const { EvmSigner } = yield* Effect.promise(() => import("@geoswap/signer-evm"))
        const rpc = yield* Effect.promise(() =>
          Promise.all(nodes.map(async ([id, url]) => [id, await evmClient(url)] as const))
        )
        return EvmSigner.layerAccount(account, { rpc: Object.fromEntries(rpc) })
      }
      const { keyPair } = opened
      const { SolanaSigner } = yield* Effect.promise(() => import("@geoswap/signer-solana"))
      return SolanaSigner.layerKeyPair(keyPair)
    })
  )

/** Provides the signer of an opened wallet, with the nodes of the configuration. */
export const configuredSigners = (opened: OpenedWallet) =>
  Layer.unwrap(Effect.map(Settings.Settings, ({ chains }) => signersOf(opened, nodesOf(chains, "evm"))))

/**
 * Chain readers that use the user's nodes. They determine whether an operation expired unused, and which nonce a
 * delegation needs. A chain without a node has no reader. The service's reports are not trusted as a substitute.
 */
export const readers = (wanted: (chain: Settings.ConfiguredChain) => boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { chains } = yield* Settings.Settings
      const known = chains.filter(wanted)
      return readersOf({ evm: nodesOf(known, "evm"), solana: nodesOf(known, "solana") })
    })
  )

/** Chain readers that use these nodes. */
export const readersOf = ({ evm = [], solana = [] }: Readonly<Partial<Record<Chain.Family, ReadonlyArray<Node>>>>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      return ChainReader.layer({
        ...(evm.length > 0 && { evm: yield* evmReader(evm) }),
        ...(solana.length > 0 && { solana: yield* solanaReader(solana) })
      })
    })
  )
