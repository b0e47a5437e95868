/** Ends a swap whose input provably never arrived. */
import { Executor } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { Failure } from "../output/Failure.js"
import { print, printJson } from "../output/print.js"
import { formatTime } from "../output/time.js"
import { findSwap } from "../swaps/findSwap.js"
import { openChains } from "./openChains.js"

interface Flags {
  readonly swap: string
  readonly json: boolean
}

/** Ends the swap as failed and prints the proof. Fails with the reason if there is no proof. */
export const failSwap = Effect.fn("swaps fail")(function* (flags: Flags, configFile?: string) {
  const { chains, names, store } = yield* openChains(configFile)
  const found = yield* findSwap(store, flags.swap)
  if (!chains.has(found.originChain)) {
    return yield* new Failure({
      message: `Chain ${found.originChain}, the origin of swap ${found.id}, is not configured. Add it to the configuration.`
    })
  }
  const { proof, swap } = yield* Executor.failUncollected(chains, store, found)
  const [block, time, nodes] = [`${proof.block}`, formatTime(proof.time * 1_000), proof.nodes]
  if (flags.json) return yield* printJson({ id: swap.id, state: swap.state, proof: { block, time, nodes } })
  yield* print(
    [
      `Swap ${swap.id} has failed. No tokens moved, and none can.`,
      `Proof: block ${block} on ${names.chain(swap.originChain)} is final, its timestamp ${time} is past the operation's deadline,`,
      `and the vault emitted no Collected event for order ${swap.orderId}, according to ${nodes.join(", ")}.`
    ].join("\n")
  )
}, Effect.scoped)
