/**
 * A network: the chains that a service connects in one environment, with the service's contracts and the tokens on each
 * chain. Keep the data in your own repository and review every change, because you sign for these contracts.
 */
import { Chain, Hex, type Operation, SwapError, type Tokens } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Token = Schema.Struct({
  symbol: Schema.NonEmptyString,
  address: Schema.NonEmptyString,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
})

const AccountVersion = Schema.Literals([1, 2])

const OlderVault = Schema.Struct({
  delegate: Schema.NonEmptyString,
  vault: Schema.NonEmptyString,
  codeHash: Schema.optionalKey(Hex.Bytes32),
  accountVersion: Schema.optionalKey(AccountVersion)
})

const ChainFields = Schema.Struct({
  id: Chain.ChainId,
  /** The chain's name, for example `base`. No two chains of a network have the same name. */
  name: Schema.NonEmptyString,
  family: Chain.Family,
  /** EVM only: the contracts that a wallet may delegate to. */
  delegates: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** EVM only: the hash of the code that all delegates share. */
  codeHash: Schema.optionalKey(Hex.Bytes32),
  /** EVM only: the version of the account contract that all delegates share (default: 1). */
  accountVersion: Schema.optionalKey(AccountVersion),
  /** The vault that receives the input. */
  vault: Schema.NonEmptyString,
  /** Solana only: the fee payer. */
  relayer: Schema.optionalKey(Schema.NonEmptyString),
  /** EVM only: older delegates that wallets may still be delegated to. */
  older: Schema.optionalKey(Schema.Array(OlderVault)),
  tokens: Schema.Array(Token)
})

type ChainFields = typeof ChainFields.Type

/** Returns the path and description of the first field that does not fit the chain's family. */
const findMisfit = (
  chain: ChainFields
): { readonly path: ReadonlyArray<string>; readonly issue: string } | undefined => {
  const { delegates = [], family, older = [], relayer, tokens, vault } = chain
  const addresses: ReadonlyArray<readonly [field: string, address: string]> = [
    ["vault", vault],
    ...delegates.map((delegate) => ["delegates", delegate] as const),
    ...older.flatMap((entry) => [["older", entry.delegate] as const, ["older", entry.vault] as const]),
    ...(relayer === undefined ? [] : [["relayer", relayer] as const]),
    ...tokens.map(({ address }) => ["tokens", address] as const)
  ]
  const misfit = addresses.find(([, address]) => !Chain.isAddress(family, address))
  if (misfit) return { path: [misfit[0]], issue: `expected valid ${family === "evm" ? "EVM" : "Solana"} addresses` }
  if (family === "evm" && delegates.length === 0) return { path: ["delegates"], issue: "expected at least one" }
  return family === "solana" && relayer === undefined ? { path: ["relayer"], issue: "missing" } : undefined
}

/** A chain of a network. */
export const NetworkChain = ChainFields.check(Schema.makeFilter((chain) => findMisfit(chain) ?? true))
export type NetworkChain = typeof NetworkChain.Type

const isUnique = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length

/** The schema of a network file. */
export const Network = Schema.Struct({
  /** The environment, for example `mainnet` or `devnet`. */
  environment: Schema.NonEmptyString,
  chains: Schema.NonEmptyArray(NetworkChain)
}).check(
  Schema.makeFilter(
    ({ chains }) =>
      (isUnique(chains.map(({ id }) => id)) && isUnique(chains.map(({ name }) => name.toLowerCase()))) || {
        path: ["chains"],
        issue: "expected each id and each name only once"
      }
  )
)
export type Network = typeof Network.Type

const decodeUnknown = Schema.decodeUnknownEffect(Network)

/** Decodes a network. Fails with `InvalidInput` that names the first invalid field. */
export const decode = (json: unknown): Effect.Effect<Network, SwapError.InvalidInput> =>
  Effect.mapError(
    decodeUnknown(json),
    (error) => new SwapError.InvalidInput({ field: "network", message: `network: ${error.message}` })
  )

/**
 * Decodes a network, for example from a JSON file in your repository. Throws `InvalidInput` that names the first
 * invalid field.
 *
 * @example
 * ```ts
 * const network = parseNetwork(JSON.parse(readFileSync("network.json", "utf8")))
 * const client = createClient({ transport, signers, policy: { deployments: Network.deploymentsOf(network) } })
 * ```
 */
export const parseNetwork = (json: unknown): Network => {
  const exit = Effect.runSyncExit(decode(json))
  if (exit._tag === "Success") return exit.value
  throw Cause.squash(exit.cause)
}

/** Returns a network's contracts by chain id, for the policy of a client. */
export const deploymentsOf = ({ chains }: Network): Readonly<Record<number, Operation.Deployment>> =>
  Object.fromEntries(
    chains.map(({ id, name: _name, family: _family, tokens: _tokens, ...deployment }) => [id, deployment])
  )

/** Returns a network's tokens, for `tokenResolver`. */
export const tokensOf = ({ chains }: Network): ReadonlyArray<Tokens.PinnedToken> =>
  chains.flatMap(({ id, tokens }) => tokens.map((token) => ({ chainId: id, ...token })))

/** Returns the ids of a network's chains by name, for `tokenResolver`. */
export const namesOf = ({ chains }: Network): Readonly<Record<string, number>> =>
  Object.fromEntries(chains.map(({ id, name }) => [name, id]))

/** Returns the chain families of a network by chain id. */
export const familiesOf = ({ chains }: Network): Readonly<Record<number, Chain.Family>> =>
  Object.fromEntries(chains.map(({ family, id }) => [id, family]))
