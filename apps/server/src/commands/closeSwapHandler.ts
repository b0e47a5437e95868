/** Ends a swap whose order was paid by a vault in a transaction that the service did not send. */
import { Executor } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { print, printJson } from "../output/print.js"
import { findSwap } from "../swaps/findSwap.js"
import { openChains } from "./openChains.js"

interface Flags {
  readonly swap: string
  readonly transaction: string
  readonly reason: string | undefined
  readonly json: boolean
}

/**
 * Ends the swap with the outcome that the vault's event shows, and prints the proof. Fails with the reason if there is
 * no proof.
 */
export const closeSwap = Effect.fn("swaps close")(function* (
  { json, reason, swap: named, transaction }: Flags,
  configFile?: string
) {
  const { chains, names, store } = yield* openChains(configFile)
  const found = yield* findSwap(store, named)
  const { payment, swap } = yield* Executor.closePaid(chains, store, found, { hash: transaction, reason })
  const { amount, block, chainId, hash, inFull, kind, nodes, owed, to, token } = payment
  const proof = { kind, chainId, to, token, amount: `${amount}`, hash, block: `${block}`, nodes }
  if (json) {
    return yield* printJson({
      id: swap.id,
      state: swap.state,
      inFull,
      proof,
      owed: { ...owed, amount: `${owed.amount}` }
    })
  }
  yield* print(
    [
      `Swap ${swap.id} is ${swap.state}.`,
      `Proof: ${kind === "deliver" ? "delivery" : kind} of ${names.amount(chainId, token, amount)} from the vault to ${to} in ${hash},`,
      `in finalized block ${block} on ${names.chain(chainId)}, according to ${nodes.join(", ")}.`,
      ...(inFull ? [] : [`The service owed ${owed.amount} of ${owed.token} to ${owed.to}. Pay the remainder yourself.`])
    ].join("\n")
  )
}, Effect.scoped)
