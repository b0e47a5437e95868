/** Hostile responses from a seed. The same seed creates the same response. */
import type { SeededRandom } from "../../../tooling/testing/seededRandom.ts"
import type { HttpResponse } from "../src/Transport.js"

/** A JSON syntax tree, which allows duplicate keys and huge numbers. */
type Tree =
  | { readonly kind: "leaf"; readonly text: string }
  | { readonly kind: "list"; readonly items: ReadonlyArray<Tree> }
  | { readonly kind: "record"; readonly entries: ReadonlyArray<readonly [key: string, value: Tree]> }

const leaf = (text: string): Tree => ({ kind: "leaf", text })

const treeOf = (value: unknown): Tree => {
  if (Array.isArray(value)) return { kind: "list", items: value.map(treeOf) }
  if (typeof value !== "object" || value === null) return leaf(JSON.stringify(value))
  return { kind: "record", entries: Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]) }
}

const write = (tree: Tree): string => {
  if (tree.kind === "leaf") return tree.text
  if (tree.kind === "list") return `[${tree.items.map(write).join(",")}]`
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(",")}}`
}

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

const texts = [
  "",
  " ",
  "0",
  "-1",
  "1.5",
  "NaN",
  "Infinity",
  "-Infinity",
  "null",
  "true",
  "0x",
  "0xg",
  "0x1",
  `0x${"ab".repeat(20)}`,
  `0x${"AB".repeat(32)}`,
  `0x${"f".repeat(4096)}`,
  "9".repeat(78),
  `${2n ** 256n}`,
  `${2n ** 256n - 1n}`,
  "9007199254740993",
  "1e400",
  "5%",
  "2026-01-01T00:00:30.000Z",
  "2026-99-99T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
  "AQID",
  "====",
  "__proto__",
  "constructor",
  "toString",
  "pending",
  "settled",
  "SETTLED",
  "NEEDS_DELEGATION",
  "INVALID_AUTHORIZATION",
  "UNSUPPORTED_DELEGATION",
  "QUOTE_EXPIRED",
  "INVALID_TOKEN",
  "evm",
  "solana",
  "\ud800",
  "\udc00\ud800",
  "\u0000",
  "\u200b",
  "\u202e",
  "💥",
  "<html>",
  "a/../b?c#d",
  "%",
  "x".repeat(5_000)
]

const numbers = [
  "0",
  "-0",
  "1",
  "-1",
  "1.5",
  "1e400",
  "-1e400",
  "1e-400",
  "1e21",
  "9007199254740991",
  "9007199254740993",
  "8640000000000000",
  "8640000000000001",
  "99999999999",
  "1767225630",
  "1".repeat(400)
]

const shapes = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '{"amount":"5"}',
  '{"amount":{"amount":"5"}}',
  '{"amount":null}',
  '{"__proto__":null}',
  '{"__proto__":{"amount":"5"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1}',
  '{"length":-1}',
  '{"then":1}',
  '{"_tag":"Success","value":1}',
  '{"_tag":"Some"}'
]

const keys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "_tag",
  "retry",
  "name",
  "message",
  "cause",
  "stack",
  "code",
  "errorCode",
  "error",
  "title",
  "detail",
  "type",
  "requestId",
  "details",
  "amount",
  "address",
  "contractAddress",
  "nonce",
  "geoOp",
  "warnings",
  "feeDiscount",
  "minOutput",
  "swapId",
  "status",
  "chains",
  "tokens",
  "kind",
  "0",
  "-1",
  "",
  "\ud800",
  "length"
]

const leafOf = (random: SeededRandom): Tree => {
  const roll = random.below(100)
  if (roll < 45) return leaf(JSON.stringify(random.pick(texts)))
  if (roll < 70) return leaf(random.pick(numbers))
  if (roll < 99) return leaf(random.pick(shapes))
  const depth = random.pick([50, 6_000])
  return leaf(random.next() < 0.5 ? nested("[", "]", depth) : nested('{"a":', "}", depth))
}

const randomTree = (random: SeededRandom, depth: number): Tree => {
  const roll = depth === 0 ? 0 : random.below(10)
  if (roll < 4) return leafOf(random)
  const size = random.below(5)
  if (roll < 6) return { kind: "list", items: Array.from({ length: size }, () => randomTree(random, depth - 1)) }
  const entries = Array.from({ length: size }, () => [random.pick(keys), randomTree(random, depth - 1)] as const)
  return { kind: "record", entries }
}

/** The tree with one random change. */
const mutate = (tree: Tree, random: SeededRandom): Tree => {
  // Descend more often than not, so that every depth is covered.
  const children = tree.kind === "list" ? tree.items.length : tree.kind === "record" ? tree.entries.length : 0
  if (children > 0 && random.next() < 0.6) {
    const at = random.below(children)
    if (tree.kind === "list")
      return { ...tree, items: tree.items.map((item, i) => (i === at ? mutate(item, random) : item)) }
    if (tree.kind === "record") {
      return {
        ...tree,
        entries: tree.entries.map(([key, value], i) => [key, i === at ? mutate(value, random) : value])
      }
    }
  }
  if (tree.kind === "record" && random.next() < 0.8) {
    const at = random.below(Math.max(1, tree.entries.length))
    const [key, value] = tree.entries[at] ?? ["", leaf("1")]
    const others = tree.entries.filter((_, i) => i !== at)
    return {
      kind: "record",
      entries: random.pick([
        () => others,
        () => [...tree.entries, [key, leafOf(random)] as const],
        () => [[key, leafOf(random)] as const, ...tree.entries],
        () => [...others, [random.pick(keys), value] as const],
        () => [...tree.entries, [random.pick(keys), randomTree(random, 2)] as const],
        () => [...others, [key, leafOf(random)] as const]
      ])()
    }
  }
  return random.pick<() => Tree>([
    () => leafOf(random),
    () => leafOf(random),
    () => randomTree(random, 3),
    () => ({ kind: "list", items: [tree] }),
    () => ({ kind: "list", items: [tree, tree, leafOf(random)] }),
    () => ({ kind: "record", entries: [[random.pick(keys), tree]] }),
    // The same value with another type: as a string, or the content of a string.
    () => leaf(JSON.stringify(write(tree).slice(0, 5_000))),
    () => leaf(tree.kind === "leaf" && tree.text.startsWith('"') ? tree.text.slice(1, -1) || "0" : write(tree))
  ])()
}

/** Strings that have broken clients before. */
const poison = ["\ud800", "\udfff\ud800", "__proto__", "..", "a/../b?c#d", "%", "\u0000", "💥", " ", "x".repeat(5_000)]

/** The tree with one replaced string, which keeps most responses valid. */
const reword = (tree: Tree, random: SeededRandom): Tree => {
  if (tree.kind === "leaf") return tree.text.startsWith('"') ? leaf(JSON.stringify(random.pick(poison))) : tree
  if (tree.kind === "list") return { ...tree, items: tree.items.map((item) => reword(item, random)) }
  const at = random.below(tree.entries.length)
  return { ...tree, entries: tree.entries.map(([key, value], i) => [key, i === at ? reword(value, random) : value]) }
}

/** The tree with an additional field, which a lenient client keeps. */
const graft = (tree: Tree, random: SeededRandom): Tree => {
  const depth = random.pick([50, 4_000])
  const value = random.next() < 0.2 ? leaf(nested('{"a":[', "]}", depth)) : randomTree(random, 3)
  return tree.kind === "record" ? { ...tree, entries: [...tree.entries, [random.pick(keys), value]] } : value
}

/** Damages JSON, or almost damages it. */
const spoil = (text: string, random: SeededRandom): string =>
  random.pick([
    () => text.slice(0, random.below(text.length + 1)),
    () => text.slice(random.below(text.length + 1)),
    () => `\ufeff${text}`,
    () => text + text,
    () => `${text},`,
    () => `)]}'\n${text}`,
    () => text.replaceAll('"', "'"),
    () => text.replace(":", "="),
    () => `<html><body>${text}</body></html>`,
    () => {
      const at = random.below(text.length + 1)
      return `${text.slice(0, at)}${random.pick(["\u0000", "\\", '"', "}", "]", ",", "\ud800", "\\u00", "NaN"])}${text.slice(at)}`
    },
    () => random.pick(["", " ", "undefined", "NaN", "-", "{", "[", '"', "\u0000", "Bad Gateway"])
  ])()

