import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type Exchange, type Json, names, read } from "./transcripts.js"

/** The codes in the error table of the protocol. */
const documented = (protocol: string): ReadonlyArray<string> => {
  const [, errors = ""] = protocol.split("\n## Errors\n")
  const [table = ""] = errors.split("\n## ")
  const rows = table.split("\n").filter((line) => /^\| [45]\d\d /.test(line))
  return rows.flatMap((row) => [...(row.split("|")[2] ?? "").matchAll(/`([A-Z_]{4,})`/g)].map(([, code = ""]) => code))
}

/** Codes that a client of the API cannot provoke with `fetch`. */
const unprovoked = new Set([
  // Only the API of the page has it.
  "FORBIDDEN",
  // The request must arrive too slowly or be malformed: see `malformed.test.ts`.
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE",
  // The inventory or the refund cap must be used up: see `indicativeQuote.test.ts`.
  "NEEDS_SMALLER_SIZE",
  // Many swaps must be in progress: see `web/swap.test.ts`.
  "LIMIT_EXCEEDED",
  // A defect of the service.
  "INTERNAL"
])

const transcripts = names().map((name) => [name, read(name)] as const)
const exchanges = transcripts.flatMap(([, transcript]) => transcript)

/** The string under a key of a body, if there is one. */
const fieldOf = (body: Json, key: string): ReadonlyArray<string> => {
  const fields = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  return fields.flatMap(([name, inner]: readonly [string, Json]) =>
    name === key && typeof inner === "string" ? [inner] : []
  )
}

describe("transcripts", () => {
  it("contain every error code of docs/protocol.md that a client can provoke", () => {
    const codes = documented(readFileSync(new URL("../../../../../docs/protocol.md", import.meta.url), "utf8"))
    expect(codes.length).toBeGreaterThan(20)
    expect([...new Set(exchanges.flatMap(({ response }) => fieldOf(response.body, "code")))].toSorted()).toEqual(
      [...new Set(codes.filter((code) => !unprovoked.has(code)))].toSorted()
    )
  })

  it("contain every endpoint with a success and an error", () => {
    const endpointOf = ({ request }: Exchange) =>
      `${request.method} ${request.path.replace(/\?.*$/, "?").replace(/(delegation|status)\/.*$/, "$1/")}`
    const expected = [
      "GET /swap/chains",
      "GET /swap/delegation-status/",
      "GET /swap/delegation/",
      "GET /swap/delegation?",
      "GET /swap/status/",
      "POST /swap/build-geo-op",
      "POST /swap/build-solana-tx",
      "POST /swap/change-delegation",
      "POST /swap/quote",
      "POST /swap/submit",
      "POST /swap/submit-solana"
    ]
    const succeeded = exchanges.filter(({ response }) => response.status === 200).map(endpointOf)
    expect([...new Set(succeeded)].toSorted()).toEqual(expected)
    const refused = new Set(exchanges.filter(({ response }) => response.status !== 200).map(endpointOf))
    expect(expected.filter((endpoint) => !refused.has(endpoint))).toEqual([])
  })

  it("contain every status of a swap, and of a delegation change", () => {
    const statuses = exchanges.flatMap(({ response }) => fieldOf(response.body, "status"))
    expect([...new Set(statuses)].toSorted()).toEqual(["applied", "failed", "pending", "refunded", "settled"])
  })

  it("contain no sealed token, signature, key or hash", () => {
    const long = /0x[0-9a-f]{64}|\bg[qo]1\.|[A-Za-z0-9+/]{80}/
    for (const [name, transcript] of transcripts)
      expect([name, long.exec(JSON.stringify(transcript))]).toEqual([name, null])
  })
})
