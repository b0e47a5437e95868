/** A wallet's delegation. */
import * as Effect from "effect/Effect"
import { type Address, concatHex, type Hex, keccak256 } from "viem"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { WalletDelegation, WalletState } from "../../Wallet.js"
import { isEmptyHash } from "../nodes/lens.js"
import type { NodeQuorum } from "../nodes/nodeQuorum.js"
import type { Reads } from "../nodes/reads.js"
import { addressOf } from "../transactions/vaultCalls.js"
import type { Vaults } from "./vaults.js"

/** EIP-7702: a delegated wallet's code is this prefix followed by an address. */
const designator = /^0xef0100([0-9a-f]{40})$/

/** The hash of the code of a wallet that is delegated to a contract. */
const delegatedHash = (delegate: Address): Hex => keccak256(concatHex(["0xef0100", delegate]))

export interface Wallets {
  /** Returns a wallet's delegation at the latest block that is known, which is at most a poll interval old. */
  readonly delegationOf: (wallet: string) => Effect.Effect<WalletDelegation, ChainUnavailable>
  /** Reads a wallet's delegation and nonce at the latest block. */
  readonly walletState: (wallet: string) => Effect.Effect<WalletState, ChainUnavailable>
}

/** Creates the functions that determine which of our vaults accepts a wallet's delegate. */
export const make = (
  { first: reads, recent }: Pick<NodeQuorum, "first" | "recent">,
  { ofDelegate }: Vaults,
  config: Config.EvmChain
): Wallets => {
  const configured = new Map(
    config.vaults.map(({ delegate }) => [delegatedHash(addressOf(delegate)), addressOf(delegate)])
  )

  const acceptedBy = Effect.fnUntraced(function* (
    delegatedTo: Address
  ): Effect.fn.Return<WalletDelegation, ChainUnavailable> {
    const vault = yield* ofDelegate(delegatedTo)
    return vault === undefined ? { delegation: "foreign", delegatedTo } : { delegation: "ours", delegatedTo, vault }
  })

  const ofCode = (code: string): Effect.Effect<WalletDelegation, ChainUnavailable> => {
    if (code === "0x") return Effect.succeed({ delegation: "none" })
    const [, target] = designator.exec(code) ?? []
    // An address with any other code is a contract and cannot be delegated.
    return target === undefined ? Effect.succeed({ delegation: "foreign" }) : acceptedBy(addressOf(`0x${target}`))
  }

  // The hash can be read in the same request as balances. Code that it does not identify is read separately, so the
  // result does not depend on how a chain hashes the code of a delegated account.
  const read = Effect.fnUntraced(function* (node: Reads, address: Address, at: bigint) {
    const hash = yield* node.codeHashOf(address, at)
    if (isEmptyHash(hash)) return { delegation: "none" } as const
    const delegate = configured.get(hash)
    return yield* delegate === undefined ? Effect.flatMap(node.codeOf(address, at), ofCode) : acceptedBy(delegate)
  })

  const delegationOf = Effect.fnUntraced(function* (
    wallet: string
  ): Effect.fn.Return<WalletDelegation, ChainUnavailable> {
    const address = addressOf(wallet)
    const [node, { number }] = yield* recent
    return yield* node.feed.perHead(`delegation ${address}`, read(node, address, number)).pipe(
      // The node may not have the block anymore, or not yet.
      Effect.catch(() => Effect.flatMap(reads.codeOf(address), ofCode))
    )
  })

  return {
    delegationOf,
    walletState: Effect.fnUntraced(function* (wallet) {
      const address = addressOf(wallet)
      const [code, nonce] = yield* Effect.all([reads.codeOf(address), reads.nonceOf(address, "latest")], {
        concurrency: "unbounded"
      })
      return { ...(yield* ofCode(code)), nonce }
    })
  }
}
