/** The configuration of payments without a delegation, on EVM chains. */
import * as Schema from "effect/Schema"
import { CodeHash, EvmAddress, Name, PaymentMethod, whole, withDefault } from "./fieldSchemas.js"

/** The methods by which a token can be paid, and the name and the version in its EIP-712 domain. */
export const TokenPayments = Schema.Struct({
  methods: Schema.NonEmptyArray(PaymentMethod),
  /** Required by `eip3009` and `erc2612`. */
  name: Schema.optionalKey(Name),
  version: Schema.optionalKey(Name)
})
export type TokenPayments = typeof TokenPayments.Type

/** A contract of another provider that wallets delegate to, and that the operator has checked. */
const Target = Schema.Struct({ address: EvmAddress, codeHash: CodeHash })
export type Target = typeof Target.Type

/** The limits of payments without a delegation on a chain. */
export const ChainPayments = Schema.Struct({
  /** Whether the chain has Permit2 and payments may use it. */
  permit2: withDefault(Schema.Boolean, false),
  /** The contracts of other providers whose code may be asked whether a signature is valid. */
  targets: withDefault(Schema.Array(Target), []),
  /**
   * The number of wallets with strikes against a target in 24 hours at which the methods that ask the target's code are no
   * longer offered. It is higher than the one of a wallet, because it affects every wallet that delegates to the target.
   */
  strikesPerTarget: withDefault(whole(1, 1_000_000), 30),
  /** The maximum number of orders in flight from wallets that delegate to the same target. */
  inFlightPerTarget: withDefault(whole(1, 1_000_000), 50)
})
export type ChainPayments = typeof ChainPayments.Type
