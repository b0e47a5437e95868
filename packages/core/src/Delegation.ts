/** EIP-7702 delegation of a wallet on its origin chain: the state to read and the authorization to sign. */
import * as Schema from "effect/Schema"
import * as Hex from "./Hex.js"
import { Integer, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

/** What to ask `GET /swap/delegation` about. */
export interface DelegationQuery {
  readonly chainId: number
  readonly walletAddress: string
}

/** The answer of `GET /swap/delegation`. */
export const Delegation = openStruct(
  {
    chainId: Schema.optionalKey(Integer),
    walletAddress: optionalString,
    /** Whether swaps from this wallet need no authorization. */
    delegated: Schema.Boolean,
    originReady: Schema.optionalKey(Schema.Boolean),
    /** Whom the wallet is delegated to, where the service says so. */
    delegatedTo: Schema.optionalKey(Hex.Address),
    /** The first of the two fields to sign over: the contract to delegate to. */
    delegationTarget: Schema.optionalKey(Hex.Address),
    /** The second: the wallet's nonce on that chain. */
    accountNonce: Schema.optionalKey(Integer)
  },
  { delegationTarget: ["contractAddress", "address"], accountNonce: ["nonce"] },
  // Where a service calls the wallet by one of these names, there is nothing to sign over.
  ["delegationTarget", "delegatedTo"]
)
export type Delegation = typeof Delegation.Type

/** A signed EIP-7702 authorization, as build calls take it. */
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
