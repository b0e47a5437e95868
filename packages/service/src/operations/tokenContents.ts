/**
 * The contents of sealed tokens. The contents include everything that later calls need, because quotes are not stored.
 */
import { Amount, Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Seal from "../accounts/Seal.js"
import { refuse } from "../domain/Refusal.js"
import { EvmOperation, SolanaOperation } from "../domain/SwapRecord.js"

/** The terms of a quote. */
export const QuoteContext = Schema.Struct({
  orderId: Schema.String,
  /** When the quote expires, in Unix milliseconds. */
  expiresAt: Schema.Int,
  originChain: Chain.ChainId,
  destinationChain: Chain.ChainId,
  inputToken: Schema.String,
  outputToken: Schema.String,
  wallet: Schema.String,
  recipient: Schema.String,
  amount: Amount.Amount,
  output: Amount.Amount,
  minOutput: Amount.Amount,
  feeBps: Schema.Finite,
  networkCost: Amount.Amount,
  opensAccount: Schema.Boolean,
  /** What the input is worth in US dollars, if the venue has such a price. */
  inputUsd: Schema.optionalKey(Schema.Finite),
  /** EVM destinations only: the delivery gas that the quoted network cost covers. */
  deliveryGas: Schema.optionalKey(Amount.Amount)
})
export type QuoteContext = typeof QuoteContext.Type

const context = {
  quote: QuoteContext,
  /** The time after which submissions are refused, in Unix milliseconds. */
  until: Schema.Int,
  operationHash: Schema.String,
  terms: Schema.String
}

/** An EVM operation or a payment without its signatures. */
const { permitSignature: _permit, signature: _, target: _target, ...unsigned } = EvmOperation.fields
export const EvmContext = Schema.Struct({
  ...context,
  operation: Schema.Struct(unsigned),
  /** `erc2612`: the digest of the permit. */
  permitHash: Schema.optionalKey(Schema.String)
})
export type EvmContext = typeof EvmContext.Type

/** A Solana operation: the transaction without signatures. */
export const SolanaContext = Schema.Struct({ ...context, operation: SolanaOperation })
export type SolanaContext = typeof SolanaContext.Type

/** Writes amounts as strings. */
const plain = (quote: QuoteContext): Readonly<Record<string, unknown>> => {
  const fields: Record<string, unknown> = { ...quote }
  for (const name of Object.keys(fields)) if (typeof fields[name] === "bigint") fields[name] = `${fields[name]}`
  return fields
}

/** Encodes contents as their schemas do, but in a fraction of the time. Only the terms of a quote contain amounts. */
export const encode = (contents: QuoteContext | EvmContext | SolanaContext): string =>
  JSON.stringify("quote" in contents ? { ...contents, quote: plain(contents.quote) } : plain(contents))

/** The decoders are built only once, because building a decoder is slower than using it. */
const decoderOf = <A>(schema: Schema.Codec<A, object>) => Schema.decodeEffect(Schema.fromJsonString(schema))

const ofQuotes = decoderOf(QuoteContext)
/** The decoders of each token type's contents. */
const decoders = {
  quote: { evm: ofQuotes, solana: ofQuotes },
  operation: { evm: decoderOf(EvmContext), solana: decoderOf(SolanaContext) }
}

type Contents<T extends Seal.Type, F extends Chain.Family> = Effect.Success<ReturnType<(typeof decoders)[T][F]>>

/** Decodes the contents of a token. */
type Decode<A> = (text: string) => Effect.Effect<A, Schema.SchemaError>

const refused = () =>
  refuse(
    "INVALID_TOKEN",
    "The sealed token was modified, or belongs to another call, chain or account. Send it unchanged to the call that it was issued for, or start with a new quote."
  )

/** Seals the contents of a token. */
export const seal = <T extends Seal.Type, F extends Chain.Family>(
  sealer: Seal.Seal,
  type: T,
  binding: { readonly family: F; readonly account: string },
  contents: Contents<T, F>
) => sealer.seal(type, binding, encode(contents))

/**
 * Opens a token that was sealed with this type, family and account. All other tokens are rejected, always with the same
 * message.
 */
export const open = <T extends Seal.Type, F extends Chain.Family>(
  sealer: Seal.Seal,
  type: T,
  binding: { readonly family: F; readonly account: string },
  token: string
) =>
  sealer
    .open(type, binding, token)
    .pipe(Effect.flatMap(decoders[type][binding.family] as Decode<Contents<T, F>>), Effect.mapError(refused))
