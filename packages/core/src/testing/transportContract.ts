/**
 * A conformance suite for services: the protocol's rules as observed by a client. The scripted service also passes this
 * suite.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { isHex } from "../Hex.js"
import type { Agreement } from "../Operation.js"
import { lifetimeMillis, type QuoteRequest, type QuoteResponse, withCosts } from "../Quote.js"
import type * as Signer from "../Signer.js"
import { isTerminal, type Swap } from "../Swap.js"
import type { SwapError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { ContractViolation } from "./contractAssertions.js"

/** The service under test, with a new wallet on each origin chain. Every case gets a new harness. */
export interface TransportHarness {
  readonly transport: Transport
  /** The same service for another account. */
  readonly otherAccount: Transport
  /** The same service with an unknown API key. */
  readonly wrongKey: Transport
  readonly evm: Signer.Evm
  readonly solana: Signer.Solana
  /** A swap that can settle, from the EVM signer's wallet, which is not delegated yet. */
  readonly evmRequest: QuoteRequest
  /** A swap that can settle, from the Solana signer's wallet. */
  readonly solanaRequest: QuoteRequest
  /** A swap from a wallet that is delegated to another provider. */
  readonly delegatedElsewhere: QuoteRequest
  /** Increments the EVM wallet's nonce on its origin chain. */
  readonly moveNonce: Effect.Effect<void>
  /** Lets time pass, with a sleep or with the test clock. */
  readonly elapse: (millis: number) => Effect.Effect<void>
}

/** One protocol rule. Pass `name` and `run` to a test runner. */
export interface TransportCase {
  readonly name: string
  readonly run: Effect.Effect<void, ContractViolation>
}

type Check = (harness: TransportHarness) => Effect.Effect<void, SwapError | ContractViolation>

const violated = (message: string) => Effect.fail(new ContractViolation(message))

const holds = (condition: boolean, message: string) => (condition ? Effect.void : violated(message))

/** Requires a call to fail with this tag and, if given, this code. */
const refused = (call: Effect.Effect<unknown, SwapError>, tag: SwapError["_tag"], code?: string) =>
  Effect.matchEffect(call, {
    onSuccess: () => violated(`expected a refusal with ${tag}, got a success.`),
    onFailure: (error) =>
      error._tag === tag && (code === undefined || error.code === code)
        ? Effect.void
        : violated(
            `expected a refusal with ${tag} ${code ?? ""}, got ${error._tag} ${error.code ?? ""}: ${error.message}`
          )
  })

/** Runs an effect while time passes. */
const whileTimePasses = <A, E>(harness: TransportHarness, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    while (fiber.pollUnsafe() === undefined) yield* harness.elapse(250)
    return yield* Fiber.join(fiber)
  })

/** Reads a swap's status until the swap reaches a terminal state. */
const ended = (harness: TransportHarness, swapId: string): Effect.Effect<Swap, SwapError | ContractViolation> =>
  Effect.gen(function* () {
    for (let reads = 0; reads < 40; reads++) {
      const swap = yield* whileTimePasses(harness, harness.transport.status(swapId))
      if (isTerminal(swap)) return swap
    }
    return yield* violated(`swap ${swapId} did not end.`)
  })

const agreementOf = (request: QuoteRequest, response: QuoteResponse): Agreement => ({
  request,
  quote: withCosts(request, response)
})

const authorize = Effect.fnUntraced(function* ({ transport, evm, evmRequest }: TransportHarness) {
  const state = yield* transport.delegation({
    chainId: evmRequest.originChain,
    walletAddress: evmRequest.walletAddress
  })
  const { delegated, delegationTarget: address, accountNonce: nonce } = state
  if (delegated || address === undefined || nonce === undefined || evm.signAuthorization === undefined) {
    return yield* violated("a new wallet must not be delegated, and the response must contain the two fields to sign.")
  }
  return yield* evm.signAuthorization({ chainId: evmRequest.originChain, address, nonce })
})

const built = Effect.fnUntraced(function* (harness: TransportHarness) {
  const quote = yield* harness.transport.quote(harness.evmRequest)
  const authorization = yield* authorize(harness)
  const operation = yield* harness.transport.buildGeoOp({ geoQuoteToken: quote.geoQuoteToken, authorization })
  const signature = yield* harness.evm.signOperation({ ...agreementOf(harness.evmRequest, quote), ...operation })
  return { quote, authorization, ...operation, signature }
})

