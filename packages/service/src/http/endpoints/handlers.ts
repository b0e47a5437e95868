/** The handlers for the endpoints under `/swap`, each with its rate limit and its service method. */
import { Id } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Operation, RateLimits } from "../../accounts/RateLimits.js"
import type { Service } from "../../calls/Service.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import type { StoreUnavailable } from "../../store/StoreError.js"
import type { api } from "../api/Api.js"
import { IndicativeQuoteRequest } from "../api/requestSchemas.js"

type Endpoints = (typeof api)["groups"]["swap"]["endpoints"]

type InputOf<E extends HttpApiEndpoint.ConstraintRequest> = [E["~Payload"]] extends [never]
  ? [E["~Query"]] extends [never]
    ? E["~Params"]["Type"]
    : E["~Query"]["Type"]
  : E["~Payload"]["Type"]

/** Counts a long-polling request from the caller as open until the scope closes. */
export type Hold = () => ReturnType<RateLimits["hold"]>

/** Another form of an endpoint's body, with its own schema and rate limit. */
interface Variant {
  readonly matches: (body: Readonly<Record<string, unknown>>) => boolean
  readonly operation: Operation
  readonly payload: Schema.Top
}

export interface Handler<I, A> {
  readonly operation: Operation
  readonly variant?: Variant
  /** Normalizes the body before it is decoded. */
  readonly prepare?: (body: Record<string, unknown>) => void
  /** Handles a request. `hold` counts the request as open while it waits for a response. */
  readonly run: (
    account: string,
    input: I,
    hold: Hold,
    visitor?: string
  ) => Effect.Effect<A, Refusal | StoreUnavailable, Scope.Scope>
}

/** The handlers of all endpoints except `status`, whose requests can wait without a fiber (see heldStatus.ts). */
export type Handlers = {
  readonly [K in Exclude<keyof Endpoints, "status">]: Handler<InputOf<Endpoints[K]>, Endpoints[K]["~Success"]["Type"]>
}

const parities: Readonly<Record<string, number>> = { 0: 0, 1: 1, 27: 0, 28: 1 }
const byte = /^(\d{1,2}|0x[0-9a-fA-F]{1,2})$/

/** Sets `yParity` if it is missing, because wallets may send the parity of a signature as `v` instead. */
const prepareAuthorization = ({ authorization }: Record<string, unknown>): void => {
  if (typeof authorization !== "object" || authorization === null) return
  const fields: { yParity?: unknown; readonly v?: unknown } = authorization
  const { v } = fields
  if ((fields.yParity ?? null) !== null || (v ?? null) === null) return
  const parity = typeof v === "number" || (typeof v === "string" && byte.test(v)) ? parities[Number(v)] : undefined
  // Keep an invalid `v`, so that it is reported as invalid and not as missing.
  fields.yParity = parity ?? v
}

/** Creates the handlers for a service. */
export const handlers = (service: Service): Handlers => ({
  quote: {
    operation: "quote",
    variant: {
      matches: ({ indicative }) => indicative === true,
      operation: "indicative",
      payload: IndicativeQuoteRequest
    },
    run: (account, request) =>
      request.indicative === true ? service.indicativeQuote(request) : service.quote(account, request)
  },
  delegation: { operation: "delegation", run: service.delegation },
  delegationByPath: { operation: "delegation", run: service.delegation },
  changeDelegation: { operation: "changeDelegation", prepare: prepareAuthorization, run: service.changeDelegation },
  delegationStatus: {
    operation: "status",
    run: (account, { changeId }, hold) =>
      Id.isSwapId(changeId)
        ? Effect.flatMap(hold(), () => service.delegationStatus(account, changeId))
        : Effect.fail(
            refuse(
              "CHANGE_NOT_FOUND",
              "There is no delegation change with that id. Use the id that change-delegation returned, unchanged."
            )
          )
  },
  buildGeoOp: { operation: "build", prepare: prepareAuthorization, run: service.buildGeoOp },
  buildSolanaTx: {
    operation: "build",
    run: (account, { geoQuoteToken }) => service.buildSolanaTx(account, { geoQuoteToken })
  },
  submit: { operation: "submit", run: (account, request, _hold, visitor) => service.submit(account, request, visitor) },
  submitSolana: {
    operation: "submit",
    run: (account, request, _hold, visitor) => service.submitSolana(account, request, visitor)
  },
  chains: { operation: "chains", run: () => Effect.map(service.chains, (chains) => ({ chains })) }
})
