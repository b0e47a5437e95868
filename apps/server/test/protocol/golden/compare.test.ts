import { describe, expect, it } from "vitest"
import { type Difference, differences, report } from "./compare.js"
import { type Json, names, read, type Transcript } from "./transcripts.js"

type Path = ReadonlyArray<string | number>

/** Every path to a leaf of a value. */
const leaves = (value: Json, path: Path = []): ReadonlyArray<Path> => {
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]: readonly [string, Json]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key])
  )
}

/** A copy with the value at a path changed, or removed if `change` returns `undefined`. */
const changed = <A>(given: A, path: Path, change: (value: unknown) => unknown): A => {
  const copy = structuredClone(given)
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], copy)
  const last = path.at(-1) ?? ""
  const holder = parent as Record<string, unknown>
  const value = change(holder[last])
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}

const transcripts = names().map((name) => [name, read(name)] as const)
const swap = read("evm-first-swap")

const kindsOf = (all: ReadonlyArray<Difference>) => all.map(({ kind }) => kind)

/** The index of the first exchange with that path. */
const at = (transcript: Transcript, path: string) =>
  transcript.findIndex(({ request, response }) => request.path === path && response.status === 200)

describe("differences between transcripts", () => {
  it.each(transcripts)("are empty between %s and itself", (_, transcript) => {
    expect(differences(transcript, structuredClone(transcript))).toEqual([])
  })

  it.each(transcripts)("are breaking for every value of %s that changes or disappears", (_, transcript) => {
    for (const exchange of transcript) {
      const wrong = leaves(exchange as unknown as Json).flatMap((path) => {
        const others: ReadonlyArray<(value: unknown) => unknown> = [
          (value) => `${String(value)} `,
          (value) => (typeof value === "number" ? String(value) : 7),
          (value) => (value === null ? {} : null),
          ...(typeof path.at(-1) === "string" ? [() => undefined] : [])
        ]
        const found = others.map((other) => differences([exchange], [changed(exchange, path, other)]))
        return found.every((all) => kindsOf(all).join() === "breaking") ? [] : [path]
      })
      expect(wrong).toEqual([])
    }
  })

  it("are additive for a new field of a response and breaking for one of a request", () => {
    const place = [at(swap, "/swap/quote"), "response", "body", "route"]
    const [added] = differences(
      swap,
      changed(swap, place, () => "direct")
    )
    expect(added).toMatchObject({ kind: "additive", what: `new: "direct"` })
    expect(added?.where).toMatch(/POST \/swap\/quote: response\.body\.route$/)
    const header = [at(swap, "/swap/quote"), "response", "headers", "deprecation"]
    expect(
      kindsOf(
        differences(
          swap,
          changed(swap, header, () => "true")
        )
      )
    ).toEqual(["additive"])
    const sent = [at(swap, "/swap/quote"), "request", "body", "indicative"]
    expect(
      kindsOf(
        differences(
          swap,
          changed(swap, sent, () => true)
        )
      )
    ).toEqual(["breaking"])
  })

  it("are additive for a new array element and breaking for a missing one", () => {
    const quotes = read("quotes")
    const place = [quotes.findIndex(({ note }) => note === "with a high price impact"), "response", "body", "warnings"]
    const more = changed(quotes, place, (all) => [...(all as ReadonlyArray<unknown>), { code: "NEW" }])
    expect(kindsOf(differences(quotes, more))).toEqual(["additive"])
    expect(kindsOf(differences(more, quotes))).toEqual(["breaking"])
  })

  it("are breaking for a status, a swapped id and a missing exchange", () => {
    const submitted = at(swap, "/swap/submit")
    const other = changed(swap, [submitted, "response", "body", "swapId"], () => "<uuid swapId#2>")
    expect(kindsOf(differences(swap, other))).toEqual(["breaking"])
    const status = changed(swap, [submitted, "response", "status"], () => 201)
    expect(kindsOf(differences(swap, status))).toEqual(["breaking"])
    expect(kindsOf(differences(swap, swap.slice(0, -1)))).toEqual(["breaking"])
    expect(kindsOf(differences(swap, [...swap, ...swap.slice(-1)]))).toEqual(["breaking"])
  })

  it("are reported by kind, with the path and both values", () => {
    const place = at(swap, "/swap/quote")
    const number = changed(swap, [place, "response", "body", "feeBps"], String)
    const both = changed(number, [place, "response", "body", "route"], () => "direct")
    const text = report("evm-first-swap", differences(swap, both))
    expect(text).toMatch(/^The wire differs from test\/golden\/transcripts\/evm-first-swap\.json\.\nBreaking .*:\n/)
    expect(text).toMatch(/POST \/swap\/quote: response\.body\.feeBps: expected 10, got "10"\nAdditive .*:\n/)
    expect(text).toContain(`response.body.route: new: "direct"`)
    expect(text).toContain("golden:update")
  })
})
