import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect } from "vitest"
import * as Web from "../../src/web/Web.js"
import { exchange, requestText } from "../protocol/http/rawHttp.js"
import { ask, files, json, pageFolder, site } from "./fixture.js"

const index = String(files["index.html"])
const script = String(files["assets/app-3f9c.js"])
const scriptPath = "/assets/app-3f9c.js"

describe("files of the page", () => {
  it.live("are served by name with their content type, and the page itself at /", () =>
    Effect.gen(function* () {
      const here = yield* site()
      const types: Readonly<Record<string, string>> = {
        "/": "text/html; charset=utf-8",
        "/index.html": "text/html; charset=utf-8",
        "/favicon.svg": "image/svg+xml",
        "/robots.txt": "text/plain; charset=utf-8",
        [scriptPath]: "text/javascript; charset=utf-8",
        "/assets/app-77aa.css": "text/css; charset=utf-8",
        "/assets/font-01.woff2": "font/woff2",
        "/assets/a%20name.json": "application/json"
      }
      for (const [path, type] of Object.entries(types)) {
        const { bytes, headers, status } = yield* ask(here, path)
        expect([path, status, headers["content-type"]]).toEqual([path, 200, type])
        const name = decodeURIComponent(path.slice(1)) || "index.html"
        expect(bytes.equals(Buffer.from(files[name] ?? ""))).toBe(true)
        expect(headers["content-length"]).toBe(String(bytes.length))
        expect(headers["content-encoding"]).toBeUndefined()
      }
      expect((yield* ask(here, `${scriptPath}?v=1`)).text).toBe(script)
    })
  )

  it.live("have strict security headers on every response", () =>
    Effect.gen(function* () {
      const here = yield* site({}, { cors: { origins: ["https://friend.example"] } })
      const headers = { origin: "https://friend.example", "accept-encoding": "br" }
      const { headers: first } = yield* ask(here, "/", { headers })
      const tag = String((yield* ask(here, scriptPath)).headers.etag)
      for (const answer of [
        yield* ask(here, "/", { headers }),
        yield* ask(here, scriptPath, { headers }),
        yield* ask(here, scriptPath, { method: "HEAD" }),
        yield* ask(here, scriptPath, { headers: { "if-none-match": tag } })
      ]) {
        expect(answer.headers).toMatchObject({
          "content-security-policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
            "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
            "require-trusted-types-for 'script'; trusted-types 'none'",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cross-origin-opener-policy": "same-origin-allow-popups",
          "cross-origin-resource-policy": "same-origin",
          "permissions-policy": expect.stringMatching(
            /camera=\(\), .*geolocation=\(\), .*payment=\(\), .*usb=\(\)/
          ) as string
        })
        expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{36}$/)
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
      }
      expect(first["x-request-id"]).not.toBe((yield* ask(here, "/")).headers["x-request-id"])
    })
  )

  it.live("are cached forever if their names contain a hash, and revalidated otherwise", () =>
    Effect.gen(function* () {
      const here = yield* site()
      const cachingOf = (path: string) => Effect.map(ask(here, path), ({ headers }) => headers["cache-control"])
      expect(yield* cachingOf(scriptPath)).toBe("public, max-age=31536000, immutable")
      for (const path of ["/", "/index.html", "/favicon.svg"]) expect(yield* cachingOf(path)).toBe("no-cache")

      const { headers } = yield* ask(here, "/")
      const tag = String(headers.etag)
      expect(tag).toMatch(/^"[\w-]{22}"$/)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const again = yield* ask(here, "/", { headers: { "if-none-match": known } })
        expect([again.status, again.text, again.headers.etag]).toEqual([304, "", tag])
        expect(again.headers["cache-control"]).toBe("no-cache")
        expect(again.headers["content-length"]).toBeUndefined()
      }
      const changed = yield* ask(here, "/", { headers: { "if-none-match": `"other", W/"${tag}"` } })
      expect([changed.status, changed.text]).toEqual([200, index])
      const other = yield* ask(here, "/robots.txt", { headers: { "if-none-match": tag } })
      expect(other.status).toBe(200)
    })
  )

  it.live("are compressed as the browser prefers, with an ETag per encoding", () =>
    Effect.gen(function* () {
      const here = yield* site()
      const as = (accepted: string, path = scriptPath) => ask(here, path, { headers: { "accept-encoding": accepted } })
      const forms: ReadonlyArray<readonly [accepted: string, encoding: string | undefined]> = [
        ["gzip, deflate, br, zstd", "br"],
        ["gzip", "gzip"],
        ["GZIP;q=1.0, br;q=0.5", "gzip"],
        ["br;q=0, gzip;q=0.1", "gzip"],
        ["*", "br"],
        ["br;q=0, *;q=0.5", "gzip"],
        ["identity", undefined],
        ["br;q=0, gzip;q=0", undefined],
        ["deflate, brr", undefined],
        ["br;q=words", undefined]
      ]
      const tags = new Map<string | undefined, string | undefined>()
      for (const [accepted, encoding] of forms) {
        const { bytes, headers, status } = yield* as(accepted)
        expect([accepted, status, headers["content-encoding"]]).toEqual([accepted, 200, encoding])
        const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes
        expect(plain.toString()).toBe(script)
        expect(headers["content-length"]).toBe(String(bytes.length))
        expect(headers.vary).toBe("accept-encoding")
        if (encoding !== undefined) expect(bytes.length).toBeLessThan(script.length / 10)
        expect(tags.get(encoding) ?? headers.etag).toBe(headers.etag)
        tags.set(encoding, headers.etag)
      }
      expect(new Set(tags.values()).size).toBe(3)
      const known = { "accept-encoding": "br", "if-none-match": String(tags.get("br")) }
      expect((yield* ask(here, scriptPath, { headers: known })).status).toBe(304)
      // A cached encoding does not match a request for another one.
      expect((yield* ask(here, scriptPath, { headers: { ...known, "accept-encoding": "gzip" } })).status).toBe(200)

      // Compression does not help a font, a few words, or random data.
      const font = yield* as("br", "/assets/font-01.woff2")
      expect([font.headers["content-encoding"], font.headers.vary]).toEqual([undefined, undefined])
      for (const path of ["/assets/small.txt", "/assets/random.wasm"]) {
        const { bytes, headers } = yield* as("br, gzip", path)
        expect([headers["content-encoding"], headers.vary]).toEqual([undefined, "accept-encoding"])
        expect(bytes.equals(Buffer.from(files[path.slice(1)] ?? ""))).toBe(true)
      }
    })
  )

  it.live("support HEAD and refuse writes", () =>
    Effect.gen(function* () {
      const origin = "https://friend.example"
      const here = yield* site({}, { cors: { origins: [origin] } })
      const { bytes, headers, status } = yield* ask(here, scriptPath, { method: "HEAD" })
      expect([status, bytes.length, headers["content-length"]]).toEqual([200, 0, String(script.length)])
      for (const method of ["POST", "PUT", "DELETE"]) {
        const refused = yield* ask(here, scriptPath, { method })
        expect([refused.status, json(refused)["code"], refused.headers.allow]).toEqual([
          405,
          "METHOD_NOT_ALLOWED",
          "GET, HEAD, OPTIONS"
        ])
      }
      const preflight = yield* ask(here, "/", { method: "OPTIONS", headers: { origin } })
      expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, undefined])
    })
  )

  it.live("do not include files outside of the folder, hidden files, or other spellings", () =>
    Effect.gen(function* () {
      const here = yield* site()
      const tries = [
        "/../beside.txt",
        "/%2e%2e/beside.txt",
        "/%2E%2E%2Fbeside.txt",
        "/..%2fbeside.txt",
        "/assets/../../beside.txt",
        "/assets/..%5c..%5cbeside.txt",
        "/assets/%252e%252e/beside.txt",
        "/beside.txt",
        "/.env",
        "/%2eenv",
        "//index.html",
        "//",
        "/./index.html",
        "/assets",
        "/assets/",
        "/assets%2fapp-3f9c.js",
        "/assets//app-3f9c.js",
        "/Assets/app-3f9c.js",
        "/index.html/",
        "/index.html%00",
        "/index.html%00.js",
        "/assets/app-3f9c.js%20",
        "/constructor",
        "/__proto__",
        `/${"a/".repeat(3_000)}`,
        `/${"a".repeat(8_000)}`
      ]
      for (const path of tries) {
        const answer = yield* ask(here, path)
        expect([path.slice(0, 40), answer.status, json(answer)["code"]]).toEqual([path.slice(0, 40), 404, "NOT_FOUND"])
        expect(answer.text).not.toContain("SECRET_OF_THE_FOLDER")
      }
      // Requests that no client would send.
      const raw: ReadonlyArray<readonly [path: string, status: number]> = [
        ["/index.html\0", 400],
        ["..", 400],
        ["http://elsewhere.example/../beside.txt", 404],
        [`/${"a".repeat(20_000)}`, 431]
      ]
      for (const [path, status] of raw) {
        const answer = yield* Effect.promise(() => exchange(here.url, [requestText("GET", path)]))
        expect([path.slice(0, 40), answer?.status]).toEqual([path.slice(0, 40), status])
      }
    })
  )

  it.effect("are refused with a reason if the page is missing, too large, or hides a path of the service", () =>
    Effect.gen(function* () {
      const why = (folder: string) => Effect.map(Effect.flip(Web.readPage(folder)), ({ message }) => message)
      const empty = yield* pageFolder({ "readme.txt": "" })
      expect(yield* why(empty)).toContain(`There is no index.html in ${empty}. Build the page`)
      expect(yield* why(join(empty, "nowhere"))).toContain("Build the page")
      expect(yield* why(join(empty, "readme.txt"))).toContain("cannot be read. Check that the path is a folder")
      const large = yield* pageFolder({ "index.html": "", "assets/video": new Uint8Array(20 * 1024 * 1024 + 1) })
      expect(yield* why(large)).toContain("takes up 21 MB, which exceeds the limit of 20 MB")
      const inTheWay = yield* pageFolder({ "index.html": "", "swap/quote": "" })
      expect(yield* why(inTheWay)).toContain("contains the file swap/quote, but the service uses that path")
    })
  )

  it.effect("do not include links", () =>
    Effect.gen(function* () {
      const page = yield* pageFolder({ "index.html": "" })
      writeFileSync(join(page, "..", "elsewhere"), "SECRET_OF_THE_FOLDER")
      symlinkSync(join(page, "..", "elsewhere"), join(page, "linked.txt"))
      symlinkSync(join(page, ".."), join(page, "up"))
      expect([...(yield* Web.readPage(page)).files.keys()]).toEqual(["/index.html"])
    })
  )
})
