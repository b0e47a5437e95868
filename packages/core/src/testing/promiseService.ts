/** The scripted service for code without Effect. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  type BalanceQuery,
  evmToPromise,
  type PromiseEvmReader,
  type PromiseSolanaReader,
  solanaToPromise
} from "../ChainReader.js"
import { addressKey } from "../codecs/addressKey.js"
import { clockFromPromise, type PromiseClock } from "../programs/promiseClock.js"
import type { PromiseTransport, Send } from "../Transport.js"
import * as ScriptedTransport from "./ScriptedTransport.js"
import type { Outcome } from "./scriptedService.js"

/** Options for the service. */
export interface ScriptedServiceOptions extends ScriptedTransport.Options {
  /** The clock that quotes, operations, delays and swaps are timed with (default: the system's). */
  readonly clock?: PromiseClock | undefined
}

/** The service, with controls for tests. */
export interface ScriptedService extends Omit<
  ScriptedTransport.ScriptedTransport,
  "transport" | "send" | "sendAs" | "as" | "readers" | "finish"
> {
  /** The transport for `createClient`. */
  readonly transport: PromiseTransport
  /** A transport for another account. `undefined` stands for an invalid API key. */
  readonly as: (account: string | undefined) => PromiseTransport
  /** The readers for `createClient`, backed by an honest node that belongs to the caller and serves the same chains. */
  readonly readers: { readonly evm: Required<PromiseEvmReader>; readonly solana: Required<PromiseSolanaReader> }
  /** Ends a swap now. */
  readonly finish: (swapId: string, outcome: Exclude<Outcome, "never">) => void
  /** Sets a wallet's balance of a token, which the readers return. Every balance is 0 at first. */
  readonly setBalance: (query: BalanceQuery, amount: bigint) => void
}

/**
 * Creates an in-memory service with its own state. It follows the protocol, and can inject a fault into any call.
 *
 * @example
 * ```ts
 * const service = scriptedService()
 * service.next("submit", Fault.disconnect({ after: true }))
 * service.ends("refunded", 60_000)
 * const client = createClient({ network: service.network, transport: service.transport })
 * ```
 */
export const scriptedService = ({ clock, ...options }: ScriptedServiceOptions = {}): ScriptedService => {
  const service = ScriptedTransport.make(options)
  const { evm, solana } = service.readers
  const { paymentState, payout } = evm
  const balances = new Map<string, bigint>()
  const balanceKey = ({ chainId, wallet, token }: BalanceQuery) =>
    `${chainId} ${addressKey(token)} ${addressKey(wallet)}`
  const balance = (query: BalanceQuery) => Effect.sync(() => balances.get(balanceKey(query)) ?? 0n)
  const timed = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    clock ? Effect.provideService(effect, Clock.Clock, clockFromPromise(clock)) : effect
  const { delegationPath, traceparent } = options
  const transportOf = (send: Send): PromiseTransport => ({
    delegationPath,
    traceparent,
    send: (request, { signal }) => Effect.runPromise(timed(send(request)), { signal })
  })
  const { as: _, finish, readers: __, send, sendAs, transport: ___, ...controls } = service
  return {
    ...controls,
    // A spread would copy the list as it is now.
    get swaps() {
      return service.swaps
    },
    transport: transportOf(send),
    as: (account) => transportOf(sendAs(account)),
    readers: {
      evm: evmToPromise({
        token: evm.token,
        accountNonce: evm.accountNonce,
        operationState: (operation) => timed(evm.operationState(operation)),
        ...(paymentState && { paymentState: (payment) => timed(paymentState(payment)) }),
        ...(payout && { payout }),
        balance
      }) as Required<PromiseEvmReader>,
      solana: solanaToPromise({
        token: solana.token,
        transactionState: (transaction) => timed(solana.transactionState(transaction)),
        ...(solana.payout && { payout: solana.payout }),
        balance
      }) as Required<PromiseSolanaReader>
    },
    finish: (swapId, outcome) => Effect.runSync(finish(swapId, outcome)),
    setBalance: (query, amount) => {
      balances.set(balanceKey(query), amount)
    }
  }
}
