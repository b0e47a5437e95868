/** Detects whether two requests with the same idempotency key are the same request. */
import { addressKey } from "../codecs/addressKey.js"
import { keccak256 } from "../codecs/keccak.js"
import { defaultSlippageBps, type QuoteRequest } from "../Quote.js"

/**
 * Returns the hash of a request to a service. Requests that mean the same but are written differently have the same hash.
 */
export const hashRequest = ({ recipient, ...request }: QuoteRequest, service: string | undefined): string =>
  keccak256(
    JSON.stringify([
      request.originChain,
      request.destinationChain,
      addressKey(request.inputToken),
      addressKey(request.outputToken),
      `${request.amount}`,
      addressKey(request.walletAddress),
      addressKey(recipient ?? request.walletAddress),
      request.slippageBps ?? defaultSlippageBps,
      service ?? ""
    ])
  )
