/** A wallet's EIP-7702 delegation on its origin chain, and the authorizations that create, replace and remove it. */
import * as Schema from "effect/Schema"
import { sameAddress } from "./Chain.js"
import * as Hex from "./Hex.js"
import { Integer, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

/** The query parameters of `GET /swap/delegation`. */
export interface DelegationQuery {
  readonly chainId: number
  readonly walletAddress: string
}

/** The response to `GET /swap/delegation`. */
export const Delegation = openStruct(
  {
    chainId: Schema.optionalKey(Integer),
    walletAddress: optionalString,
    /** Whether swaps from this wallet work without an authorization. */
    delegated: Schema.Boolean,
    originReady: Schema.optionalKey(Schema.Boolean),
    /** The contract that the wallet is delegated to, if the service reports it. */
    delegatedTo: Schema.optionalKey(Hex.Address),
    /** The contract to delegate to, if an authorization must be signed. */
    delegationTarget: Schema.optionalKey(Hex.Address),
    /** The wallet's nonce on the origin chain, to use in the next authorization that the wallet signs. */
    accountNonce: Schema.optionalKey(Integer)
  },
  { delegationTarget: ["contractAddress", "address"], accountNonce: ["nonce"] },
  // Some services use one of the alternative names above for the wallet's address. In that case, there is nothing to
  // sign, and the field is dropped if it is invalid.
  ["delegationTarget", "delegatedTo"]
)
export type Delegation = typeof Delegation.Type

/** A signed EIP-7702 authorization, in the form that build calls expect. */
export const Authorization = Schema.Struct({
  chainId: Integer,
  /** The contract that the wallet delegates to. */
  address: Hex.Address,
  nonce: Integer,
  yParity: Schema.Literals([0, 1]),
  r: Hex.Bytes32,
  s: Hex.Bytes32
})
export type Authorization = typeof Authorization.Type

/** The target of an authorization that removes a wallet's delegation (EIP-7702). */
export const zeroAddress: Hex.Hex = "0x0000000000000000000000000000000000000000"

/** Whether an address is the zero address. An authorization to this address removes a delegation. */
export const isZeroAddress = (address: string): boolean => sameAddress("evm", address, zeroAddress)

/** The body of `POST /swap/change-delegation`. */
export interface ChangeRequest {
  readonly walletAddress: string
  /** The authorization to send: to the service's delegate, or to the zero address to remove the delegation. */
  readonly authorization: Authorization
}

/** The response to `POST /swap/change-delegation` and `GET /swap/delegation-status/{changeId}`. */
export const Change = openStruct({
  changeId: Schema.NonEmptyString,
  /** `applied`: the authorization is in a final block. `failed`: it has no effect. Both are terminal. */
  status: Schema.Literals(["pending", "applied", "failed"]),
  chainId: Schema.optionalKey(Integer),
  walletAddress: optionalString,
  /** The transaction that applied the authorization, once it is known. */
  txHash: optionalString,
  /** Why the change failed. */
  failureCode: optionalString
})
export type Change = typeof Change.Type
