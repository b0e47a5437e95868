/** A wallet's delegation. */
import { GeoVault } from "@geoswap/contracts"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Address, concatHex, keccak256 } from "viem"
import { together } from "../../../concurrency/together.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { WalletDelegation } from "../../Wallet.js"
import type { EvmContext } from "../context.js"
import { isEmptyHash } from "../nodes/lens.js"
import type { Reads } from "../nodes/reads.js"
import { addressOf } from "../transactions/vaultCalls.js"

/** EIP-7702: a delegated wallet's code is this prefix followed by an address. */
const designator = /^0xef0100([0-9a-f]{40})$/

/** Creates the functions that determine which of our vaults accepts a wallet's delegate. */
export const make = Effect.fnUntraced(function* ({ config, quorum: { first: reads, recent }, vaults }: EvmContext) {
  const configured = new Map(
    config.vaults.map(({ delegate }) => [keccak256(concatHex(["0xef0100", addressOf(delegate)])), addressOf(delegate)])
  )

  const findVault = (delegate: Address) =>
    Effect.map(
      together(
        vaults.all.map((address) =>
          reads.read({ abi: GeoVault.abi, address, functionName: "isDelegate", args: [delegate] })
        )
      ),
      (accepted) => vaults.all[accepted.indexOf(true)]
    )
  /** The vault that accepts wallets with a delegate, if any. */
  const found = yield* Cache.makeWith(findVault, {
    capacity: 1_000,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 minute" : 0)
  })

  const acceptedBy = (delegatedTo: Address) =>
    Effect.map(Cache.get(found, delegatedTo), (vault): WalletDelegation =>
      vault === undefined ? { delegation: "foreign", delegatedTo } : { delegation: "ours", delegatedTo, vault }
    )

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
    if (isEmptyHash(hash)) return yield* ofCode("0x")
    const delegate = configured.get(hash)
    return yield* delegate === undefined ? Effect.flatMap(node.codeOf(address, at), ofCode) : acceptedBy(delegate)
  })

  return {
    /** Returns a wallet's delegation at the latest block that is known, which is at most a poll interval old. */
    delegationOf: Effect.fnUntraced(function* (wallet: string) {
      const address = addressOf(wallet)
      const [node, { number }] = yield* recent
      return yield* node.feed.perHead(`delegation ${address}`, read(node, address, number)).pipe(
        // The node may not have the block anymore, or not yet.
        Effect.catch(() => Effect.flatMap(reads.codeOf(address), ofCode))
      )
    }),
    /** Reads a wallet's delegation and nonce at the latest block. */
    walletState: Effect.fnUntraced(function* (wallet: string) {
      const address = addressOf(wallet)
      const [code, nonce] = yield* together([reads.codeOf(address), reads.nonceOf(address, "latest")])
      return { ...(yield* ofCode(code)), nonce }
    })
  }
})
