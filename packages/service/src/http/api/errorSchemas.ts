/** An endpoint's error schemas, one per status, each with its codes. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { type Code, statusOf } from "../../domain/Refusal.js"

const detail = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** The details that clients show to people. There are more, which are not described. */
const Details = Schema.Struct({
  token: detail("INSUFFICIENT_BALANCE: the address of the input token."),
  balance: detail("INSUFFICIENT_BALANCE: the wallet's balance of the token, in its smallest unit."),
  inFlight: detail("INSUFFICIENT_BALANCE: the part of the balance that the wallet's other pending swaps use."),
  required: detail("INSUFFICIENT_BALANCE: the amount that the swap needs, in the token's smallest unit."),
  minimum: detail("NEEDS_LARGER_SIZE: the smallest amount that can be swapped, in the input token's smallest unit."),
  maximum: detail("NEEDS_SMALLER_SIZE: the largest amount that can be swapped, in the input token's smallest unit.")
}).annotate({ description: "Facts about the error, which depend on the code. Each of them may be missing." })

/** The schema for all errors. More codes may be added in the future. */
export const ErrorAnswer = Schema.Struct({
  code: Schema.Literals(Object.keys(statusOf) as ReadonlyArray<Code>),
  message: Schema.String.annotate({ description: "What happened and what to do about it." }),
  requestId: Schema.String.annotate({
    description: "The value of the x-request-id header. Include it when you report a problem to the operator."
  }),
  details: Schema.optionalKey(Details)
}).annotate({ identifier: "Error" })

/** The error responses for an endpoint with these codes, by status. The document adds their schema. */
export const errorsOf = (codes: ReadonlyArray<Code>) =>
  [...new Set(codes.map((code) => statusOf[code]))]
    .toSorted((one, other) => one - other)
    .map((status) =>
      Schema.Void.annotate({ description: codes.filter((code) => statusOf[code] === status).join(", ") }).pipe(
        HttpApiSchema.status(status)
      )
    )
