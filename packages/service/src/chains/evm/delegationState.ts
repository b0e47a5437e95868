/** A wallet's delegation. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable, WalletState } from "../Chains.js"
import { addressOf } from "./jobs.js"
import type { Reads } from "./reads.js"
import type { Vaults } from "./vaults.js"

/** EIP-7702: a delegated wallet's code is this prefix followed by an address. */
const designator = /^0xef0100([0-9a-f]{40})$/

/** Reads a wallet's code and nonce, and determines which of our vaults accepts its delegate. */
export const make = (reads: Reads, { ofDelegate }: Vaults) =>
  Effect.fnUntraced(function* (wallet: string): Effect.fn.Return<WalletState, ChainUnavailable> {
    const address = addressOf(wallet)
    const [code, nonce] = yield* Effect.all([reads.codeOf(address), reads.nonceOf(address, "latest")], {
      concurrency: "unbounded"
    })
    if (code === "0x") return { delegation: "none", nonce }
    const [, target] = designator.exec(code) ?? []
    // An address with any other code is a contract and cannot be delegated.
    if (target === undefined) return { delegation: "foreign", nonce }
    const delegatedTo = addressOf(`0x${target}`)
    const vault = yield* ofDelegate(delegatedTo)
    return vault === undefined
      ? { delegation: "foreign", delegatedTo, nonce }
      : { delegation: "ours", delegatedTo, vault, nonce }
  })
