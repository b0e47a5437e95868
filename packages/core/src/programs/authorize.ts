/** Signs EIP-7702 authorizations, but only for contracts that the caller has pinned. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sameAddress } from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import { Authorization, isZeroAddress } from "../Delegation.js"
import type { Hex } from "../Hex.js"
import { type Deployment, unsafe } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import { Signers } from "../Signer.js"
import {
  type CallError,
  Declined,
  type InvalidInput,
  ProtocolError,
  type ReaderError,
  type SignError,
  SignerError
} from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import { isConsented } from "./consent.js"
import { retry } from "./retry.js"
import { withTimeout } from "./timeout.js"
import { delegation } from "./endpoints.js"
import { invalidResult } from "./verifyAndSign.js"

/** The fields of an authorization to sign. */
export interface DelegationPreview {
  readonly chainId: number
  /** The contract that can act for the wallet once the wallet is delegated to it. */
  readonly delegate: Hex
  readonly nonce: number
}

/** Options for delegating a wallet. */
export interface DelegationOptions {
  /**
   * Called before each authorization is signed (default: accept). If the callback returns `false`, fails, dies or
   * throws, the swap ends with `Declined`.
   */
  readonly acceptDelegation?: ((delegation: DelegationPreview) => Effect.Effect<boolean>) | undefined
}

const incapable = () =>
  new SignerError({
    reason: "incapable",
    message:
      "This signer cannot sign the delegation that the wallet needs. Use a signer that supports EIP-7702 authorizations."
  })

/** The wallet to delegate, and the chain. */
type WalletOnChain = Pick<QuoteRequest, "originChain" | "walletAddress">

const stateOf = (request: WalletOnChain) =>
  retry(delegation({ chainId: request.originChain, walletAddress: request.walletAddress }))

/** Fails early, before a quote is used, if the wallet needs a delegation that the signer cannot sign. */
export const ensureDelegable = Effect.fnUntraced(function* (
  request: WalletOnChain
): Effect.fn.Return<void, CallError | InvalidInput | SignerError, Transport | Signers> {
  const { evm } = yield* Signers
  if (evm?.capabilities?.authorization) return
  const { delegated } = yield* stateOf(request)
  if (!delegated) return yield* incapable()
})

/**
 * How many times what the service reports is compared with the caller's node, and the delay between comparisons in
 * milliseconds. Several comparisons are necessary, because the service's node and the caller's node may be a block
 * apart.
 */
export const nonceReads = 3
export const noncePause = 2_000

/**
 * Reads the wallet's delegation from the service. If the caller has configured a node, compares the nonce from the
 * service with the nonce on that node. Without this comparison, the service could collect authorizations for future
 * nonces.
 */
const confirmedState = Effect.fnUntraced(function* (request: WalletOnChain) {
  const { evm } = yield* ChainReader
  const { originChain: chainId, walletAddress: address } = request
  for (let read = 1; ; read++) {
    const state = yield* stateOf(request)
    if (state.delegated || state.accountNonce === undefined || !evm) return state
    const nonce = yield* withTimeout(evm.accountNonce({ chainId, address }))
    if (nonce === state.accountNonce) return state
    if (read === nonceReads)
      return yield* unsafe("accountNonce", `${nonce}, the nonce on your own node`, `${state.accountNonce}`)
    yield* Effect.sleep(noncePause)
  }
})

const signAuthorization = Effect.fnUntraced(function* (
  request: WalletOnChain,
  deployment: Deployment | undefined,
  { acceptDelegation }: DelegationOptions,
  emit: Emit
): Effect.fn.Return<
  Authorization | undefined,
  CallError | Declined | InvalidInput | ReaderError | SignError,
  Transport | Signers
> {
  const { evm } = yield* Signers
  const state = yield* confirmedState(request)
  if (state.delegated) return undefined
  const { delegationTarget: address, accountNonce: nonce } = state
  const chainId = request.originChain
  if (address === undefined || nonce === undefined) {
    return yield* new ProtocolError({
      endpoint: "delegation",
      field: address === undefined ? "delegationTarget" : "accountNonce",
      message: "The service did not send the delegation fields to sign."
    })
  }
  if ((state.chainId ?? chainId) !== chainId) return yield* unsafe("chainId", `${chainId}`, `${state.chainId}`)
  const delegates = deployment?.delegates ?? []
  // An authorization to the zero address removes a delegation. Only `undelegate` requests one.
  if (isZeroAddress(address)) return yield* unsafe("delegate", "a contract", "the zero address")
  if (!delegates.some((delegate) => sameAddress("evm", delegate, address))) {
    return yield* unsafe("delegate", "a pinned delegate", address)
  }
  if (!evm?.capabilities?.authorization || !evm.signAuthorization) return yield* incapable()
  if (acceptDelegation && !(yield* isConsented(() => acceptDelegation({ chainId, delegate: address, nonce })))) {
    return yield* new Declined({
      what: "delegation",
      message: "The delegation was not accepted. Neither the delegation nor a swap was signed."
    })
  }
  yield* emit({ type: "authorizing", chainId, delegate: address, nonce })
  const result = yield* evm.signAuthorization(compact({ chainId, address, nonce, deployment }))
  const signed = Schema.decodeUnknownOption(Authorization)(result)
  return signed._tag === "Some" &&
    signed.value.chainId === chainId &&
    signed.value.nonce === nonce &&
    signed.value.address === address
    ? signed.value
    : yield* invalidResult("a different authorization than requested")
})

/**
 * Reads the wallet's delegation and signs the authorization that the wallet needs, or returns `undefined` if the wallet
 * is already delegated. A delegate has full control of the wallet, so the delegate must always be pinned, regardless of
 * the policy's `verification`.
 */
export const authorize = (...input: Parameters<typeof signAuthorization>) =>
  redactedSpan("geoswap.authorize")(signAuthorization(...input))
