/** Sets and removes a wallet's EIP-7702 delegation without a swap. The service sends and pays for the transaction. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Chain from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import { Authorization, type Change, zeroAddress } from "../Delegation.js"
import type { Hex } from "../Hex.js"
import { type Deployment, pinnedFor, unsafe } from "../Operation.js"
import { Policy, violation } from "../Policy.js"
import { RetrySettings } from "../RetrySettings.js"
import { type Evm, Signers } from "../Signer.js"
import {
  type ChangeError,
  type Declined,
  InvalidAuthorization,
  InvalidInput,
  type PolicyViolation,
  ProtocolError,
  type ReaderError,
  type SignError,
  SignerError,
  Unavailable,
  Unsupported
} from "../SwapError.js"
import { Transport } from "../Transport.js"
import { compact } from "../codecs/compact.js"
import { authorize, type DelegationOptions, noncePause, nonceReads } from "./authorize.js"
import { delegation } from "./endpoints.js"
import { retry } from "./retry.js"
import { withTimeout } from "./timeout.js"
import { invalidResult } from "./verifyAndSign.js"

/** The wallet whose delegation to change. */
export interface ChangeDelegationInput {
  /** An EVM chain with a pinned deployment. */
  readonly chainId: number
  /** The wallet (default: the signer's address). Must be the signer's address. */
  readonly walletAddress?: string | undefined
}

/** Options for `undelegate`. */
export interface UndelegateOptions {
  /** How long to wait for the change (default: `RetrySettings.waitTimeout`). */
  readonly timeout?: Duration.Input | undefined
}

/** Options for `delegate`. */
export interface DelegateOptions extends UndelegateOptions, DelegationOptions {}

/** A wallet's delegation after `delegate` or `undelegate`. */
export interface DelegationOutcome {
  readonly chainId: number
  readonly walletAddress: string
  /** The contract that the wallet is delegated to. Missing if the wallet is not delegated. */
  readonly delegatedTo?: Hex
  /** Whether this call changed the delegation. `false` if there was nothing to change. */
  readonly changed: boolean
  /** The transaction that changed the delegation, if the service reported it. */
  readonly txHash?: string
}

/** The errors that `delegate` and `undelegate` can fail with. */
export type ChangeDelegationError = ChangeError | Declined | InvalidInput | PolicyViolation | ReaderError | SignError

type Services = Transport | Signers | Policy

/** A wallet that the client's signer can sign for, and the pinned contracts on its chain. */
interface Prepared {
  readonly chainId: number
  readonly walletAddress: string
  readonly deployment: Deployment
  readonly signer: Evm
}

/** A wallet's current delegation. `foreign`: the account's code is neither empty nor a pinned delegate. */
type Current =
  | { readonly _tag: "none" }
  | { readonly _tag: "ours"; readonly delegate: Hex }
  | { readonly _tag: "foreign" }

/** Validates the input before anything is sent. */
const prepare = Effect.fnUntraced(function* (
  input: ChangeDelegationInput
): Effect.fn.Return<Prepared, InvalidInput | PolicyViolation | SignerError, Signers | Policy> {
  const { chainId } = { ...input }
  const invalid = (field: string, message: string) => new InvalidInput({ field, message: `${field}: ${message}` })
  if (!Chain.isChainId(chainId)) return yield* invalid("chainId", "expected a chain id.")
  const familyOf = yield* Chain.Families
  if (familyOf(chainId) !== "evm") {
    return yield* invalid("chainId", "expected an EVM chain. Solana wallets have no delegation.")
  }
  const { evm: signer } = yield* Signers
  if (signer === undefined) {
    return yield* new SignerError({ reason: "missing", message: "The client has no signer for evm chains: add one." })
  }
  const walletAddress = input.walletAddress ?? signer.address
  if (!Chain.isAddress("evm", walletAddress) || !Chain.sameAddress("evm", walletAddress, signer.address)) {
    return yield* invalid("walletAddress", `expected ${signer.address}, the signer's address.`)
  }
  const deployment = (yield* Policy).deploymentOf(chainId)
  if (deployment === undefined) {
    return yield* violation(
      "network",
      "only chains with a pinned deployment",
      `${chainId}`,
      `Add the service's contracts to this chain of the network, from a source that you trust: deployment: { delegates: ["0x…"], vault: "0x…" }.`
    )
  }
  return { chainId, walletAddress, deployment, signer }
})

const ofDelegate = (deployment: Deployment, delegate: string): Current =>
  pinnedFor(deployment, delegate) ? { _tag: "ours", delegate: delegate.toLowerCase() as Hex } : { _tag: "foreign" }

/** EIP-7702: a delegated wallet's code is this prefix followed by an address. */
const designator = /^0xef0100([0-9a-f]{40})$/

