/**
 * The HTTP API as data: paths, requests, responses and errors. The handlers and the reference are derived from this
 * data.
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Code } from "../../domain/Refusal.js"
import { ErrorAnswer, errorsOf } from "./errorSchemas.js"
import { examples } from "./examples.js"
import { completeDocument, endpointAnnotations } from "./openApiDocument.js"
import * as requests from "./requestSchemas.js"
import * as responses from "./responseSchemas.js"

/** Authentication by API key, which every endpoint under `/swap` requires. */
export class ApiKey extends HttpApiMiddleware.Service<ApiKey>()("@geoswap/service/Api/ApiKey", {
  security: {
    apiKey: HttpApiSecurity.apiKey({ key: "x-api-key", in: "header" }).pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "An account's API key. Do not use it on a public page.")
    )
  }
}) {}

const always: ReadonlyArray<Code> = ["UNAUTHORIZED", "RATE_LIMITED", "INTERNAL", "UNAVAILABLE"]
const input: ReadonlyArray<Code> = [...always, "VALIDATION"]
const body: ReadonlyArray<Code> = [...input, "REQUEST_TIMEOUT", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]
const chain: ReadonlyArray<Code> = ["UPSTREAM_TIMEOUT"]
const quote: ReadonlyArray<Code> = ["INVALID_TOKEN", "QUOTE_EXPIRED", "NO_ROUTE", ...chain]
const delegated: ReadonlyArray<Code> = ["NEEDS_DELEGATION", "INVALID_AUTHORIZATION", "UNSUPPORTED_DELEGATION"]
const operation: ReadonlyArray<Code> = [
  "INVALID_TOKEN",
  "QUOTE_ALREADY_USED",
  "OPERATION_EXPIRED",
  "INSUFFICIENT_BALANCE",
  "INVALID_SIGNATURE",
  "LIMIT_EXCEEDED",
  "NO_ROUTE",
  "SLIPPAGE",
  ...chain
]

