/** The layers of a command that signs: with the wallet's policy for agents if it has one, otherwise as configured. */
import { Chain, Policy, type Store } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ConfiguredChain, Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import { type Source, userKeys } from "../keys/KeySource.js"
import * as Session from "../service/Session.js"
import * as AgentPolicy from "./AgentPolicy.js"
import * as PolicyFile from "./PolicyFile.js"

/**
 * The readers for a swap from a chain. Without a node for that chain, there is no reader of its family, because such a
 * reader would reject every read on that chain.
 */
const readersFor = (originChain: number, family: Chain.Family) =>
  Layer.unwrap(
    Effect.map(Settings, ({ chains }) => {
      const hasNode = chains.some(({ id, rpcUrl }) => id === originChain && rpcUrl !== undefined)
      return Session.readers((chain) => hasNode || chain.family !== family)
    })
  )

/**
 * Opens the wallet of a chain family, and provides its signer, the policy and the chain reader. If the
 * wallet has a policy for agents, that policy applies in addition to `limits`, with its own store and nodes, even if the
 * configuration differs.
 */
export const signingSession = <E, R>(
  { id, family }: Pick<ConfiguredChain, "id" | "family">,
  limits: Effect.Effect<Policy.Options, E, R>
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const opened = yield* Keys.openWallet(family)
      const wallet = yield* AgentPolicy.makeWallet(opened)
      const rules = yield* limits
      if ((yield* wallet.find) !== undefined) return wallet.layer({ originChain: id, limits: rules })
      return Layer.mergeAll(Policy.layer(rules), Session.configuredSigners(opened), readersFor(id, family))
    })
  )

/** Whether the key of a source has a policy. Opens no key. */
const hasPolicy = (source: Source, address: string) =>
  Effect.map(PolicyFile.pathsOf(source, address), PolicyFile.exists)

/** Whether the wallet that pays for a chain family has a policy for agents. Asks for no password. */
export const isGoverned = Effect.fnUntraced(function* (family: Chain.Family) {
  const source = yield* Keys.requiredSource(family)
  // The policy of a keystore is found by the keystore's path.
  return yield* hasPolicy(source, (yield* Keys.addressOfSource(family, source)) ?? "")
})

/**
 * Returns the policy for agents of the wallet with an address, if it is one of the user's and has a policy. A keystore may
 * not state its address. It is then opened if it has a policy.
 */
export const findPolicy = Effect.fnUntraced(function* (family: Chain.Family, address: string) {
  for (const key of yield* userKeys) {
    if (key.family !== family || !(yield* hasPolicy(key.source, address))) continue
    const stated = (yield* Keys.addressOfSource(family, key.source)) ?? address
    if (!Chain.sameAddress(family, stated, address)) continue
    const opened = yield* Keys.openWallet(family, key.source)
    if (Chain.sameAddress(family, opened.address, address)) return yield* AgentPolicy.makeWallet(opened)
  }
  return undefined
})

/**
 * Provides the chain reader for resuming a flow. A flow of a wallet with a policy for agents belongs to
 * that policy's store, so the wallet's key is opened. Any other flow needs no key.
 */
export const resumingSession = ({ request }: Store.Flow) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { originChain, walletAddress } = request
      const family = Chain.isAddress("evm", walletAddress) ? "evm" : "solana"
      const wallet = yield* findPolicy(family, walletAddress)
      if (wallet !== undefined) return wallet.layer({ originChain })
      return Session.readers(() => true)
    })
  )
