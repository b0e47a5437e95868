/** Finds secret numbers, or half of one, in everything that a log, a console or an error report shows. */
import { inspect } from "node:util"
import * as Base58 from "ox/Base58"

export const hexOf = (value: bigint): string => value.toString(16).padStart(64, "0")

/** A number in every encoding. */
export const written = (value: bigint): ReadonlyArray<string> => {
  const hex = hexOf(value)
  const bytes = Buffer.from(hex, "hex")
  const pairs = hex.match(/../g) ?? []
  return [
    hex,
    `0x${hex.toUpperCase()}`,
    value.toString(),
    bytes.toString("base64"),
    Base58.fromHex(`0x${hex}`),
    bytes.join(","),
    bytes.join(", "),
    pairs.join(":"),
    pairs.join(" "),
    pairs.map((pair) => `0x${pair}`).join(", ")
  ]
}
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part))

/** Everything that a log, a console or an error report could show of a value. */
export const shown = (value: unknown): string => {
  const seen = new Set<unknown>()
  const texts: Array<string> = [inspect(value, { depth: null, showHidden: true, getters: true, breakLength: Infinity })]
  const attempt = (text: () => string | undefined) => {
    try {
      texts.push(text() ?? "")
    } catch {
      // A value that cannot be converted to a string is not shown.
    }
  }
  const visit = (part: unknown, depth: number): void => {
    if (seen.has(part) || depth === 12) return
    seen.add(part)
    attempt(() => String(part))
    if ((typeof part !== "object" && typeof part !== "function") || part === null) return
    if (part instanceof Error || "toJSON" in part) attempt(() => jsonOf(part))
    for (const key of Reflect.ownKeys(part)) attempt(() => (visit(Reflect.get(part, key), depth + 1), ""))
  }
  visit(value, 0)
  attempt(() => jsonOf(value))
  return texts.join("\n").toLowerCase()
}

/** Every substring of that length. */
const windows = (text: string, length: number): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) => text.slice(start, start + length))

/** Makes a scanner for these numbers. `secrets` are the encodings of whole numbers. */
export const canaryOf = (numbers: ReadonlyArray<bigint>) => {
  // The end of base64 depends on the bytes that follow.
  const secrets = numbers.flatMap(written).map((text) => (text.endsWith("=") ? text.slice(0, 40) : text).toLowerCase())
  /** Half of a number is a leak too: 16 consecutive bytes, or 20 characters of base64, base58 or digits. */
  const halves = {
    hex: new Set(numbers.flatMap((value) => windows(hexOf(value), 32))),
    text: new Set(
      numbers
        .flatMap((value) => [
          ...windows(Buffer.from(hexOf(value), "hex").toString("base64").slice(0, 42), 20),
          ...windows(Base58.fromHex(`0x${hexOf(value)}`), 20),
          ...windows(value.toString(), 20)
        ])
        .map((text) => text.toLowerCase())
    ),
    bytes: numbers.flatMap((value) =>
      Array.from({ length: 17 }, (_, start) =>
        Buffer.from(hexOf(value), "hex")
          .subarray(start, start + 16)
          .join(",")
      )
    )
  }

  const leaksIn = (value: unknown): ReadonlyArray<string> => {
    const text = shown(value)
    // Removes separators between bytes, and array indices.
    const squeezed = text.replaceAll(/0x|[\s:,"-]+/g, "")
    const listed = text.replaceAll(/"?\d+"?:\s*(?=\d)/g, "").replaceAll(/\s+/g, "")
    const found = (runs: RegExp, among: string, length: number, known: ReadonlySet<string>) =>
      (among.match(runs) ?? []).flatMap((run) => windows(run, length)).filter((part) => known.has(part))
    return [
      ...secrets.filter((secret) => text.includes(secret)),
      ...found(/[\da-f]{32,}/g, squeezed, 32, halves.hex),
      ...found(/[\w+/-]{20,}/g, text, 20, halves.text),
      ...halves.bytes.filter((part) => listed.includes(part))
    ]
  }
  return { leaksIn, secrets }
}
