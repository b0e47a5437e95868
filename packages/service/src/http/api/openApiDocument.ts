/** The parts of the OpenAPI document other than the schemas: descriptions, examples and headers. */
import * as OpenApi from "effect/http-api/OpenApi"
import type { Example } from "./examples.js"

const headers = {
  "x-request-id": "The request id, which is the caller's own id if the caller sent one.",
  ratelimit: "The account's remaining allowance.",
  "ratelimit-policy": "The account's allowance.",
  "retry-after": "How many seconds to wait."
}

const headerRefs = (...names: ReadonlyArray<keyof typeof headers>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Adds an example to a body or, if the call has a variant, an example of each form by name. */
const withExample = (
  content: OpenApi.OpenApiSpecContent = {},
  { variant, ...example }: Example,
  part: "request" | "answer"
): OpenApi.OpenApiSpecContent => {
  const value = example[part]
  const shown =
    variant === undefined
      ? { example: value }
      : { examples: { default: { value }, [variant.name]: { value: variant[part] } } }
  return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, ...shown }]))
}

/**
 * Describes an error response. All errors share one schema, and the response's description lists the codes for its
 * status.
 */
const errorContent = ({ description }: OpenApi.OpenApiSpecResponse) => ({
  "application/json": {
    schema: {
      allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: description.split(", ") } } }]
    }
  }
})

const complete = (operation: OpenApi.OpenAPISpecOperation, example: Example) => ({
  ...operation,
  parameters: operation.parameters.map((parameter) => ({
    ...parameter,
    ...("description" in parameter.schema && { description: parameter.schema.description }),
    example: example.parameters?.[parameter.name]
  })),
  ...(operation.requestBody && {
    requestBody: { ...operation.requestBody, content: withExample(operation.requestBody.content, example, "request") }
  }),
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      status === "200"
        ? {
            ...response,
            headers: headerRefs("x-request-id", "ratelimit", "ratelimit-policy"),
            content: withExample(response.content, example, "answer")
          }
        : {
            ...response,
            headers: headerRefs(
              "x-request-id",
              ...(["429", "503", "504"].includes(status) ? ["retry-after" as const] : [])
            ),
            content: errorContent(response)
          }
    ])
  )
})

/** Annotations for an endpoint. */
export const endpointAnnotations = (summary: string, description: string, example: Example) =>
  OpenApi.annotations({
    summary,
    description,
    transform: (operation) => complete(operation as OpenApi.OpenAPISpecOperation, example)
  })

/** Makes all schemas allow unknown fields, because fields may be added at any time and unknown fields are ignored. */
const allowUnknownFields = <A>(value: A): A => {
  if (Array.isArray(value)) return value.map(allowUnknownFields) as A
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key, inner]) => key !== "additionalProperties" || inner !== false)
  return Object.fromEntries(entries.map(([key, inner]) => [key, allowUnknownFields(inner)])) as A
}

/** Adds the components that operations refer to. */
export const completeDocument = (spec: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => ({
  ...allowUnknownFields(spec),
  components: {
    ...allowUnknownFields(spec.components),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }])
    )
  } as OpenApi.OpenAPIComponents
})
