/** The programs have exactly the errors that they can fail with and the services that they need. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"
import {
  Client,
  type Policy,
  type Quote,
  type Signer,
  type Store,
  type Swap,
  type SwapError,
  type SwapEvent,
  type Transport
} from "../src/index.js"

declare const request: Quote.QuoteInput

type CallError =
  | SwapError.Unauthorized
  | SwapError.RateLimited
  | SwapError.Rejected
  | SwapError.Unavailable
  | SwapError.ProtocolError

type QuoteError =
  | CallError
  | SwapError.NoRoute
  | SwapError.InsufficientBalance
  | SwapError.AmountTooSmall
  | SwapError.AmountTooLarge

expectTypeOf(Client.quote(request)).toEqualTypeOf<
  Effect.Effect<Quote.Quote, QuoteError | SwapError.InvalidInput, Transport.Transport>
>()

declare const anyone: Omit<Quote.QuoteInput, "walletAddress">
declare const price: Quote.IndicativeQuote

expectTypeOf(Client.indicativeQuote(anyone)).toEqualTypeOf<
  Effect.Effect<Quote.IndicativeQuote, QuoteError | SwapError.InvalidInput, Transport.Transport>
>()

// @ts-expect-error a quote needs a wallet
Client.quote(anyone)

// An indicative quote has no token to build.
expectTypeOf(price).not.toHaveProperty("geoQuoteToken")

// @ts-expect-error an indicative quote cannot be executed
Client.execute(request, { quote: price })

expectTypeOf<Effect.Error<ReturnType<typeof Client.build>>>().toEqualTypeOf<
  | QuoteError
  | SwapError.InvalidInput
  | SwapError.NeedsDelegation
  | SwapError.InvalidAuthorization
  | SwapError.Unsupported
  | SwapError.Expired
  | SwapError.InvalidToken
>()

expectTypeOf<Effect.Error<ReturnType<typeof Client.submit>>>().toEqualTypeOf<
  | QuoteError
  | SwapError.InvalidInput
  | SwapError.NeedsDelegation
  | SwapError.InvalidAuthorization
  | SwapError.Unsupported
  | SwapError.Expired
  | SwapError.InvalidToken
>()

expectTypeOf<Effect.Error<ReturnType<typeof Client.status>>>().toEqualTypeOf<CallError | SwapError.InvalidInput>()

// Waiting retries if the service is rate-limited or unavailable.
expectTypeOf<Effect.Error<ReturnType<typeof Client.wait>>>().toEqualTypeOf<
  SwapError.Unauthorized | SwapError.Rejected | SwapError.ProtocolError | SwapError.InvalidInput | SwapError.WaitTimeout
>()

expectTypeOf(Client.execute(request)).toEqualTypeOf<
  Effect.Effect<
    Swap.Swap,
    | QuoteError
    | SwapError.NeedsDelegation
    | SwapError.InvalidAuthorization
    | SwapError.Unsupported
    | SwapError.SwapInProgress
    | SwapError.Expired
    | SwapError.InvalidToken
    | SwapError.SignerError
    | SwapError.UnsafeOperation
    | SwapError.InvalidInput
    | SwapError.OutcomeUnknown
    | SwapError.UnfinishedSwap
    | SwapError.PolicyViolation
    | SwapError.IdempotencyConflict
    | SwapError.ReaderError
    | SwapError.QuoteMoved
    | SwapError.Declined
    | SwapError.WaitTimeout
    | SwapError.StoreError,
    Transport.Transport | Signer.Signers | Policy.Policy | Store.Store
  >
>()

expectTypeOf(Client.executeStream(request)).toEqualTypeOf<
  Stream.Stream<SwapEvent.SwapEvent, SwapError.SwapError, Client.Services>
>()

// Resuming needs neither signers nor a policy, and cannot fail because of them.
expectTypeOf(Client.resume("flow")).toEqualTypeOf<
  Effect.Effect<
    Swap.Swap,
    | QuoteError
    | SwapError.InvalidInput
    | SwapError.NeedsDelegation
    | SwapError.InvalidAuthorization
    | SwapError.Unsupported
    | SwapError.Expired
    | SwapError.InvalidToken
    | SwapError.OutcomeUnknown
    | SwapError.WaitTimeout
    | SwapError.StoreError,
    Transport.Transport | Store.Store
  >
>()

// @ts-expect-error a misspelt field of a quote is an error, although unknown fields survive at run time
export type Misspelt = Quote.Quote["outptu"]
