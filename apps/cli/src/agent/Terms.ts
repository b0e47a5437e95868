/** The exact terms of a swap, as a person approves them. Amounts are in the smallest unit. */
import * as Schema from "effect/Schema"

/** The terms that an approval is bound to. */
export const Terms = Schema.Struct({
  wallet: Schema.String,
  service: Schema.String,
  originChain: Schema.Int,
  destinationChain: Schema.Int,
  inputToken: Schema.String,
  outputToken: Schema.String,
  amount: Schema.String,
  recipient: Schema.String,
  /** The least that the signature accepts. */
  minOutput: Schema.String,
  /** The fee that the service claims. */
  feeBps: Schema.Finite,
  /** The contracts that the wallet may delegate to. Empty on Solana. */
  delegates: Schema.Array(Schema.String),
  vault: Schema.String
})
export type Terms = typeof Terms.Type
