/** Rejects requests from other sites' pages to the swap page's API. */
import { Refusal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const crossSite = () =>
  Refusal.refuse("FORBIDDEN", "Only this server's own page may use this path. Other pages must use the API with a key.")

/** Whether an `Origin` has the same host as the request. The schemes may differ behind a TLS proxy. */
const isSameHost = (origin: string, host: string | undefined) => {
  const [, scheme] = /^(https?:)\/\/[^/@]+$/.exec(origin) ?? []
  const here = `${scheme}//${host}`
  return (
    scheme !== undefined &&
    host !== undefined &&
    URL.canParse(origin) &&
    URL.canParse(here) &&
    new URL(origin).host === new URL(here).host
  )
}

/**
 * Rejects requests from other sites' pages, based on the headers that browsers add to such requests. Requests from
 * programs other than browsers are harmless here.
 */
export const verifySameOrigin = ({
  headers,
  method
}: Pick<HttpServerRequest, "headers" | "method">): Effect.Effect<void, Refusal.Refusal> => {
  const { host, origin, "sec-fetch-site": site } = headers
  const reads = method === "GET" || method === "HEAD"
  const known = site === undefined || site === "same-origin" || (site === "none" && reads)
  return known && (origin === undefined || isSameHost(origin, host)) ? Effect.void : Effect.fail(crossSite())
}
