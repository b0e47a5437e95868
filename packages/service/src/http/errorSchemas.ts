/** An endpoint's error schemas, one per status, each with its codes. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { type Code, statusOf } from "../Refusal.js"

const bodyOf = (codes: ReadonlyArray<Code>) =>
  Schema.Struct({
    code: Schema.Literals(codes),
    message: Schema.String.annotate({ description: "What happened and what to do about it." }),
    requestId: Schema.String.annotate({
      description: "The value of the x-request-id header. Include it when you report a problem to the operator."
    }),
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
  })

/** The schema for all errors. More codes may be added in the future. */
export const ErrorAnswer = bodyOf(Object.keys(statusOf) as ReadonlyArray<Code>).annotate({ identifier: "Error" })
export type ErrorAnswer = typeof ErrorAnswer.Type

/** The error responses for an endpoint with these codes, by status. */
export const errorsOf = (codes: ReadonlyArray<Code>) =>
  [...new Set(codes.map((code) => statusOf[code]))]
    .toSorted((one, other) => one - other)
    .map((status) => {
      const own = codes.filter((code) => statusOf[code] === status)
      return bodyOf(own)
        .annotate({ description: own.join(", ") })
        .pipe(HttpApiSchema.status(status))
    })
