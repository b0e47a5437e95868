/** Compares a transcript with the recorded one, and separates additive changes from breaking ones. */
import type { Exchange, Json, Transcript } from "./transcripts.js"

/** `additive`: the response has something new. `breaking`: something that a client may rely on has changed. */
export interface Difference {
  readonly kind: "additive" | "breaking"
  readonly where: string
  readonly what: string
}

const isRecord = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: Json | undefined): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Every difference below a path, each with its path. */
const between = (
  where: string,
  added: Difference["kind"],
  recorded: Json | undefined,
  found: Json | undefined
): ReadonlyArray<Difference> => {
  if (recorded === undefined && found === undefined) return []
  if (recorded === undefined) return [{ kind: added, where, what: `new: ${textOf(found)}` }]
  if (found === undefined) return [{ kind: "breaking", where, what: `removed: ${textOf(recorded)}` }]
  if (isRecord(recorded) && isRecord(found)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(found)])]
    return keys.flatMap((key) => between(`${where}.${key}`, added, recorded[key], found[key]))
  }
  if (Array.isArray(recorded) && Array.isArray(found)) {
    const [before, after] = [recorded as ReadonlyArray<Json>, found as ReadonlyArray<Json>]
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index).flatMap((index) =>
      between(`${where}[${index}]`, added, before[index], after[index])
    )
  }
  if (JSON.stringify(recorded) === JSON.stringify(found)) return []
  return [{ kind: "breaking", where, what: `expected ${textOf(recorded)}, got ${textOf(found)}` }]
}

const nameOf = (index: number, { note, request }: Exchange) =>
  `exchange ${index + 1}, ${request.method} ${request.path}${note === undefined ? "" : ` (${note})`}`

/** All differences between two transcripts, exchange by exchange. */
export const differences = (recorded: Transcript, found: Transcript): ReadonlyArray<Difference> =>
  Array.from({ length: Math.max(recorded.length, found.length) }, (_, index) => index).flatMap((index) => {
    const [before, after] = [recorded[index], found[index]]
    const named = before ?? after
    if (named === undefined) return []
    const where = nameOf(index, named)
    if (before === undefined || after === undefined) {
      const what = before === undefined ? "the client sends more than was recorded" : "the client does not send it"
      return [{ kind: "breaking" as const, where, what }]
    }
    return [
      ...between(`${where}: note`, "breaking", before.note, after.note),
      // Only a response can change additively.
      ...between(`${where}: request`, "breaking", before.request, after.request),
      ...between(`${where}: response`, "additive", before.response, after.response)
    ]
  })

const section = (title: string, all: ReadonlyArray<Difference>) =>
  all.length === 0 ? [] : [title, ...all.map(({ what, where }) => `  ${where}: ${what}`)]

/** Formats the differences with what to do about them. */
export const report = (name: string, all: ReadonlyArray<Difference>): string =>
  [
    `The wire differs from test/golden/transcripts/${name}.json.`,
    ...section(
      "Breaking (fix it, or name the correction in the commit message):",
      all.filter(({ kind }) => kind === "breaking")
    ),
    ...section(
      "Additive (allowed, once it is recorded):",
      all.filter(({ kind }) => kind === "additive")
    ),
    "To record it: pnpm --filter @geoswap/server golden:update"
  ].join("\n")
