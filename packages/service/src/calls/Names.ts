/** Resolves ENS names to addresses, for the swap page. */
import type { Chain as CoreChain } from "@geoswap/core"
import { getBase58Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import {
  type Address,
  decodeFunctionResult,
  type DecodeFunctionResultParameters,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  getAddress,
  type Hex,
  hexToBytes,
  parseAbi
} from "viem"
import { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain } from "../chains/Chains.js"
import { type Ask, make as makeNodes } from "../chains/evm/nodes/rpcNodes.js"
import { isRevert, orRevert } from "../chains/evm/transactions/reverts.js"
import * as Quorum from "../chains/quorum.js"
import type * as Config from "../config/Config.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import { call } from "./call.js"

/** Which of a name's records an address comes from. */
export type Source =
  /** The record for the chain. */
  | "chain"
  /** The record for all EVM chains that have no record (ENSIP-19). */
  | "default"
  /** The record for Ethereum. On another chain, a contract wallet may not exist at this address. */
  | "ethereum"

/** The address of a name on a chain. */
export interface ResolvedName {
  /** The normalized name (ENSIP-15). */
  readonly name: string
  readonly address: string
  readonly source: Source
}

/** A name, and the chain on which its address is used. */
export interface NameQuery {
  readonly chainId: number
  readonly name: string
}

/** Resolves a name. */
export type Names = (query: NameQuery) => Effect.Effect<ResolvedName, Refusal>

const abi = parseAbi([
  "function resolver(bytes32 node) view returns (address)",
  "function addr(bytes32 node, uint256 coinType) view returns (bytes)",
  "function addr(bytes32 node) view returns (address)"
])

const maxLength = 255
const ethereum = 60n
const solana = 501n
/** The coin type of all EVM chains. That of one chain also contains the chain's id (ENSIP-11). */
const anyEvm = 0x80000000n

interface CoinRecord {
  readonly coinType: bigint
  readonly source: Source
}

/** The records that may contain the address for a chain, in order of preference. */
const recordsOf = ({ family, id }: Pick<Chain, "family" | "id">): ReadonlyArray<CoinRecord> => {
  if (family === "solana") return [{ coinType: solana, source: "chain" }]
  if (id === 1) return [{ coinType: ethereum, source: "chain" }]
  return [
    ...(id < anyEvm ? [{ coinType: anyEvm | BigInt(id), source: "chain" } as const] : []),
    { coinType: anyEvm, source: "default" },
    { coinType: ethereum, source: "ethereum" }
  ]
}

/** Parses the bytes of a record. A record of another length is treated as missing. */
const addressOf = (family: CoreChain.Family, bytes: Hex): string | undefined => {
  const length = (bytes.length - 2) / 2
  if (length !== (family === "evm" ? 20 : 32)) return undefined
  return family === "evm" ? getAddress(bytes) : getBase58Decoder().decode(hexToBytes(bytes))
}

const attempt = <A>(decode: () => A): A | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** Creates a function that calls contracts. It returns `undefined` if a call reverts, or if its answer is invalid or zero. */
const reader =
  (ask: Ask) => (to: Address, functionName: "resolver" | "addr", args: readonly [Hex] | readonly [Hex, bigint]) => {
    const question = { abi, functionName, args } as EncodeFunctionDataParameters<typeof abi>
    // Never follows an off-chain lookup, whose URL anyone can choose.
    const answer = ask("eth_call", ({ request }) =>
      request({ method: "eth_call", params: [{ to, data: encodeFunctionData(question) }, "latest"] }).catch(orRevert)
    )
    return Effect.map(answer, (data) => {
      if (isRevert(data)) return undefined
      const value = attempt(() =>
        decodeFunctionResult({ ...question, data } as DecodeFunctionResultParameters<typeof abi>)
      )
      return value === undefined || /^0x0*$/.test(value) ? undefined : value
    })
  }

type Found = Omit<ResolvedName, "name">

/** The chain with the registry. */
type RegistryChain = Pick<
  Config.EvmChain,
  "id" | "name" | "quorum" | "rpcUrls" | "timeoutMillis" | "maxConcurrent" | "requestsPerSecond"
>

/** Reads a name's address from one node. */
const readFrom = Effect.fnUntraced(function* (
  ask: Ask,
  registry: Address,
  node: Hex,
  chain: Pick<Chain, "family" | "id">
): Effect.fn.Return<Found | undefined, ChainUnavailable> {
  const read = reader(ask)
  const resolver = yield* read(registry, "resolver", [node])
  if (resolver === undefined) return undefined
  for (const { coinType, source } of recordsOf(chain)) {
    const bytes = yield* read(resolver, "addr", [node, coinType])
    const address = bytes && addressOf(chain.family, bytes)
    if (address !== undefined) return { address, source }
  }
  // A resolver from before ENSIP-9 has only the record for Ethereum.
  if (chain.family !== "evm") return undefined
  const address = yield* read(resolver, "addr", [node])
  return address && { address, source: chain.id === 1 ? "chain" : "ethereum" }
})

/** Returns the answer that a quorum of nodes gives. */
const agreedOn = (config: RegistryChain, answers: ReadonlyArray<Quorum.Answer<Found | undefined>>) => {
  const keyOf = (found: Found | undefined) => JSON.stringify([found?.address, found?.source])
  const agreed = answers.find(
    ({ value }) => answers.filter((other) => keyOf(other.value) === keyOf(value)).length >= Quorum.quorumOf(config)
  )
  return agreed === undefined
    ? Effect.fail(
        new ChainUnavailable({ chainId: config.id, message: "The nodes report different records.", timeout: false })
      )
    : Effect.succeed(agreed.value)
}

/**
 * Creates a function that resolves names in the ENS registry of a chain. A quorum of the chain's nodes must agree. Names
 * without a dedicated resolver, and names whose records are stored off-chain, are not found.
 */
export const make = (
  config: RegistryChain,
  registry: string,
  destinations: ReadonlyMap<number, Pick<Chain, "family" | "id" | "name">>
): Names => {
  const nodes = makeNodes(config)
  return call(
    "Names.resolve",
    Effect.fnUntraced(function* ({ chainId, name: entered }: NameQuery) {
      const chain = destinations.get(chainId)
      if (chain === undefined) {
        return yield* refuse(
          "VALIDATION",
          `chainId: chain ${chainId} is not supported. GET /swap/chains lists the supported chains.`
        )
      }
      // Loaded on demand: the tables of Unicode are large.
      const { namehash, normalize } = yield* Effect.promise(() => import("viem/ens"))
      const name = entered.length > maxLength ? undefined : attempt(() => normalize(entered))
      if (name === undefined || !name.includes(".")) {
        return yield* refuse("VALIDATION", "name: expected an ENS name such as alice.eth.")
      }
      const node = namehash(name)
      const answers = yield* Quorum.askQuorum(config, nodes.all, ({ ask }) =>
        readFrom(ask, getAddress(registry), node, chain)
      )
      const found = yield* agreedOn(config, answers)
      if (found === undefined) return yield* refuse("NOT_FOUND", `${name} has no address for ${chain.name}.`)
      return { name, ...found }
    })
  )
}
