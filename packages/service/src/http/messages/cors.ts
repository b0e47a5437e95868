/** Cross-origin requests. Only configured origins are allowed, by exact match. */

export interface Cors {
  /** The headers for every response to a page from the given origin. */
  readonly headersFor: (origin: string | undefined) => Readonly<Record<string, string>>
  /** The headers for the response to a preflight request. */
  readonly preflightFor: (origin: string | undefined, allow: string) => Readonly<Record<string, string>>
}

const allowHeaders = "content-type, x-api-key, x-request-id, traceparent"
const exposeHeaders = "x-request-id, retry-after, ratelimit, ratelimit-policy"

const nothing: Readonly<Record<string, string>> = {}

export const make = (origins: ReadonlyArray<string>): Cors => {
  // If at least one origin is allowed, responses vary by origin, even for origins that are not allowed.
  const others = origins.length === 0 ? nothing : { vary: "Origin" }
  const known = new Map(
    origins.map((origin) => [
      origin,
      { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": exposeHeaders }
    ])
  )
  const headersFor = (origin: string | undefined) => (origin === undefined ? others : (known.get(origin) ?? others))
  return {
    headersFor,
    preflightFor: (origin, allow) =>
      origin === undefined || !known.has(origin)
        ? others
        : {
            ...headersFor(origin),
            "access-control-allow-methods": allow,
            "access-control-allow-headers": allowHeaders,
            "access-control-max-age": "600"
          }
  }
}