const builtSolana = Effect.fnUntraced(function* ({ transport, solana, solanaRequest }: TransportHarness) {
  const quote = yield* transport.quote(solanaRequest)
  const transaction = yield* transport.buildSolanaTx({ geoQuoteToken: quote.geoQuoteToken })
  const signedTransaction = yield* solana.signTransaction({ ...agreementOf(solanaRequest, quote), ...transaction })
  return { quote, ...transaction, signedTransaction }
})

/** Returns the token with one character changed inside its sealed part. */
const changed = (token: string): string => {
  const at = Math.floor(token.length * 0.7)
  return `${token.slice(0, at)}${token[at] === "a" ? "b" : "a"}${token.slice(at + 1)}`
}

const cases: Readonly<Record<string, Check>> = {
  "§2.2 a quote has a token, an output, a fee and an expiry within 30 seconds": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const quote = yield* transport.quote(evmRequest)
      const left = quote.expiresAt.getTime() - (yield* Clock.currentTimeMillis)
      yield* holds(quote.output > 0n, "output must be greater than zero.")
      yield* holds(quote.feeBps >= 0, "feeBps must not be negative.")
      yield* holds(left > 20_000 && left <= 31_000, `expiresAt: expected 30 s from now, got ${left} ms.`)
    }),
  "§2.1 quotes are not cached": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const first = yield* transport.quote(evmRequest)
      const second = yield* transport.quote(evmRequest)
      yield* holds(first.geoQuoteToken !== second.geoQuoteToken, "two quotes must have different tokens.")
    }),
  "an indicative quote needs no wallet, or the service rejects it with 400": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const { walletAddress: _, ...anyone } = evmRequest
      const answer = yield* Effect.result(transport.indicativeQuote({ ...anyone, indicative: true }))
      if (Result.isFailure(answer)) {
        // A service that does not know the field requires a wallet.
        const { failure } = answer
        const status = failure._tag === "Rejected" ? failure.status : undefined
        return yield* holds(status === 400, `expected a rejection with 400, got ${failure._tag}: ${failure.message}`)
      }
      yield* holds(answer.success.output > 0n, "output must be greater than zero.")
      yield* holds(answer.success.feeBps >= 0, "feeBps must not be negative.")
      const { output } = yield* transport.indicativeQuote({
        ...evmRequest,
        amount: evmRequest.amount * 2n,
        indicative: true
      })
      yield* holds(output > answer.success.output, "a larger amount must have a larger output.")
    }),
  "§1 an amount is a whole number greater than zero": ({ transport, evmRequest }) =>
    refused(transport.quote({ ...evmRequest, amount: 0n }), "Rejected", "VALIDATION"),
  "an amount that is too small is refused with NEEDS_LARGER_SIZE, and the minimum can be quoted": ({
    transport,
    evmRequest
  }) =>
    Effect.gen(function* () {
      const answer = yield* Effect.result(transport.quote({ ...evmRequest, amount: 1n }))
      if (Result.isSuccess(answer)) return
      const { failure } = answer
      yield* refused(Effect.fail(failure), "AmountTooSmall", "NEEDS_LARGER_SIZE")
      const minimum = "minimum" in failure ? failure.minimum : undefined
      if (minimum !== undefined) yield* transport.quote({ ...evmRequest, amount: minimum })
    }),
  "§4 a Solana wallet has nothing to delegate": ({ transport, solanaRequest }) =>
    Effect.gen(function* () {
      const { originChain: chainId, walletAddress } = solanaRequest
      const { delegated } = yield* transport.delegation({ chainId, walletAddress })
      yield* holds(delegated, "delegated must be true.")
    }),
  "§7 building without a delegation or an authorization fails with NEEDS_DELEGATION": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* transport.quote(evmRequest)
      yield* refused(transport.buildGeoOp({ geoQuoteToken }), "NeedsDelegation", "NEEDS_DELEGATION")
    }),
  "§4 building with an authorization returns a 32-byte hash and a token": (harness) =>
    Effect.gen(function* () {
      const operation = yield* built(harness)
      yield* holds(isHex(operation.geoOpHash, 32), "geoOpHash must be 32 bytes long.")
      yield* holds(operation.geoOpToken !== operation.quote.geoQuoteToken, "the operation must have its own token.")
    }),
  "§7 building with an outdated authorization nonce fails with INVALID_AUTHORIZATION": (harness) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* harness.transport.quote(harness.evmRequest)
      const authorization = yield* authorize(harness)
      yield* harness.moveNonce
      const build = harness.transport.buildGeoOp({ geoQuoteToken, authorization })
      yield* refused(build, "InvalidAuthorization", "INVALID_AUTHORIZATION")
    }),
  "§7 submitting with an outdated authorization nonce fails with INVALID_AUTHORIZATION": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, signature } = yield* built(harness)
      yield* harness.moveNonce
      const submit = harness.transport.submit({ geoOpToken, signature })
      yield* refused(submit, "InvalidAuthorization", "INVALID_AUTHORIZATION")
    }),
  "§7 a wallet delegated to another provider fails with UNSUPPORTED_DELEGATION": ({ transport, delegatedElsewhere }) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* transport.quote(delegatedElsewhere)
      yield* refused(transport.buildGeoOp({ geoQuoteToken }), "Unsupported", "UNSUPPORTED_DELEGATION")
    }),
  "§2.1 a changed quote token is refused": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* transport.quote(evmRequest)
      yield* refused(transport.buildGeoOp({ geoQuoteToken: changed(geoQuoteToken) }), "InvalidToken")
    }),
  "§2.1 a changed operation token is refused": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, signature } = yield* built(harness)
      yield* refused(harness.transport.submit({ geoOpToken: changed(geoOpToken), signature }), "InvalidToken")
    }),
  "§2.1 a token at the wrong endpoint is refused": (harness) =>
    Effect.gen(function* () {
      const { transport } = harness
      const { quote, geoOpToken, signature } = yield* built(harness)
      yield* refused(transport.buildGeoOp({ geoQuoteToken: geoOpToken }), "InvalidToken")
      yield* refused(transport.submit({ geoOpToken: quote.geoQuoteToken, signature }), "InvalidToken")
      yield* refused(transport.buildSolanaTx({ geoQuoteToken: quote.geoQuoteToken }), "InvalidToken")
      yield* refused(transport.submitSolana({ geoOpToken, signedTransaction: "AAAA" }), "InvalidToken")
    }),
  "§2.1 another account's token is refused": (harness) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* harness.transport.quote(harness.evmRequest)
      yield* refused(harness.otherAccount.buildGeoOp({ geoQuoteToken }), "InvalidToken")
    }),
  "§8 building with an expired quote fails with 410": ({ transport, evmRequest, elapse }) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* transport.quote(evmRequest)
      yield* elapse(lifetimeMillis + 500)
      yield* refused(transport.buildGeoOp({ geoQuoteToken }), "Expired")
    }),
  "§4 another wallet's signature is refused": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, signature } = yield* built(harness)
      const forged = signature.replace(/^0x../, (start) => (start === "0x00" ? "0x01" : "0x00"))
      yield* refused(harness.transport.submit({ geoOpToken, signature: forged }), "Rejected", "INVALID_SIGNATURE")
    }),
  "§8 repeating a submission returns the same swap": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, signature } = yield* built(harness)
      const first = yield* harness.transport.submit({ geoOpToken, signature })
      const again = yield* harness.transport.submit({ geoOpToken, signature })
      yield* holds(first.swapId === again.swapId, "both submissions must return the same swap.")
      yield* ended(harness, first.swapId)
      const late = yield* harness.transport.submit({ geoOpToken, signature })
      yield* holds(
        late.swapId === first.swapId && isTerminal(late),
        "a resubmission after the swap has ended must return the terminal status."
      )
    }),
  "§8 another operation for a used quote is refused": (harness) =>
    Effect.gen(function* () {
      const { transport, evm, evmRequest } = harness
      const { quote, authorization, geoOpToken, signature } = yield* built(harness)
      const { geoQuoteToken } = quote
      const other = yield* transport.buildGeoOp({ geoQuoteToken, authorization })
      const otherSignature = yield* evm.signOperation({ ...agreementOf(evmRequest, quote), ...other })
      const { swapId } = yield* transport.submit({ geoOpToken, signature })
      const second = transport.submit({ geoOpToken: other.geoOpToken, signature: otherSignature })
      yield* refused(second, "Rejected", "QUOTE_ALREADY_USED")
      yield* ended(harness, swapId)
    }),
  "§4 the swap that settles activates the wallet": (harness) =>
    Effect.gen(function* () {
      const { transport, evmRequest } = harness
      const { geoOpToken, signature } = yield* built(harness)
      const { swapId, status } = yield* transport.submit({ geoOpToken, signature })
      yield* holds(status === "pending", "a new swap must be pending.")
      const swap = yield* ended(harness, swapId)
      yield* holds(swap.status === "settled", `expected the swap to settle, got ${swap.status}.`)
      yield* holds(
        swap.originTxHash !== undefined && swap.deliveryTxHash !== undefined,
        "both transaction hashes must be present."
      )
      const later = yield* transport.quote(evmRequest)
      yield* transport.buildGeoOp({ geoQuoteToken: later.geoQuoteToken })
    }),
  "§4 a Solana swap settles, and an authorization is ignored": (harness) =>
    Effect.gen(function* () {
      const { transport, solanaRequest } = harness
      const { geoOpToken, signedTransaction } = yield* builtSolana(harness)
      const { swapId } = yield* transport.submitSolana({ geoOpToken, signedTransaction })
      const again = yield* transport.submitSolana({ geoOpToken, signedTransaction })
      yield* holds(again.swapId === swapId, "both submissions must return the same swap.")
      const swap = yield* ended(harness, swapId)
      yield* holds(swap.status === "settled", `expected the swap to settle, got ${swap.status}.`)
      const authorization = yield* authorize(harness)
      const { geoQuoteToken } = yield* transport.quote(solanaRequest)
      yield* transport.buildSolanaTx({ geoQuoteToken, authorization })
    }),
  "§4 an unsigned Solana transaction is refused": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, unsignedTransaction } = yield* builtSolana(harness)
      const submit = harness.transport.submitSolana({ geoOpToken, signedTransaction: unsignedTransaction })
      yield* refused(submit, "Rejected")
    }),
  "§4 the status of an unknown swap, or of another account's swap, is not found": (harness) =>
    Effect.gen(function* () {
      const { geoOpToken, signature } = yield* built(harness)
      const { swapId } = yield* harness.transport.submit({ geoOpToken, signature })
      yield* refused(harness.otherAccount.status(swapId), "Rejected", "SWAP_NOT_FOUND")
      yield* refused(harness.transport.status("no-such-swap"), "Rejected", "SWAP_NOT_FOUND")
      yield* ended(harness, swapId)
    }),
  "§5 every endpoint requires an API key": ({ wrongKey, evmRequest }) =>
    Effect.gen(function* () {
      const { originChain: chainId, walletAddress } = evmRequest
      yield* refused(wrongKey.quote(evmRequest), "Unauthorized")
      yield* refused(wrongKey.delegation({ chainId, walletAddress }), "Unauthorized")
      yield* refused(wrongKey.buildGeoOp({ geoQuoteToken: "x" }), "Unauthorized")
      yield* refused(wrongKey.buildSolanaTx({ geoQuoteToken: "x" }), "Unauthorized")
      yield* refused(wrongKey.submit({ geoOpToken: "x", signature: "0x" }), "Unauthorized")
      yield* refused(wrongKey.submitSolana({ geoOpToken: "x", signedTransaction: "x" }), "Unauthorized")
      yield* refused(wrongKey.status("x"), "Unauthorized")
    }),
  "the list of chains includes the request's origin chain": ({ transport, evmRequest }) =>
    Effect.gen(function* () {
      const chains = yield* transport.chains
      const origin = chains.find(({ id }) => id === evmRequest.originChain)
      yield* holds(origin?.family === "evm" && origin.tokens.length > 0, "the origin must be an EVM chain with tokens.")
    })
}

/**
 * Returns the cases that a service must pass. Each case gets a new harness.
 *
 * @example
 * ```ts
 * for (const { name, run } of transportContract(harness)) it.effect(name, () => run)
 * ```
 */
export const transportContract = (
  harness: Effect.Effect<TransportHarness, never, Scope.Scope>
): ReadonlyArray<TransportCase> =>
  Object.entries(cases).map(([name, check]) => ({
    name,
    run: Effect.scoped(Effect.flatMap(harness, check)).pipe(
      Effect.mapError((error) =>
        error instanceof ContractViolation ? error : new ContractViolation(`${error._tag}: ${error.message}`)
      )
    )
  }))
