/** Replaces the values of an exchange that differ by run. A value that appears again gets the same placeholder. */
import type { Json } from "./transcripts.js"

/** Formats of volatile strings. The first that matches is the type of the placeholder. */
const shapes: ReadonlyArray<readonly [type: string, pattern: RegExp]> = [
  ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ["iso8601", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ["hex32", /^0x[0-9a-f]{64}$/],
  ["hex65", /^0x[0-9a-f]{130}$/],
  // Addresses with leading zeros are constants of the tests and are kept.
  ["evmAddress", /^0x(?!00000000)[0-9a-fA-F]{40}$/],
  // Base58 of 32 and of 64 bytes. The native token, all ones, is kept.
  ["solanaAddress", /^(?!1{32}$)[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ["solanaSignature", /^[1-9A-HJ-NP-Za-km-z]{80,90}$/]
]

type Rule = readonly [placeholder: string, fits: (value: Json) => boolean]

const digits: Rule[1] = (value) => typeof value === "string" && /^(0|[1-9]\d*)$/.test(value)
const whole: Rule[1] = (value) => Number.isSafeInteger(value)
const parity: Rule = ["<parity>", (value) => value === 0 || value === 1]

/** Fields whose value depends on gas, time or a signature. Their values are not echoed, so they are not numbered. */
const fields: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["message", ["<message>", (value) => typeof value === "string" && value !== ""]],
  ["output", ["<amount>", digits]],
  ["minOutput", ["<amount>", digits]],
  ["networkCost", ["<amount>", digits]],
  ["minimum", ["<amount>", digits]],
  ["outputUsd", ["<usd>", (value) => typeof value === "string" && /^\d+\.\d\d$/.test(value)]],
  ["priceImpactBps", ["<bps>", (value) => typeof value === "number" && Number.isFinite(value)]],
  // In typed data, integers are strings.
  ["deadline", ["<unixSeconds>", (value) => whole(value) || digits(value)]],
  ["validBefore", ["<unixSeconds>", digits]],
  // In `geoOp`, where it is a string. The nonce of an authorization is a number and echoes `accountNonce`.
  ["nonce", ["<operationIndex>", digits]],
  ["yParity", parity],
  ["resetSeconds", ["<seconds>", whole]]
])

/** Objects with a chain, a token and an amount of the output. */
const outputs: ReadonlySet<string> = new Set(["quotedOutput", "output"])

/** Opaque values, recognized by their field. */
const opaque: ReadonlyMap<string, RegExp> = new Map([
  ["geoQuoteToken", /^[\w.-]{60,16384}$/],
  ["geoOpToken", /^[\w.-]{60,16384}$/],
  ["unsignedTransaction", /^[A-Za-z0-9+/]{200,}={0,2}$/],
  ["signedTransaction", /^[A-Za-z0-9+/]{200,}={0,2}$/]
])

/** The same EVM address in another case is the same value. */
const identityOf = (value: string) => (/^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value)

/** Paths with parameters. */
const parameters: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/^\/swap\/delegation\/([^/]+)\/([^/]+)$/, ["chainId", "walletAddress"]],
  [/^\/swap\/delegation-status\/([^/]+)$/, ["changeId"]],
  [/^\/swap\/status\/([^/]+)$/, ["swapId"]]
]

export interface Placeholders {
  /** Names a value, unless it already has a placeholder. */
  readonly name: (value: string, name: string) => void
  /** Replaces a value under that key, and all values inside it. */
  readonly of: (key: string, value: Json) => Json
  readonly ofPath: (path: string) => string
}

export const make = (): Placeholders => {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()

  const knownOf = (value: string): string | undefined => {
    const identity = identityOf(value)
    const found = known.get(identity)
    return found === undefined ? undefined : `<${found}${identity === value ? "" : " checksummed"}>`
  }

  const numbered = (label: string, value: string): string => {
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    known.set(identityOf(value), `${label}#${count}`)
    return knownOf(value) ?? label
  }

  const ofText = (key: string, value: string): string => {
    if (value.length > 20_000) return `<${value.length} characters>`
    const before = knownOf(value)
    if (before !== undefined) return before
    if (opaque.get(key)?.test(value) === true) return numbered(key, value)
    const [type] = shapes.find(([, pattern]) => pattern.test(value)) ?? []
    if (type === undefined) return value
    return type === "iso8601" ? `<${type}>` : numbered(`${type} ${key}`, value)
  }

  const of = (key: string, value: Json): Json => {
    const [placeholder, fits] = fields.get(key) ?? []
    if (placeholder !== undefined && fits?.(value) === true) return placeholder
    if (typeof value === "string") return ofText(key, value)
    if (Array.isArray(value)) return value.map((one: Json) => of(key, one))
    if (typeof value !== "object" || value === null) return value
    // The amount of an input is fixed by the test. The amount of an output depends on gas, as in a quote.
    const nameOf = (name: string) => (name === "amount" && outputs.has(key) ? "output" : name)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, of(nameOf(name), inner)]))
  }

  const ofPath = (path: string): string => {
    const [before = "", query] = path.split("?")
    const [pattern, names = []] = parameters.find(([pattern]) => pattern.test(before)) ?? []
    const values = pattern?.exec(before)?.slice(1) ?? []
    const segments = values.reduce((text, value, index) => {
      const name = names[index] ?? ""
      return text.replace(`/${value}`, `/${ofText(name, value)}`)
    }, before)
    if (query === undefined) return segments
    const pairs = query.split("&").map((pair) => {
      const [name = "", value] = pair.split("=")
      return value === undefined ? name : `${name}=${ofText(name, value)}`
    })
    return `${segments}?${pairs.join("&")}`
  }

  const name = (value: string, name: string): void => {
    const identity = identityOf(value)
    if (!known.has(identity)) known.set(identity, name)
  }

  return { name, of, ofPath }
}