const headerValues = [
  "",
  " ",
  "0",
  "1",
  "30",
  "-1",
  "1.5",
  "1e9",
  "NaN",
  "Infinity",
  "999999999",
  "9".repeat(40),
  "Thu, 01 Jan 1970 00:00:10 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "yesterday",
  '"default";r=0;t=5',
  "limit=1, remaining=0, reset=7",
  "t=",
  "x".repeat(3_000),
  "\u0000"
]
const headerNames = ["retry-after", "date", "ratelimit", "ratelimit-reset", "x-request-id", "content-type", "__proto__"]
const statuses = [
  200, 201, 204, 299, 301, 304, 400, 401, 402, 403, 404, 408, 409, 410, 418, 422, 425, 429, 500, 502, 503, 504
]

/** A hostile version of a response: another status, headers or body. */
export const hostile = (answer: HttpResponse, random: SeededRandom): HttpResponse => {
  const roll = random.below(100)
  const status = roll < 65 ? answer.status : roll < 95 ? random.pick(statuses) : 200 + random.below(400)
  const headers = Object.fromEntries(
    Array.from({ length: random.next() < 0.4 ? random.below(4) : 0 }, () => [
      random.pick(headerNames),
      random.pick(headerValues)
    ])
  )
  const parsed: unknown = JSON.parse(answer.body)
  let tree = treeOf(parsed)
  const kind = random.below(100)
  if (kind < 10) tree = randomTree(random, 4)
  else if (kind < 30) tree = reword(tree, random)
  else if (kind < 45) tree = graft(tree, random)
  else for (let changes = 1 + random.below(3); changes > 0; changes--) tree = mutate(tree, random)
  const body = write(tree)
  return { status, headers: { ...answer.headers, ...headers }, body: kind >= 90 ? spoil(body, random) : body }
}

