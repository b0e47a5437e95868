/** Getting an EIP-7702 authorization signed, for a contract that the caller has pinned. */
import * as Effect from "effect/Effect"
import { sameAddress } from "../Chain.js"
import type { Authorization } from "../Delegation.js"
import { type Deployment, unsafe } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import { Signers } from "../Signer.js"
import { type CallError, type InvalidInput, ProtocolError, type SignError, SignerError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { compact } from "./compact.js"
import { patient } from "./patience.js"
import type { Emit } from "./submitFlow.js"
import { delegation } from "./verbs.js"

const incapable = () =>
  new SignerError({
    reason: "incapable",
    message: "The wallet is not delegated, and this signer cannot sign a delegation: use one that can."
  })

const stateOf = (request: QuoteRequest) =>
  patient(delegation({ chainId: request.originChain, walletAddress: request.walletAddress }))

/** For a signer that cannot sign a delegation: makes sure, before a quote is spent, that none is needed. */
export const ensureDelegable = Effect.fnUntraced(function* (
  request: QuoteRequest
): Effect.fn.Return<void, CallError | InvalidInput | SignerError, Transport | Signers> {
  const { evm } = yield* Signers
  if (evm?.capabilities.authorization && evm.signAuthorization) return
  const { delegated } = yield* stateOf(request)
  if (!delegated) return yield* incapable()
})

/**
 * Reads the delegation and signs what it asks for; nothing where the wallet turns out to be delegated. A delegate can
 * do anything with the wallet, so that it must be pinned under every kind of verification.
 */
export const authorize = Effect.fn("geoswap.authorize")(function* (
  request: QuoteRequest,
  deployment: Deployment | undefined,
  emit: Emit
): Effect.fn.Return<Authorization | undefined, CallError | InvalidInput | SignError, Transport | Signers> {
  const { evm } = yield* Signers
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
  if ((state.chainId ?? chainId) !== chainId) return yield* unsafe("chainId", `${chainId}`, `${state.chainId}`)
  const delegates = deployment?.delegates ?? []
  if (!delegates.some((delegate) => sameAddress("evm", delegate, address))) {
    return yield* unsafe("delegate", `pinned (${delegates.join(", ")})`, address)
  }
  if (!evm?.capabilities.authorization || !evm.signAuthorization) return yield* incapable()
  yield* emit({ type: "authorizing", chainId, delegate: address, nonce })
  const signed = yield* evm.signAuthorization(compact({ chainId, address, nonce, deployment }))
  return signed.chainId === chainId && signed.nonce === nonce && sameAddress("evm", signed.address, address)
    ? signed
    : yield* new SignerError({ reason: "invalid", message: "The signer authorized something else than asked." })
})
