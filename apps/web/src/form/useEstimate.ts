/** A price that needs no wallet. It reserves nothing and cannot be signed. */
import { type SwapForm, useIndicativeQuote } from "@geoswap/react"

/** Returns the request for an estimate if the form has a pair and an amount, but cannot get a firm price yet. */
const estimateRequest = (form: SwapForm) => {
  const { amount, destination, errors, inputToken, origin, outputToken, request, values, wallet } = form
  if (request !== undefined || !origin || !destination || !inputToken || !outputToken || !amount) return undefined
  if ((errors.outputToken ?? errors.inputToken ?? errors.slippageBps) !== undefined) return undefined
  return {
    originChain: origin.id,
    destinationChain: destination.id,
    inputToken: inputToken.address,
    outputToken: outputToken.address,
    amount,
    // With a wallet, the price includes its discount.
    ...(wallet !== undefined && { walletAddress: wallet }),
    ...(values.slippageBps !== undefined && { slippageBps: values.slippageBps })
  }
}

/** Returns an estimate while the form cannot get a firm price. */
export const useEstimate = (form: SwapForm, paused: boolean) => {
  const request = paused ? undefined : estimateRequest(form)
  const { data, error, failureReason } = useIndicativeQuote(request, {
    query: { refetchInterval: 15_000, retry: false }
  })
  return request === undefined ? { price: undefined, error: null } : { price: data, error: failureReason ?? error }
}
