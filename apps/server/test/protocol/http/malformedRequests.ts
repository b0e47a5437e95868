/**
 * What depends on the socket: malformed HTTP, unknown paths and methods, missing keys, slow clients. The tests of the
 * service show how it refuses bodies and fields.
 */
import { type Malformed, requestText, type Step } from "./rawHttp.js"

const good = `{"originChain":8453,"amount":"10000000"}`
const json = { "content-type": "application/json" }

const broken = (name: string, ...steps: ReadonlyArray<Step>): Malformed => ({
  name,
  steps: () => steps,
  status: 400,
  code: "VALIDATION",
  says: ["HTTP"]
})

const head = (...lines: ReadonlyArray<string>): string =>
  ["POST /swap/quote HTTP/1.1", "host: localhost", "content-type: application/json", ...lines, "", ""].join("\r\n")

const path = (
  method: string,
  target: string,
  status: number,
  code: string,
  says: ReadonlyArray<string> = []
): Malformed => ({
  name: `${method} ${target.slice(0, 60)}`,
  steps: (apiKey) => [requestText(method, target, { "x-api-key": apiKey })],
  status,
  code,
  says
})
const notFound = (target: string) => path("GET", target, 404, "NOT_FOUND")
const noSwap = (id: string) => path("GET", `/swap/status/${id}`, 404, "SWAP_NOT_FOUND")
const notAllowed = (method: string, target: string, allow: string) =>
  path(method, target, 405, "METHOD_NOT_ALLOWED", [allow])

const noKey = (name: string, headers: Readonly<Record<string, string>>, target = "/swap/quote"): Malformed => ({
  name,
  steps: () => [requestText("POST", target, { ...json, ...headers }, good)],
  status: 401,
  code: "UNAUTHORIZED",
  says: ["x-api-key"]
})

const tooManyHeaders = { status: 431, code: "HEADERS_TOO_LARGE", says: ["headers"] }

/** One byte at a time, until the connection is closed. */
const trickle = (text: string, millis: number): ReadonlyArray<Step> =>
  text.split("").flatMap((char): ReadonlyArray<Step> => [char, { wait: millis }])

const slow = { status: 408, code: "REQUEST_TIMEOUT", says: ["too long"], orClosed: true, slow: true }

