/**
 * A network: the chains that a service connects, with the service's contracts and the tokens on each chain. It is plain
 * data. Keep it in your own repository and review every change, because you sign for these contracts. It contains no
 * URLs of nodes, because nodes that the operator chooses cannot verify what the operator says.
 */
import * as Effect from "effect/Effect"
import * as Chain from "./Chain.js"
import type { Deployment } from "./Operation.js"
import { validateNetwork } from "./programs/validateNetwork.js"
import type { InvalidInput } from "./SwapError.js"

/** A pinned token of a chain. */
export interface NetworkToken {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

/** A chain of a network. */
export interface NetworkChain {
  readonly id: number
  /** The chain's name, for example `base`. No two chains of a network have the same name. */
  readonly name: string
  readonly family: Chain.Family
  /** The service's contracts. Without them, wallets on this chain can only receive. */
  readonly deployment?: Deployment | undefined
  /** The tokens that you trust. Amounts are computed with these decimals. */
  readonly tokens?: ReadonlyArray<NetworkToken> | undefined
  /** The symbol of the native token, if a form offers it as an output. */
  readonly nativeSymbol?: string | undefined
}

/** The chains of one environment, for example of mainnet or of a devnet. */
export interface Network {
  readonly chains: ReadonlyArray<NetworkChain>
}

/** A network without chains. */
export const empty: Network = { chains: [] }

/**
 * Decodes a network, for example from a JSON file in your repository. Fails with `InvalidInput` that names the first
 * invalid field.
 */
export const decode = (json: unknown): Effect.Effect<Network, InvalidInput> =>
  Effect.suspend(() => {
    const invalid = validateNetwork(json)
    return invalid ? Effect.fail(invalid) : Effect.succeed(json as Network)
  })

/** Finds a chain by its id. */
export const find = ({ chains }: Network, chainId: number): NetworkChain | undefined =>
  chains.find(({ id }) => id === chainId)

/** Returns a function that maps a chain id to its chain family. For a chain of another network, it calls `otherwise`. */
export const familyOf =
  (network: Network, otherwise = Chain.defaultFamily): ((chainId: number) => Chain.Family) =>
  (chainId) =>
    find(network, chainId)?.family ?? otherwise(chainId)