const ofCode = (deployment: Deployment, code: string): Current => {
  if (code === "0x") return { _tag: "none" }
  const [, digits] = designator.exec(code.toLowerCase()) ?? []
  return digits === undefined ? { _tag: "foreign" } : ofDelegate(deployment, `0x${digits}`)
}

/** Reads the wallet's code from the caller's node, or returns `undefined` if the caller has no node for this. */
const readCode = Effect.fnUntraced(function* ({ chainId, walletAddress: address }: Prepared) {
  const { evm } = yield* ChainReader
  return evm?.accountCode && (yield* withTimeout(evm.accountCode({ chainId, address })))
})

/** Reads the wallet's delegation from the caller's node or, without one, from the service. */
const currentDelegation = Effect.fnUntraced(function* (prepared: Prepared) {
  const { chainId, deployment, walletAddress } = prepared
  const code = yield* readCode(prepared)
  if (code !== undefined) return { current: ofCode(deployment, code), nonce: undefined }
  const state = yield* retry(delegation({ chainId, walletAddress }))
  const { accountNonce: nonce, delegated, delegatedTo, delegationTarget } = state
  const [first] = deployment.delegates ?? []
  const named = delegatedTo ?? (delegated ? first : undefined)
  // A service that never replaces another provider's delegation sends nothing to sign for such a wallet.
  const absent: Current = { _tag: delegationTarget === undefined ? "foreign" : "none" }
  return { current: named === undefined ? absent : ofDelegate(deployment, named), nonce }
})

const foreign = ({ chainId, walletAddress }: Prepared) =>
  new Unsupported({
    message: `The code of ${walletAddress} on chain ${chainId} is not one of the pinned delegates, so nothing was signed. Change this delegation with the wallet or the provider that set it.`
  })

/** How many authorizations are signed before giving up, because the account's nonce keeps changing. */
const maxSignatures = 3

/** Sub-second polling is discouraged. */
const pollInterval = 1_000

/** Waits until the service has applied the change. */
const settled = Effect.fnUntraced(function* (accepted: Change, { timeout }: UndelegateOptions) {
  const { waitTimeout } = yield* RetrySettings
  const duration = Duration.fromInputUnsafe(timeout ?? waitTimeout)
  const transport = yield* Transport
  const poll = Effect.gen(function* () {
    let change = accepted
    while (change.status === "pending") {
      change = yield* retry(withTimeout(transport.delegationStatus(accepted.changeId)))
      if (change.status === "pending") yield* Effect.sleep(pollInterval)
    }
    return change
  })
  return yield* Effect.timeoutOrElse(poll, {
    duration,
    orElse: () =>
      Effect.fail(
        new Unavailable({
          reason: "timeout",
          message: `The delegation change is still pending after ${Duration.toSeconds(duration)} s. Call again to keep waiting. The same change is not sent twice.`
        })
      )
  })
})

/**
 * Sends an authorization and waits. It is safe to send the same authorization again, because the chain applies it only
 * once.
 */
const send = Effect.fnUntraced(function* (
  { walletAddress }: Prepared,
  authorization: Authorization,
  options: UndelegateOptions
) {
  const transport = yield* Transport
  const accepted = yield* retry(withTimeout(transport.changeDelegation({ walletAddress, authorization })))
  const change = yield* settled(accepted, options)
  if (change.status === "applied") return change
  const { failureCode } = change
  if (failureCode === "INVALID_AUTHORIZATION") {
    return yield* new InvalidAuthorization({
      code: failureCode,
      message: "The account's nonce changed before the authorization was applied. Nothing was changed."
    })
  }
  return yield* new Unavailable({
    ...compact({ code: failureCode }),
    reason: "server",
    message: "The service could not get the transaction included, and nothing was changed. Call again later."
  })
})

/** Signs and sends authorizations until one is not stale. */
const sendFresh = <E, R>(
  prepared: Prepared,
  options: UndelegateOptions,
  sign: Effect.Effect<Authorization | undefined, E, R>
) =>
  Effect.gen(function* () {
    for (let signatures = 1; ; signatures++) {
      const authorization = yield* sign
      if (authorization === undefined) return undefined
      const sent = yield* Effect.result(send(prepared, authorization, options))
      if (sent._tag === "Success") return { authorization, change: sent.success }
      if (sent.failure._tag !== "InvalidAuthorization" || signatures === maxSignatures) {
        return yield* Effect.fail(sent.failure)
      }
      // The node that the nonce was read from may be a block behind.
      yield* Effect.sleep(noncePause)
    }
  })