/** Smaller versions of a response, the smallest first. */
const smaller = (answer: HttpResponse): ReadonlyArray<HttpResponse> => {
  const { body, headers } = answer
  const withBody = (text: string) => ({ ...answer, body: text })
  const without = (key: string) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== key))
  })
  const cuts: Array<string> = []
  for (let size = body.length >> 1; size >= 1 && cuts.length < 2_000; size >>= 1) {
    for (let at = 0; at + size <= body.length && cuts.length < 2_000; at += size) {
      cuts.push(body.slice(0, at) + body.slice(at + size))
    }
  }
  let tree: Tree | undefined
  try {
    tree = treeOf(JSON.parse(body))
  } catch {
    tree = undefined
  }
  const pruned = tree === undefined ? [] : prune(tree).map(write)
  return [
    ...Object.keys(headers).map(without),
    ...(answer.status === 200 ? [] : [{ ...answer, status: 200 }]),
    ...[...pruned, ...cuts].filter((text) => text.length < body.length).map(withBody)
  ]
}

/** The trees without one branch, or with one branch cut to a leaf. */
function prune(tree: Tree): ReadonlyArray<Tree> {
  if (tree.kind === "leaf") return tree.text.length > 4 ? [leaf("null"), leaf("1"), leaf('"1"')] : []
  if (tree.kind === "list") {
    return tree.items.flatMap((item, at): ReadonlyArray<Tree> => [
      { kind: "list", items: tree.items.filter((_, i) => i !== at) },
      ...prune(item).map((less): Tree => ({ kind: "list", items: tree.items.with(at, less) }))
    ])
  }
  return tree.entries.flatMap(([key, value], at): ReadonlyArray<Tree> => [
    { kind: "record", entries: tree.entries.filter((_, i) => i !== at) },
    ...prune(value).map((less): Tree => ({ kind: "record", entries: tree.entries.with(at, [key, less]) }))
  ])
}

/** The smallest response that still fails. */
export const shrink = (answer: HttpResponse, isBad: (answer: HttpResponse) => boolean): HttpResponse => {
  for (let least = answer, rounds = 0; ; rounds++) {
    const less = rounds < 200 ? smaller(least).find(isBad) : undefined
    if (less === undefined) return least
    least = less
  }
}

/** A response as a literal for a test. */
export const asLiteral = ({ status, headers, body }: HttpResponse): string => {
  const text = JSON.stringify(body)
  return `{ status: ${status}, headers: ${JSON.stringify(headers)}, body: ${text.length > 2_000 ? `${text.slice(0, 2_000)}… (${body.length} characters)` : text} }`
}
