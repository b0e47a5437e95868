/**
 * Every modified token is refused with the same error.
 *
 * `FUZZ_RUNS` sets the number of runs, `FUZZ_SEED` the seed, and `FUZZ_CASE` a single case to repeat.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import {
  casesOf,
  isWhole,
  repeat,
  runs,
  seed,
  type SeededRandom,
  seededRandom
} from "../../../../tooling/testing/seededRandom.ts"
import * as Seal from "../../src/accounts/Seal.js"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const strange = [".", "=", "+", "/", " ", "\n", "\r", "\0", "%3D", "\u{1f511}", "\ud800", "ſ", "K"]

const types = ["quote", "operation"] as const
const families = ["evm", "solana"] as const
const accounts = ["a", "b", "ab"]

const key = (kid: string, byte: number): Seal.Key => ({ kid, key: Redacted.make(new Uint8Array(32).fill(byte)) })
const sealsOf = Effect.all([
  Seal.make({ environment: "one", keys: [key("k1", 1), key("k2", 2)] }),
  Seal.make({ environment: "one", keys: [key("k2", 2), key("k3", 3)] }),
  Seal.make({ environment: "two", keys: [key("k1", 1), key("k2", 2)] })
])
/** The tokens that each key opens. */
const openers: ReadonlyArray<ReadonlyArray<number>> = [[0], [0, 1], [2]]

const spot = (text: string, random: SeededRandom): number => random.below(text.length + 1)
const piece = (text: string, random: SeededRandom): string => {
  const [from, to] = [spot(text, random), spot(text, random)]
  return text.slice(Math.min(from, to), Math.max(from, to))
}
const splice = (text: string, at: number, remove: number, insert: string): string =>
  text.slice(0, at) + insert + text.slice(at + remove)

/** The bytes of the body, changed and encoded canonically. */
const onBytes = (text: string, change: (bytes: Buffer) => Uint8Array): string => {
  const [prefix, kid, body = ""] = text.split(".")
  return [prefix, kid, Buffer.from(change(Buffer.from(body, "base64url"))).toString("base64url")].join(".")
}

const changes: Readonly<Record<string, (text: string, other: string, random: SeededRandom) => string>> = {
  "another character": (text, _, random) =>
    splice(text, random.below(text.length), 1, random.pick(Array.from(alphabet))),
  "a strange character": (text, _, random) => splice(text, spot(text, random), random.below(2), random.pick(strange)),
  "a piece less": (text, _, random) => text.replace(piece(text, random), ""),
  "a piece twice": (text, _, random) => splice(text, spot(text, random), 0, piece(text, random)),
  "a piece of another": (text, other, random) => {
    const at = random.below(text.length)
    const length = 1 + random.below(text.length - at)
    return splice(text, at, length, other.slice(at, at + length))
  },
  "two characters swapped": (text, _, random) => {
    const at = random.below(text.length - 1)
    return splice(text, at, 2, `${text.charAt(at + 1)}${text.charAt(at)}`)
  },
  "the other case": (text, _, random) => {
    const at = random.below(text.length)
    const character = text.charAt(at)
    return splice(
      text,
      at,
      1,
      character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase()
    )
  },
  "another prefix": (text, _, random) => splice(text, 0, 3, random.pick(["gq1", "go1", "gq2", "GQ1", ""])),
  "another kid": (text, _, random) => splice(text, 4, 2, random.pick(["k1", "k2", "k3", "k4", "", "__proto__"])),
  "a bit of the bytes": (text, _, random) =>
    onBytes(text, (bytes) => {
      const at = random.below(bytes.length)
      return bytes.map((byte, index) => (index === at ? byte ^ (1 << random.below(8)) : byte))
    }),
  "bytes cut": (text, _, random) => onBytes(text, (bytes) => bytes.subarray(0, random.below(bytes.length))),
  "bytes added": (text, _, random) =>
    onBytes(text, (bytes) => Buffer.concat([bytes, random.bytes(1 + random.below(20))])),
  "random bytes": (text, _, random) => onBytes(text, () => random.bytes(random.below(100))),
  "the other base64": (text) => text.replaceAll("-", "+").replaceAll("_", "/"),
  padding: (text, _, random) => text + "=".repeat(1 + random.below(3))
}

describe(`fuzzing sealed tokens with seed ${seed}`, () => {
  it.effect(`opens none of ${runs} tokens that are not just what was sealed, for whom it was sealed`, () =>
    Effect.gen(function* () {
      const seals = yield* sealsOf
      const sealBy = (by: number): Seal.Seal => seals[by] ?? seals[0]
      const seen: Record<string, number> = {}
      let honest = 0
      for (const index of casesOf(runs)) {
        const random = seededRandom(seed, index)
        const anyone = () => ({
          type: random.pick(types),
          family: random.pick(families),
          account: random.pick(accounts)
        })
        const to = anyone()
        const payload = Buffer.from(random.bytes(random.below(60))).toString("base64")
        const made = [
          { by: 0, type: to.type },
          { by: random.below(3), type: random.pick(types) }
        ] as const
        const token = yield* sealBy(made[0].by).seal(made[0].type, to, payload)
        const other = yield* sealBy(made[1].by).seal(made[1].type, to, payload)

        const names = Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => random.pick(Object.keys(changes)))
        let text = token
        for (const name of names) text = changes[name]?.(text || token, other, random) ?? text
        const at = random.next() < 0.8 ? { ...to, by: 0 } : { ...anyone(), by: random.below(3) }

        const exit = yield* Effect.exit(sealBy(at.by).open(at.type, at, text))
        const source = text === token ? made[0] : text === other ? made[1] : undefined
        const good =
          source?.type === at.type &&
          to.family === at.family &&
          to.account === at.account &&
          openers[source.by]?.includes(at.by) === true
        const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
        const right = good
          ? Exit.isSuccess(exit) && exit.value === payload
          : reason?._tag === "Fail" && reason.error instanceof Seal.InvalidToken
        if (!right) {
          const found = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it opened"
          expect.fail(`${found}\n${JSON.stringify({ names, to, at, token, text })}\n${repeat(index)}`)
        }
        if (good) honest++
        else for (const name of names) seen[name] = (seen[name] ?? 0) + 1
      }
      // The run was meaningful: every change was tried, and valid tokens opened.
      if (!isWhole || runs < 500) return
      expect(Object.keys(seen).toSorted()).toEqual(Object.keys(changes).toSorted())
      expect(honest).toBeGreaterThan(runs / 20)
    })
  )
})
