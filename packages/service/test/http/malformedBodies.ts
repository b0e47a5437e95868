/** Bodies that are not JSON, too large, too deep, or of another type. */
import { gzipSync } from "node:zlib"
import type { Malformed } from "./malformedFields.js"
import { request as quote } from "./webApp.js"

const good = JSON.stringify(quote)

const post = (
  name: string,
  body: string | Uint8Array,
  expected: Pick<Malformed, "status" | "code" | "says">,
  headers: NonNullable<Malformed["headers"]> = {}
): Malformed => ({ name, path: "/swap/quote", body, headers, ...expected })

const invalid = (...says: ReadonlyArray<string>) => ({ status: 400, code: "VALIDATION", says })
const unsupported = (...says: ReadonlyArray<string>) => ({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE", says })
const tooLarge = { status: 413, code: "BODY_TOO_LARGE", says: ["64 KiB"] }

const notJson: Readonly<Record<string, string | Uint8Array>> = {
  "a body that ends in the middle": good.slice(0, 80),
  "an unclosed brace": "{",
  "single quotes": good.replaceAll('"', "'"),
  "a trailing comma": good.replace("}", ",}"),
  "a comment": `/* amount */${good}`,
  "NaN as a number": good.replace("8453", "NaN"),
  "Infinity as a number": good.replace("8453", "Infinity"),
  "a number with a leading zero": good.replace("8453", "08453"),
  "a number with a plus sign": good.replace("8453", "+8453"),
  "a hex number": good.replace("8453", "0x2105"),
  undefined: "undefined",
  "two documents": good + good,
  "a line feed in a string": good.replace("10000000", "1\n"),
  "a null byte in a string": good.replace("10000000", "1\u0000"),
  "only null bytes": "\u0000\u0000\u0000",
  "a byte order mark": `\uFEFF${good}`,
  "bytes that are not UTF-8": Buffer.concat([
    Buffer.from(good.slice(0, -2)),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}')
  ]),
  "an overlong encoding": Buffer.concat([Buffer.from('{"amount":"'), Buffer.from([0xc0, 0xb1]), Buffer.from('"}')]),
  "half a character": Buffer.concat([Buffer.from(good.slice(0, -2)), Buffer.from([0xe2, 0x82])]),
  "UTF-16": Buffer.from(good, "utf16le"),
  "a form": "originChain=8453&amount=canaryOfTheBody"
}

const deep = (open: string, close: string, depth: number): string =>
  `${good.slice(0, -1)},"more":${open.repeat(depth)}1${close.repeat(depth)}}`

export const bodies: ReadonlyArray<Malformed> = [
  ...Object.entries(notJson).map(([name, body]) => post(name, body, invalid("not valid JSON"))),
  post("an empty body", "", invalid("empty")),
  post("null", "null", invalid("object")),
  post("a list", `[${good}]`, invalid("object")),
  post("a text", `"canaryOfTheBody"`, invalid("object")),
  post("a number", "5", invalid("object")),
  post("an empty object", "{}", invalid("originChain", "walletAddress")),
  post("only prototype keys", `{"__proto__":${good},"constructor":{"prototype":${good}}}`, invalid("originChain")),
  post("lists 33 deep", deep("[", "]", 32), invalid("deep")),
  post("objects 33 deep", deep(`{"a":`, "}", 32), invalid("deep")),
  post("lists 30,000 deep", deep("[", "]", 30_000), invalid("deep")),
  post("objects 10,000 deep", deep(`{"a":`, "}", 10_000), invalid("deep")),
  post("unclosed brackets", "[".repeat(60_000), invalid("not valid JSON")),
  post("a duplicate amount", `{"amount":"1",${good.slice(1)}`, invalid("amount", "more than once")),
  post("a duplicate amount with an escaped name", `{"\\u0061mount":"1",${good.slice(1)}`, invalid("amount")),
  post("a nested duplicate field", `{"x":{"a":1,"a":2},${good.slice(1)}`, invalid("more than once")),

  post("no content type", good, unsupported("content-type"), { "content-type": undefined }),
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"].map(
    (type) => post(`the content type ${type}`, good, unsupported("application/json"), { "content-type": type })
  ),
  ...["application/jsonp", "application/json-patch+json", "application/json, text/plain", "json", "*/*", ";"].map(
    (type) => post(`the content type ${type}`, good, unsupported("application/json"), { "content-type": type })
  ),
  post("another charset", good, unsupported("application/json"), {
    "content-type": "application/json; charset=utf-16"
  }),
  post("a compressed body", gzipSync(good), unsupported("content-encoding"), { "content-encoding": "gzip" }),
  post("an uncompressed body that claims to be compressed", good, unsupported("content-encoding"), {
    "content-encoding": "br"
  }),

  post("65,537 bytes", JSON.stringify({ ...quote, more: "x".repeat(65_537 - good.length - 10) }), tooLarge),
  post("a megabyte", JSON.stringify({ ...quote, more: "canaryOfTheBody".repeat(70_000) }), tooLarge)
]