export const messages: ReadonlyArray<Malformed> = [
  broken("random bytes", Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])),
  broken("a TLS handshake", Buffer.from("16030100f8010000f40303", "hex")),
  broken("words", "hello, is anybody there\r\n\r\n"),
  broken("a request line without a version", "GET /health/live\r\nhost: x\r\n\r\n"),
  broken("an unknown HTTP version", "GET /health/live HTTP/9.9\r\nhost: x\r\n\r\n"),
  broken("an unknown method", "FETCH /health/live HTTP/1.1\r\nhost: x\r\n\r\n"),
  broken("a lowercase method", "get /health/live HTTP/1.1\r\nhost: x\r\n\r\n"),
  broken("a path with a space", "GET /swap/chains now HTTP/1.1\r\nhost: x\r\n\r\n"),
  broken("a header without a colon", head("nonsense")),
  broken("a header name with a space", head("x api key: 1")),
  broken("a null byte in a header", head("x-api-key: a\u0000b")),
  broken("a folded header", head("x-api-key: a", " b")),
  broken("a length that is not a number", head("content-length: abc")),
  broken("a negative length", head("content-length: -5")),
  broken("two lengths", head("content-length: 5", "content-length: 6")),
  broken("a length and chunks", head("content-length: 5", "transfer-encoding: chunked"), "0\r\n\r\n"),
  {
    ...broken("an unknown transfer encoding"),
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "transfer-encoding: gzip"), good]
  },
  { ...broken("no host", "GET /health/live HTTP/1.1\r\n\r\n"), says: ["Host"] },
  {
    ...broken("chunks with an invalid size"),
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "transfer-encoding: chunked"), "canaryOfTheBody\r\n{}\r\n"]
  },
  {
    ...broken("a chunk that is longer than its size"),
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "transfer-encoding: chunked"), `2\r\n${good}\r\n0\r\n\r\n`]
  },
  {
    ...broken("a body that is shorter than its length"),
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "content-length: 500"), good, { end: true }],
    orClosed: true
  },
  {
    ...broken("chunks without a last one"),
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "transfer-encoding: chunked"), '5\r\n{"a":\r\n', { end: true }],
    orClosed: true
  },
  {
    name: "a body that is longer than its length",
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "content-length: 20"), good],
    status: 400,
    code: "VALIDATION"
  },

  {
    ...broken("chunks that are not JSON"),
    steps: (apiKey) => [
      head(`x-api-key: ${apiKey}`, "transfer-encoding: chunked"),
      ...[good.slice(0, 20), good.slice(30)].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
      "0\r\n\r\n"
    ],
    says: ["not valid JSON"]
  },
  {
    name: "a gigabyte that does not arrive",
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "content-length: 1000000000")],
    status: 413,
    code: "BODY_TOO_LARGE",
    says: ["64 KiB"]
  },
  { ...broken("a length that overflows", head(`content-length: ${"9".repeat(30)}`)), says: [] },

  { name: "a header of 20 KB", steps: () => [head(`x-more: ${"x".repeat(20_000)}`)], ...tooManyHeaders },
  {
    name: "headers of 40 KB together",
    steps: () => [head(...Array.from({ length: 2_000 }, (_, index) => `x-more-${index}: 1`))],
    ...tooManyHeaders
  },
  { name: "a path of 20 KB", steps: () => [requestText("GET", `/${"x".repeat(20_000)}`)], ...tooManyHeaders },

  ...["/", "/swap", "/swap/", "/swap/quotes", "/swap/quote/", "//swap/chains", "/SWAP/CHAINS", "/swap/chains/"].map(
    notFound
  ),
  ...[
    "/../etc/passwd",
    "/swap/../swap/chains",
    "/swap/%2e%2e/swap/chains",
    "/swap%2Fchains",
    "/%00",
    "/swap/chains%00"
  ].map(notFound),
  ...["/swap/./chains", "/swap/chains;a=b", "/.env", "/index.html", "/metrics", "*", "/swap/status", "/%zz"].map(
    notFound
  ),
  ...["/swap/status/a/b", "/swap/delegation/1", "/swap/delegation/1/2/3", "/health", "/docs/", "/openapi.yaml"].map(
    notFound
  ),
  ...["", "..", ".", "%2e%2e", "%00", "%zz", "%", "%20", "%F0%9F%8C%8D", "x".repeat(201), "a%2Fb", "a%0D%0Ab"].map(
    noSwap
  ),
  ...["__proto__", "constructor", "undefined", "null", "'; DROP TABLE swaps; --".replaceAll(" ", "%20")].map(noSwap),

  notAllowed("GET", "/swap/quote", "POST"),
  ...["PUT", "DELETE", "PATCH", "TRACE"].map((method) => notAllowed(method, "/swap/quote", "POST")),
  ...["POST", "PUT", "DELETE"].map((method) => notAllowed(method, "/swap/status/1", "GET")),
  ...["POST", "PROPFIND"].map((method) => notAllowed(method, "/swap/chains", "GET")),
  notAllowed("POST", "/health/live", "GET"),
  notAllowed("POST", "/openapi.json", "GET"),
  {
    ...notAllowed("GET", "/swap/quote", "POST"),
    name: "a GET that says it is a POST",
    steps: (apiKey) => [requestText("GET", "/swap/quote", { "x-api-key": apiKey, "x-http-method-override": "POST" })]
  },
  { ...path("CONNECT", "elsewhere.test:443", 405, "METHOD_NOT_ALLOWED"), says: ["CONNECT"] },

  noKey("no key", {}),
  noKey("an empty key", { "x-api-key": "" }),
  noKey("another key", { "x-api-key": "gsk_aaaaaaaaaaaa_canaryOfTheTokenaaaaaaaaaaaaaaaaaaaaaaaaaaa" }),
  noKey("an invalid key", { "x-api-key": "' OR 1=1 --" }),
  noKey("a key as a bearer token", { authorization: "Bearer canaryOfTheToken" }),
  noKey("a key in the query", {}, "/swap/quote?x-api-key=canaryOfTheToken"),
  noKey("a key of 8 KB", { "x-api-key": "x".repeat(8_000) }),
  {
    name: "two keys",
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, `x-api-key: ${apiKey}`, `content-length: ${good.length}`), good],
    status: 401,
    code: "UNAUTHORIZED",
    says: ["x-api-key"]
  },
  {
    name: "no key and a body that is not JSON",
    steps: () => [requestText("POST", "/swap/quote", { "content-type": "text/plain" }, "canaryOfTheBody")],
    status: 401,
    code: "UNAUTHORIZED"
  },

  { name: "headers that arrive byte by byte", steps: () => trickle(head("x: 1").repeat(3), 100), ...slow },
  {
    name: "a body that arrives byte by byte",
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "content-length: 400"), ...trickle(good, 100)],
    ...slow
  },
  {
    name: "a body that never arrives",
    steps: (apiKey) => [head(`x-api-key: ${apiKey}`, "content-length: 400")],
    ...slow
  },
  { name: "half a request line", steps: () => ["POST /swap/quo"], ...slow },
  { name: "nothing at all", steps: () => [], ...slow }
]
