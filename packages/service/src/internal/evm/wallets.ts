/** How wallets stand towards our delegate. */
import { GeoVault } from "@geoswap/contracts"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Address } from "viem"
import type { ChainUnavailable, WalletState } from "../../Chains.js"
import { addressOf } from "./jobs.js"
import type { Reads } from "./reads.js"

/** EIP-7702: the code of a delegated wallet is this and an address. */
const designator = /^0xef0100([0-9a-f]{40})$/

/** Reads a wallet's code and nonce. Which contracts are ours is remembered for a minute at most. */
export const make: (
  reads: Reads,
  vault: Address
) => Effect.Effect<(wallet: string) => Effect.Effect<WalletState, ChainUnavailable>> = Effect.fnUntraced(
  function* (reads, vault) {
    const isDelegate = yield* Cache.makeWith(
      (delegate: Address) =>
        reads.read({ abi: GeoVault.abi, address: vault, functionName: "isDelegate", args: [delegate] }),
      { capacity: 1_000, timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 minute" : 0) }
    )

    return Effect.fnUntraced(function* (wallet: string): Effect.fn.Return<WalletState, ChainUnavailable> {
      const address = addressOf(wallet)
      const [code, nonce] = yield* Effect.all([reads.codeOf(address), reads.nonceOf(address, "latest")], {
        concurrency: "unbounded"
      })
      if (code === "0x") return { delegation: "none", nonce }
      const [, target] = designator.exec(code) ?? []
      // A wallet with code of its own is a contract, which cannot be delegated.
      if (target === undefined) return { delegation: "foreign", nonce }
      const delegatedTo = addressOf(`0x${target}`)
      const ours = yield* Cache.get(isDelegate, delegatedTo)
      return { delegation: ours ? "ours" : "foreign", delegatedTo, nonce }
    })
  }
)