/** The swap endpoints. */
const swap = HttpApiGroup.make("swap")
  .add(
    HttpApiEndpoint.post("quote", "/swap/quote", {
      disableCodecs: true,
      payload: [requests.QuoteRequest, requests.IndicativeQuoteRequest],
      success: Schema.Union([responses.QuoteAnswer, responses.IndicativeQuoteAnswer]),
      error: errorsOf([
        ...body,
        "NO_ROUTE",
        "NEEDS_LARGER_SIZE",
        "NEEDS_SMALLER_SIZE",
        "INSUFFICIENT_BALANCE",
        ...chain
      ])
    }).annotateMerge(
      endpointAnnotations(
        "Price a swap",
        "Returns a sealed quote token that is valid for 30 seconds. A recipient is required if the two chains belong to different families. With indicative: true, returns a price without a token: the wallet and the recipient are optional, balances are not checked, and the call has its own rate limit.",
        examples.quote
      )
    ),
    HttpApiEndpoint.get("delegation", "/swap/delegation", {
      disableCodecs: true,
      query: requests.delegation,
      success: responses.DelegationAnswer,
      error: errorsOf([...input, ...chain])
    }).annotateMerge(
      endpointAnnotations(
        "Read a wallet's delegation",
        "For a wallet that is not delegated on its origin chain, the response contains the two fields to sign.",
        examples.delegation
      )
    ),
    HttpApiEndpoint.get("delegationByPath", "/swap/delegation/:chainId/:walletAddress", {
      disableCodecs: true,
      params: requests.delegation,
      success: responses.DelegationAnswer,
      error: errorsOf([...input, ...chain])
    }).annotateMerge(
      endpointAnnotations(
        "Read a wallet's delegation, by path",
        "The same as GET /swap/delegation, with path parameters instead of a query.",
        examples.delegationByPath
      )
    ),
    HttpApiEndpoint.post("changeDelegation", "/swap/change-delegation", {
      disableCodecs: true,
      payload: requests.ChangeDelegationRequest,
      success: responses.DelegationChangeAnswer,
      error: errorsOf([
        ...body,
        ...chain,
        "INVALID_AUTHORIZATION",
        "UNSUPPORTED_DELEGATION",
        "NONCE_USED",
        "SWAP_IN_PROGRESS",
        "NOTHING_TO_CHANGE",
        "GAS_BUDGET_EXCEEDED"
      ])
    }).annotateMerge(
      endpointAnnotations(
        "Set or remove a wallet's delegation",
        "Sends a signed EIP-7702 authorization without a swap: to the service's contract, or to the zero address to remove the delegation. Idempotent per wallet, chain and nonce. Refused while a swap of the wallet is in progress on the chain.",
        examples.changeDelegation
      )
    ),
    HttpApiEndpoint.get("delegationStatus", "/swap/delegation-status/:changeId", {
      disableCodecs: true,
      params: requests.delegationStatus,
      success: responses.DelegationChangeAnswer,
      error: errorsOf([...always, "CHANGE_NOT_FOUND"])
    }).annotateMerge(
      endpointAnnotations(
        "Wait for a delegation change",
        "Waits up to about 15 seconds for the change to be applied or to fail, and returns the latest state. Call again while the change is pending.",
        examples.delegationStatus
      )
    ),
    HttpApiEndpoint.post("buildGeoOp", "/swap/build-geo-op", {
      disableCodecs: true,
      payload: requests.BuildRequest,
      success: responses.BuildAnswer,
      error: errorsOf([...body, ...quote, ...delegated, "NONCE_USED", "PAYMENT_METHOD_UNAVAILABLE"])
    }).annotateMerge(
      endpointAnnotations(
        "Build the operation for an EVM origin",
        "Turns a quote into the 32 bytes to sign. If the wallet is not delegated yet, attach its signed EIP-7702 authorization. With one of the quote's paymentMethods other than delegation, turns the quote into typed data that pays without a delegation. With previousGeoOpToken, the operation reuses the nonce of a refused operation, so at most one of the two can be executed.",
        examples.buildGeoOp
      )
    ),
    HttpApiEndpoint.post("buildSolanaTx", "/swap/build-solana-tx", {
      disableCodecs: true,
      payload: requests.SolanaBuildRequest,
      success: responses.SolanaBuildAnswer,
      error: errorsOf([...body, ...quote])
    }).annotateMerge(
      endpointAnnotations(
        "Build the transaction for a Solana origin",
        "Turns a quote into an unsigned v0 transaction. The service pays the transaction fee.",
        examples.buildSolanaTx
      )
    ),
    HttpApiEndpoint.post("submit", "/swap/submit", {
      disableCodecs: true,
      payload: requests.SubmitRequest,
      success: responses.SwapAnswer,
      error: errorsOf([...body, ...operation, ...delegated, "NONCE_USED", "PAYMENT_METHOD_UNAVAILABLE"])
    }).annotateMerge(
      endpointAnnotations(
        "Submit a signed operation",
        "Idempotent per quote: submitting the same bytes again returns the same swap. If the outcome of a call is unclear, repeat the call unchanged.",
        examples.submit
      )
    ),
    HttpApiEndpoint.post("submitSolana", "/swap/submit-solana", {
      disableCodecs: true,
      payload: requests.SolanaSubmitRequest,
      success: responses.SwapAnswer,
      error: errorsOf([...body, ...operation, "TRANSACTION_MODIFIED"])
    }).annotateMerge(
      endpointAnnotations(
        "Submit a signed transaction",
        "The transaction's message must be byte-for-byte identical to the one that was built. Idempotent per quote, like submit.",
        examples.submitSolana
      )
    ),
    HttpApiEndpoint.get("status", "/swap/status/:swapId", {
      disableCodecs: true,
      params: requests.status,
      success: responses.SwapAnswer,
      error: errorsOf([...always, "SWAP_NOT_FOUND"])
    }).annotateMerge(
      endpointAnnotations(
        "Wait for a swap",
        "Waits up to about 15 seconds for the swap to settle, fail or be refunded, and returns the latest state. Call again while the swap is pending.",
        examples.status
      )
    ),
    HttpApiEndpoint.get("chains", "/swap/chains", {
      disableCodecs: true,
      success: responses.ChainsAnswer,
      error: errorsOf(always)
    }).annotateMerge(
      endpointAnnotations(
        "List chains and tokens",
        "Lists the chains and tokens that the service supports.",
        examples.chains
      )
    )
  )
  .middleware(ApiKey)
  .annotateMerge(OpenApi.annotations({ title: "Swap", description: "Quote, build, sign, submit and wait." }))

const health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/health/live", { disableCodecs: true, success: responses.HealthAnswer }).annotateMerge(
      endpointAnnotations("Liveness", "Responds while the process is running.", examples.health)
    ),
    HttpApiEndpoint.get("ready", "/health/ready", {
      disableCodecs: true,
      success: responses.ReadyAnswer,
      error: errorsOf(["UNAVAILABLE"])
    }).annotateMerge(
      endpointAnnotations(
        "Readiness",
        "If the service is not ready, the message lists the reasons. If the status is degraded, the service is ready, and the problems field lists the chains that are below their node quorum.",
        examples.health
      )
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "For load balancers. No API key required." }))

/** The whole API. */
export const api = HttpApi.make("GeoSwap").add(swap, health).annotate(HttpApi.AdditionalSchemas, [ErrorAnswer])

/** The OpenAPI 3.1 document. */
export const openApi = (version: string): OpenApi.OpenAPISpec =>
  completeDocument(
    OpenApi.fromApi(
      api.annotateMerge(
        OpenApi.annotations({
          title: "GeoSwap",
          version,
          summary: "Swap tokens across chains without holding gas.",
          description:
            "All bodies are JSON and at most 64 KiB long. Unknown fields are ignored, and null is treated as missing. Every response has an x-request-id header and must not be cached.",
          license: { name: "MIT", identifier: "MIT" }
        })
      )
    )
  )
