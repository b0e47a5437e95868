/** Getting an EIP-7702 authorization signed, for a contract that the caller has pinned. */
import * as Effect from "effect/Effect"
import { sameAddress } from "../Chain.js"
import type { Authorization } from "../Delegation.js"
import { type Deployment, unsafe } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import type { EvmSigner } from "../Signer.js"
import { type CallError, type InvalidInput, ProtocolError, type SignError, SignerError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { patient } from "./patience.js"
import type { Emit } from "./submitFlow.js"
import { delegation } from "./verbs.js"

const incapable = () =>
  new SignerError({
    reason: "incapable",
    message:
      "The wallet is not delegated on the origin chain, and this signer cannot sign a delegation. Delegate the wallet with a signer that can, or use another wallet."
  })

const stateOf = (request: QuoteRequest) =>
  patient(delegation({ chainId: request.originChain, walletAddress: request.walletAddress }))

/** Whether a signer can sign a delegation. */
export const canAuthorize = (signer: EvmSigner): boolean =>
  signer.capabilities.authorization && signer.signAuthorization !== undefined

/** For a signer that cannot sign a delegation: makes sure, before a quote is spent, that none is needed. */
export const ensureDelegated = (
  request: QuoteRequest
): Effect.Effect<void, CallError | InvalidInput | SignerError, Transport> =>
  Effect.flatMap(stateOf(request), ({ delegated }) => (delegated ? Effect.void : Effect.fail(incapable())))

/**
 * Reads the delegation and signs what it asks for; nothing where the wallet turns out to be delegated. A delegate can
 * do anything with the wallet, so that it must be pinned under every kind of verification.
 */
export const authorize = Effect.fn("geoswap.authorize")(function* (
  request: QuoteRequest,
  signer: EvmSigner,
  deployment: Deployment | undefined,
  emit: Emit
): Effect.fn.Return<Authorization | undefined, CallError | InvalidInput | SignError, Transport> {
  const state = yield* stateOf(request)
  if (state.delegated) return undefined
  const { delegationTarget: address, accountNonce: nonce } = state
  const chainId = request.originChain
  if (address === undefined || nonce === undefined) {
    return yield* new ProtocolError({
      endpoint: "delegation",
      field: address === undefined ? "delegationTarget" : "accountNonce",
      message: "The service did not say what to sign for the delegation."
    })
  }
  if (state.chainId !== undefined && state.chainId !== chainId) {
    return yield* unsafe("chainId", `${chainId}`, `${state.chainId}`)
  }
  const delegates = deployment?.delegates ?? []
  if (!delegates.some((delegate) => sameAddress("evm", delegate, address))) {
    return yield* unsafe(
      "delegate",
      delegates.length === 0 ? "pinned in the policy's deployments" : `one of ${delegates.join(", ")}`,
      address
    )
  }
  if (signer.signAuthorization === undefined || !signer.capabilities.authorization) return yield* incapable()
  yield* emit({ type: "authorizing", chainId, delegate: address, nonce })
  const signed = yield* signer.signAuthorization({
    chainId,
    address,
    nonce,
    ...(deployment && { deployment })
  })
  if (signed.chainId !== chainId || signed.nonce !== nonce || !sameAddress("evm", signed.address, address)) {
    return yield* new SignerError({
      reason: "invalid",
      message: "The signer authorized another chain, contract or nonce than it was asked to."
    })
  }
  return signed
})
