/** Combines what the service reports about a swap with what the client knows from its own flow. */
import * as Effect from "effect/Effect"
import { Families, sameAddress } from "../Chain.js"
import { compact } from "../codecs/compact.js"
import type { Flow } from "../Store.js"
import type { Proof, Swap, SwapAmount } from "../Swap.js"

/** Adds what the caller's own nodes saw to a swap. The amount that they saw replaces the one that the service reports. */
export const withProof = (swap: Swap, proof: Proof | undefined): Swap => {
  if (proof === undefined) return swap
  const { input, quotedOutput } = swap
  return compact({
    ...swap,
    proof,
    output: proof.seen === "delivery" && quotedOutput ? { ...quotedOutput, amount: proof.amount } : swap.output,
    refund: proof.seen === "refund" && input ? { ...input, amount: proof.amount } : swap.refund
  })
}

/** What a flow records about the agreement. `output` is 0 if the client does not have the quote. */
export type Agreed = Pick<Flow, "request" | "output" | "minOutput" | "feeBps" | "networkCost">

/**
 * Returns a function that replaces the terms in a service's report with the terms that were signed. An amount of another
 * token than the agreed one is dropped, and so is a refund of more than the input.
 */
export const agreedSwap = ({
  request,
  output,
  minOutput,
  feeBps,
  networkCost
}: Agreed): Effect.Effect<(swap: Swap) => Swap> =>
  Effect.map(Families, (familyOf) => {
    const { originChain, destinationChain, inputToken, outputToken, walletAddress } = request
    const input = { chainId: originChain, token: inputToken, amount: request.amount }
    const received = { chainId: destinationChain, token: outputToken, amount: output }
    const like = (agreed: SwapAmount, reported: SwapAmount | undefined): SwapAmount | undefined =>
      reported?.chainId === agreed.chainId && sameAddress(familyOf(agreed.chainId), reported.token, agreed.token)
        ? { ...agreed, amount: reported.amount }
        : undefined
    return (swap) => {
      const delivered = swap.status === "settled" ? swap.output : undefined
      const refund = like(input, swap.status === "refunded" ? swap.refund : undefined)
      return compact({
        ...swap,
        input,
        quotedOutput: output > 0n ? received : like(received, swap.quotedOutput),
        minOutput,
        output: like(received, delivered),
        refund: refund && refund.amount <= input.amount ? refund : undefined,
        feeBps: feeBps ?? swap.feeBps,
        networkCost: networkCost ?? swap.networkCost,
        recipient: request.recipient ?? walletAddress
      })
    }
  })
