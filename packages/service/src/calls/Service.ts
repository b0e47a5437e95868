/** The service as its callers see it, with one method per endpoint. Every call is made on behalf of an account. */
import type { Chain, Delegation, Operation, Quote, Swap, Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Seal } from "../accounts/Seal.js"
import * as PaymentMethods from "../admission/paymentMethods.js"
import type { Execution } from "../admission/resources.js"
import { cachedChains } from "../chains/cachedChains.js"
import type { Directory } from "../chains/Directory.js"
import { SwapSignals } from "../concurrency/SwapSignals.js"
import type * as Config from "../config/Config.js"
import type { Refusal } from "../domain/Refusal.js"
import * as RelayerLanes from "../execution/transactions/chooseRelayer.js"
import * as OrderIds from "../operations/orderIds.js"
import type * as Pricing from "../pricing/Pricing.js"
import { Store } from "../store/Store.js"
import { buildGeoOp, buildSolanaTx, type BuiltWithTypedData } from "./build.js"
import { changeDelegation, delegationStatus } from "./changeDelegation.js"
import { delegation } from "./delegation.js"
import { indicativeQuote } from "./indicativeQuote.js"
import { quote } from "./quote.js"
import { makeStatuses, type Statuses } from "./status.js"
import { submit, submitSolana } from "./submit.js"

export interface Service {
  readonly quote: (account: string, request: Quote.QuoteRequest) => Effect.Effect<Quote.QuoteResponse, Refusal>
  /** Prices a swap without a token. The price is the same for every account. */
  readonly indicativeQuote: (
    request: Quote.IndicativeQuoteRequest
  ) => Effect.Effect<Quote.IndicativeQuoteResponse, Refusal>
  readonly delegation: (
    account: string,
    query: Delegation.DelegationQuery
  ) => Effect.Effect<Delegation.Delegation, Refusal>
  /** Accepts a change of a wallet's delegation. Idempotent per wallet, chain and account nonce. */
  readonly changeDelegation: (
    account: string,
    request: Delegation.ChangeRequest
  ) => Effect.Effect<Delegation.Change, Refusal>
  /** Waits until the change is applied or has failed, but for no longer than about 15 seconds. */
  readonly delegationStatus: (account: string, changeId: string) => Effect.Effect<Delegation.Change, Refusal>
  readonly buildGeoOp: (account: string, request: Transport.BuildRequest) => Effect.Effect<BuiltWithTypedData, Refusal>
  readonly buildSolanaTx: (
    account: string,
    request: Transport.BuildRequest
  ) => Effect.Effect<Operation.BuiltTransaction, Refusal>
  /** `visitor` is a pseudonym of the page's visitor who submits. All visitors share one account. */
  readonly submit: (
    account: string,
    request: Transport.SubmitRequest,
    visitor?: string
  ) => Effect.Effect<Swap.Swap, Refusal>
  readonly submitSolana: (
    account: string,
    request: Transport.SubmitSolanaRequest,
    visitor?: string
  ) => Effect.Effect<Swap.Swap, Refusal>
  /** Reads swaps, and wakes requests that wait for them. */
  readonly statuses: Statuses
  readonly chains: Effect.Effect<ReadonlyArray<Chain.Chain>>
}

export const Service: Context.Service<Service, Service> =
  /* @__PURE__ */ Context.Service<Service>("@geoswap/service/Service")

export interface Options {
  readonly directory: Directory
  readonly config: Pick<Config.Config, "delegations" | "quotes">
  readonly pricing: Pricing.Pricing
}

/** A layer that implements the service's calls. It accepts and reports swaps, and `Executor.layer` executes them. */
export const layer = ({
  config: { delegations, quotes },
  directory,
  pricing
}: Options): Layer.Layer<Service, never, SwapSignals | Seal | Store> =>
  Layer.effect(
    Service,
    Effect.gen(function* () {
      const store = yield* Store
      const clock = yield* Clock.Clock
      const lanes = yield* RelayerLanes.make(store)
      const relayersOf: Execution["relayersOf"] = (chain) => lanes.order(chain, false)
      const dependencies = {
        directory,
        pricing,
        quotes,
        delegations,
        sealer: yield* Seal,
        store,
        paymentMethods: PaymentMethods.make(clock, store),
        relayersOf,
        signals: yield* SwapSignals
      }
      // Quotes and indicative quotes share these reads, so that they agree on the price.
      const cached = yield* cachedChains(directory)
      const orderIds = OrderIds.make()
      const chains = Array.from(directory.chains.values(), ({ family, id, name, tokens }) => ({
        id,
        name,
        family,
        tokens
      }))
      return {
        quote: quote(dependencies, cached, orderIds),
        indicativeQuote: indicativeQuote(dependencies, cached, orderIds, clock),
        delegation: delegation(dependencies),
        changeDelegation: changeDelegation(dependencies),
        delegationStatus: delegationStatus(dependencies),
        buildGeoOp: buildGeoOp(dependencies),
        buildSolanaTx: buildSolanaTx(dependencies),
        submit: submit(dependencies),
        submitSolana: submitSolana(dependencies),
        statuses: yield* makeStatuses(dependencies.signals, store),
        chains: Effect.succeed(chains)
      }
    })
  )