/** Fails if the caller's own node does not show the change, for example because the service lied. */
const confirm = Effect.fnUntraced(function* (prepared: Prepared, delegate: Hex | undefined) {
  for (let read = 1; ; read++) {
    const code = yield* readCode(prepared)
    const expected = delegate === undefined ? "0x" : `0xef0100${delegate.slice(2)}`
    if (code === undefined || code.toLowerCase() === expected) return
    if (read === nonceReads) {
      return yield* new ProtocolError({
        endpoint: "delegation-status",
        field: "status",
        message: `The service reports the change as applied, but your own node returns the code ${code} for the wallet, not ${expected}.`
      })
    }
    yield* Effect.sleep(noncePause)
  }
})

const outcomeOf = (
  { chainId, walletAddress }: Prepared,
  delegatedTo: Hex | undefined,
  change?: Pick<Change, "txHash">
): DelegationOutcome => ({
  chainId,
  walletAddress,
  ...compact({ delegatedTo, txHash: change?.txHash }),
  changed: change !== undefined
})

/**
 * Delegates the signer's wallet to the service's contract on one chain. Does nothing if the wallet is already delegated
 * to a pinned contract. Fails with `Unsupported` if the account has any other code.
 */
export const delegate = Effect.fn("geoswap.delegate")(function* (
  input: ChangeDelegationInput,
  options: DelegateOptions = {}
): Effect.fn.Return<DelegationOutcome, ChangeDelegationError, Services> {
  const prepared = yield* prepare(input)
  const { chainId, deployment, signer, walletAddress } = prepared
  if (!signer.capabilities?.authorization || !signer.signAuthorization) {
    return yield* new SignerError({
      reason: "incapable",
      message:
        "This signer cannot sign a delegation. Use a local account or a key service, or another signer that supports EIP-7702 authorizations."
    })
  }
  const { current } = yield* currentDelegation(prepared)
  if (current._tag === "foreign") return yield* foreign(prepared)
  if (current._tag === "ours") return outcomeOf(prepared, current.delegate)
  const sent = yield* sendFresh(
    prepared,
    options,
    authorize({ originChain: chainId, walletAddress }, deployment, options, () => Effect.void)
  )
  if (sent === undefined) {
    const { delegatedTo } = yield* retry(delegation({ chainId, walletAddress }))
    return outcomeOf(prepared, delegatedTo)
  }
  const { authorization, change } = sent
  yield* confirm(prepared, authorization.address)
  return outcomeOf(prepared, authorization.address, change)
})

/** Signs the removal of the wallet's delegation, at the account's current nonce. */
const signRevocation = Effect.fnUntraced(function* (
  prepared: Prepared,
  sign: NonNullable<Evm["signRevocation"]>
): Effect.fn.Return<Authorization | undefined, ChangeDelegationError, Transport> {
  const { chainId, walletAddress: address } = prepared
  const { current, nonce: reported } = yield* currentDelegation(prepared)
  if (current._tag === "foreign") return yield* foreign(prepared)
  if (current._tag === "none") return undefined
  const { evm } = yield* ChainReader
  // The nonce comes from the caller's node, if there is one: the service must not collect signatures for later nonces.
  const nonce = evm ? yield* withTimeout(evm.accountNonce({ chainId, address })) : reported
  if (nonce === undefined) {
    return yield* new ProtocolError({
      endpoint: "delegation",
      field: "accountNonce",
      message:
        "The service did not send the account's nonce. Pass a reader to the client to read it from your own node."
    })
  }
  if (!Number.isSafeInteger(nonce) || nonce < 0) return yield* unsafe("nonce", "a whole number", `${nonce}`)
  const result = yield* sign({ chainId, nonce })
  const signed = Schema.decodeUnknownOption(Authorization)(result)
  return signed._tag === "Some" &&
    signed.value.chainId === chainId &&
    signed.value.nonce === nonce &&
    signed.value.address === zeroAddress
    ? signed.value
    : yield* invalidResult("a different authorization than requested")
})

/**
 * Removes the delegation of the signer's wallet on one chain. Does nothing if the wallet is not delegated. Fails with
 * `Unsupported` if the account's code is not a pinned delegate, and with `SwapInProgress` while a swap of the wallet is
 * in progress on the chain.
 */
export const undelegate = Effect.fn("geoswap.undelegate")(function* (
  input: ChangeDelegationInput,
  options: UndelegateOptions = {}
): Effect.fn.Return<DelegationOutcome, ChangeDelegationError, Services> {
  const prepared = yield* prepare(input)
  const { signRevocation: sign } = prepared.signer
  if (sign === undefined) {
    return yield* new SignerError({
      reason: "incapable",
      message:
        "This signer cannot sign the removal of a delegation. Use a local account or a key service, or remove the delegation in the wallet itself."
    })
  }
  const sent = yield* sendFresh(prepared, options, signRevocation(prepared, sign))
  if (sent === undefined) return outcomeOf(prepared, undefined)
  yield* confirm(prepared, undefined)
  return outcomeOf(prepared, undefined, sent.change)
})
