/** Validates a swap before the first request is sent. */
import * as Effect from "effect/Effect"
import * as Chain from "../Chain.js"
import type { Deployment } from "../Operation.js"
import { Policy, violation } from "../Policy.js"
import * as Quote from "../Quote.js"
import { Signers } from "../Signer.js"
import { InvalidInput, type PolicyViolation, SignerError } from "../SwapError.js"

/**
 * A request to execute. The wallet defaults to the signer's address. The recipient defaults to the wallet or, if the
 * destination chain belongs to the other chain family, to the address of the client's signer for that family.
 */
export type ExecuteInput = Omit<Quote.QuoteInput, "walletAddress"> & { readonly walletAddress?: string | undefined }

/** A valid request whose origin chain has a signer. */
export interface PreparedRequest {
  readonly family: Chain.Family
  readonly request: Quote.QuoteRequest
  readonly deployment: Deployment | undefined
}

/** Validates a request, and checks it against the signers and the policy. */
export const prepareRequest = Effect.fnUntraced(function* (
  input: ExecuteInput
): Effect.fn.Return<PreparedRequest, InvalidInput | SignerError | PolicyViolation, Signers | Policy> {
  const familyOf = yield* Chain.Families
  const family = familyOf(input?.originChain)
  const destination = familyOf(input?.destinationChain)
  const { evm, solana } = yield* Signers
  const policy = yield* Policy
  const signer = family === "evm" ? evm : solana
  if (signer === undefined) {
    return yield* new SignerError({
      reason: "missing",
      message: `The client has no signer for ${family} chains: add one.`
    })
  }
  const { address } = signer
  const own = family === destination ? undefined : (destination === "evm" ? evm : solana)?.address
  const request = yield* Quote.request({
    ...input,
    walletAddress: input?.walletAddress ?? address,
    recipient: input?.recipient === undefined ? own : input.recipient
  })
  if (!Chain.sameAddress(family, request.walletAddress, address)) {
    return yield* new InvalidInput({
      field: "walletAddress",
      message: `walletAddress: expected ${address}, the signer's address.`
    })
  }
  yield* policy.checkRequest(request)
  const deployment = policy.deploymentOf(request.originChain)
  if (policy.verification === "required") {
    if (deployment === undefined) {
      const contracts = family === "evm" ? `delegates: ["0x…"], vault: "0x…"` : `vault: "…", relayer: "…"`
      return yield* violation(
        "network",
        "only chains with a pinned deployment",
        `${request.originChain}`,
        `Add the service's contracts to this chain of the network, from a source that you trust: deployment: { ${contracts} }.`
      )
    }
    if ((family === "evm" ? evm?.verifyOperation : solana?.verifyTransaction) === undefined) {
      return yield* violation("verification", "only signers that verify what they sign", "a signer that does not")
    }
  }
  // Listeners get this object, and what was checked is what is signed.
  return { family, request: Object.freeze(request), deployment }
})
