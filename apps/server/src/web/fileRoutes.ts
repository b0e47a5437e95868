/** Routes for the page's files, served from memory with compression and cache validation. */
import { createHash } from "node:crypto"
import type { HttpApp } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Mime from "effect/http/Mime"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { compressed, preferred } from "./compression.js"
import type { Page } from "./readPage.js"
import { pageHeaders } from "./securityHeaders.js"

/** The content type of a file, and whether the file is worth compressing. */
const contentTypeOf = (name: string) => {
  const known = Option.getOrElse(Mime.getType(name), () => "application/octet-stream")
  const type = name.endsWith(".ico") ? "image/x-icon" : known
  return {
    type: type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    compresses: /^text\/|json$|xml$|wasm$|x-icon$|ttf$/.test(type)
  }
}

/** File names under `assets` contain a content hash, so those files never change. */
const cachingOf = (path: string) => (path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache")

/** Whether a list of entity tags from a header contains a tag, using weak comparison (RFC 9110). */
const isKnown = (listed: string | undefined, tag: string) =>
  listed !== undefined &&
  (listed.trim() === "*" || listed.split(",").some((one) => one.trim().replace(/^W\//, "") === tag))

const routeOf = (path: string, bytes: Uint8Array): HttpApp.Route => {
  const { compresses, type } = contentTypeOf(path)
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  const smaller = compressed(bytes)
  const common = {
    ...pageHeaders,
    "content-type": type,
    "cache-control": cachingOf(path),
    ...(compresses && { vary: "accept-encoding" })
  }
  return ({ request: { headers }, requestId }) => {
    const encoding = compresses ? preferred(headers["accept-encoding"]) : undefined
    const chosen = encoding === undefined ? Effect.undefined : Effect.promise(() => smaller(encoding))
    return Effect.map(chosen, (body) => {
      const coding = body === undefined ? undefined : encoding
      // A strong tag identifies the exact bytes, which differ by encoding.
      const tag = `"${hash}${coding === undefined ? "" : `-${coding}`}"`
      const fileHeaders = { ...common, etag: tag, "x-request-id": requestId }
      if (isKnown(headers["if-none-match"], tag)) return HttpServerResponse.empty({ status: 304, headers: fileHeaders })
      return HttpServerResponse.uint8Array(body ?? bytes, {
        headers: { ...fileHeaders, ...(coding !== undefined && { "content-encoding": coding }) }
      })
    })
  }
}

/** Returns a route for every file, and `/` for the page itself. */
export const fileRoutes = ({ files }: Page): ReadonlyArray<HttpApp.Path> => {
  const paths = Array.from(files, ([path, bytes]): HttpApp.Path => ({
    path,
    name: "/*",
    sameOrigin: true,
    methods: new Map([["GET", routeOf(path, bytes)]])
  }))
  const index = paths.find(({ path }) => path === "/index.html")
  return index === undefined ? paths : [...paths, { ...index, path: "/", name: "/" }]
}
