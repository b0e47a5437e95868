import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { inspect } from "node:util"
import { vi } from "vitest"
import * as Seal from "../../src/accounts/Seal.js"
import { isChosen, isWhole } from "../../../../tooling/testing/matrix.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const others = [...Array.from(alphabet), ".", "=", "+", "/", " ", "\n", "\r", "\t", "\0", "%", "ä", "\u{1f511}"]

const types = ["quote", "operation"] as const
const families = ["evm", "solana"] as const
const binding: Seal.Binding = { family: "evm", account: "account-1" }

const keyOf = (kid: string, byte: number): Seal.Key => ({ kid, key: Redacted.make(new Uint8Array(32).fill(byte)) })
const k1 = keyOf("k1", 1)
const k2 = keyOf("k2", 2)

const sealOf = (keys: ReadonlyArray<Seal.Key> = [k1], environment = "test") => Seal.make({ environment, keys })

const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  if (Exit.isSuccess(exit)) return "it opened"
  const [reason, ...more] = exit.cause.reasons
  return reason?._tag === "Fail" && more.length === 0 ? reason.error : Cause.pretty(exit.cause)
}

/** Returns the strings that are accepted although they must be refused. */
const notRefused = (seal: Seal.Seal, type: Seal.Type, texts: Iterable<string>, to = binding) =>
  Effect.map(
    Effect.forEach(
      [...texts],
      (text) => Effect.map(Effect.exit(seal.open(type, to, text)), (exit) => [text, exit] as const),
      {
        concurrency: 64
      }
    ),
    (results) => ({
      tried: results.length,
      accepted: results.flatMap(([text, exit]) => (failureOf(exit) instanceof Seal.InvalidToken ? [] : [text]))
    })
  )

describe.each(types)("a sealed %s", (type) => {
  // Three lengths, so that the last character holds six, four and two bits of the last byte.
  const payloads = ["{}", "{ }", "{  }"]

  it.effect("opens to what was sealed, as a string and as bytes", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      const texts = ["", "a", '{"amount":"10000000"}', "\ufeffwith a mark", "日本語 \u{1f511}", "x".repeat(9_000)]
      for (const text of texts) {
        for (const payload of [text, new TextEncoder().encode(text)]) {
          const token = yield* seal.seal(type, binding, payload)
          expect(yield* seal.open(type, binding, token)).toBe(text)
        }
      }
    })
  )

  it.effect("has the form of the protocol and reveals nothing of its contents", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      const token = yield* seal.seal(type, binding, "a secret route")
      const prefix = { quote: "gq1", operation: "go1" }[type]
      expect(token).toMatch(new RegExp(`^${prefix}\\.k1\\.[A-Za-z0-9_-]+$`))
      expect(Buffer.from(token.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain("secret")
    })
  )

  it.effect("is refused with any one character changed", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      for (const payload of payloads) {
        const token = yield* seal.seal(type, binding, payload)
        const changed = Array.from(token).flatMap((character, at) =>
          others
            .filter((other, index) => other !== character && isChosen(at, index, 12))
            .map((other) => `${token.slice(0, at)}${other}${token.slice(at + 1)}`)
        )
        const { accepted, tried } = yield* notRefused(seal, type, changed)
        expect(tried).toBeGreaterThanOrEqual(token.length * (isWhole ? 75 : 5))
        expect(accepted).toEqual([])
        expect(yield* seal.open(type, binding, token)).toBe(payload)
      }
    })
  )

  it.effect("is refused with any one character added, and when truncated at either end", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      for (const payload of payloads) {
        const token = yield* seal.seal(type, binding, payload)
        const added = Array.from({ length: token.length + 1 }, (_, at) =>
          others
            .filter((_, index) => isChosen(at, index, 12))
            .map((other) => `${token.slice(0, at)}${other}${token.slice(at)}`)
        ).flat()
        const cut = Array.from({ length: token.length }, (_, at) => [token.slice(0, at), token.slice(at + 1)]).flat()
        const removed = Array.from({ length: token.length }, (_, at) => token.slice(0, at) + token.slice(at + 1))
        const { accepted } = yield* notRefused(seal, type, [...added, ...cut, ...removed])
        expect(accepted).toEqual([])
      }
    })
  )

  it.effect("is refused in any other encoding of the same bytes", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      for (const payload of payloads) {
        // One whose bytes are written differently in the two alphabets.
        let token = yield* seal.seal(type, binding, payload)
        while (!/[-_]/.test(token.slice(7))) token = yield* seal.seal(type, binding, payload)
        const [prefix = "", kid = "", body = ""] = token.split(".")
        const bytes = Buffer.from(body, "base64url")
        const loose = Array.from(alphabet, (last) => body.slice(0, -1) + last).filter((other) =>
          Buffer.from(other, "base64url").equals(bytes)
        )
        expect(loose).toHaveLength({ 0: 1, 1: 16, 2: 4 }[bytes.length % 3] ?? 0)
        const bodies = [
          bytes.toString("base64"),
          bytes.toString("base64").replaceAll("=", ""),
          bytes.toString("hex"),
          ...["=", "==", "===", "A", "AA", "\n", "\r\n", " "].flatMap((more) => [body + more, more + body]),
          body.replace(/.{8}/, "$&\n"),
          encodeURIComponent(`${body}=`),
          ...loose.filter((other) => other !== body)
        ]
        const changed = bodies.map((other) => `${prefix}.${kid}.${other}`)
        const framed = [
          `${prefix.toUpperCase()}.${kid}.${body}`,
          `${prefix}.${kid.toUpperCase()}.${body}`,
          `${prefix}..${body}`,
          `.${kid}.${body}`,
          `${prefix}.${body}`,
          `${prefix}.${kid}.${body}.`,
          `.${token}`,
          `Bearer ${token}`,
          JSON.stringify(token),
          "",
          ".",
          "..",
          `${prefix}.${kid}.`
        ]
        const { accepted } = yield* notRefused(seal, type, [...changed, ...framed])
        expect(accepted).toEqual([])
      }
    })
  )

  it.effect("is refused if it is longer than 16 KiB, and none so long is made", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf([{ ...k1, kid: "k" }])
      const most = Math.floor((16 * 1024 - "gq1.k.".length) * 0.75) - 28
      const longest = yield* seal.seal(type, binding, "x".repeat(most))
      expect(longest.length).toBe(16 * 1024)
      expect(yield* seal.open(type, binding, longest)).toHaveLength(most)
      const exit = yield* Effect.exit(seal.seal(type, binding, "x".repeat(most + 1)))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)

      const key = Buffer.from(hkdfSync("sha256", Redacted.value(k1.key), "", type, 32))
      const tooLong = sealedElsewhere(type, key, binding, "x".repeat(most + 1), "k")
      expect(tooLong.length).toBeGreaterThan(16 * 1024)
      expect((yield* notRefused(seal, type, [tooLong, "g".repeat(50_000_000)])).accepted).toEqual([])
    })
  )
})

/** An independent implementation with Node's crypto. */
const sealedElsewhere = (
  type: Seal.Type,
  key: Buffer,
  { account, family }: Seal.Binding,
  payload: string,
  kid = "k1"
) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  cipher.setAAD(Buffer.from(JSON.stringify([type, family, kid, "test", account])))
  const sealed = Buffer.concat([nonce, cipher.update(payload), cipher.final(), cipher.getAuthTag()])
  return `${type === "quote" ? "gq1" : "go1"}.${kid}.${sealed.toString("base64url")}`
}

describe("Seal", () => {
  it.effect("uses AES-256-GCM with a key per type by HKDF-SHA-256, as an independent implementation does", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      for (const type of types) {
        const key = Buffer.from(hkdfSync("sha256", Redacted.value(k1.key), "", type, 32))
        expect(yield* seal.open(type, binding, sealedElsewhere(type, key, binding, "payload"))).toBe("payload")

        const token = yield* seal.seal(type, binding, "payload")
        const bytes = Buffer.from(token.split(".")[2] ?? "", "base64url")
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
        decipher.setAAD(Buffer.from(JSON.stringify([type, "evm", "k1", "test", "account-1"])))
        decipher.setAuthTag(bytes.subarray(-16))
        expect(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()).toBe("payload")
      }
    })
  )

  it.effect("refuses a payload that is not UTF-8", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      const token = yield* seal.seal("quote", binding, Uint8Array.of(0xff, 0xfe))
      expect((yield* notRefused(seal, "quote", [token])).accepted).toEqual([])
    })
  )

  it.effect("opens a token only for its type, family, account, environment and key", () =>
    Effect.gen(function* () {
      // Two pairs that are equal if their strings are concatenated.
      const accounts = ["a", "b", "", 'a","b', 'test","a', "A", "\ud800", "\ufffd"]
      const environments = ["test", "testa", "", 'test","a']
      const rings = { k1: [k1], k2: [k2], "k1 with the key of k2": [{ ...k2, kid: "k1" }] }
      const cases = Object.keys(rings).flatMap((ring) =>
        environments.flatMap((environment) =>
          types.flatMap((type) =>
            families.flatMap((family) => accounts.map((account) => ({ ring, environment, type, family, account })))
          )
        )
      )
      const seals = new Map<string, Seal.Seal>()
      for (const [ring, keys] of Object.entries(rings)) {
        for (const environment of environments) {
          seals.set(JSON.stringify([ring, environment]), yield* sealOf(keys, environment))
        }
      }
      const sealFor = ({ environment, ring }: (typeof cases)[number]) => {
        const seal = seals.get(JSON.stringify([ring, environment]))
        return seal ?? expect.fail("no such seal")
      }
      for (const sealed of cases.filter((_, index) => index % (isWhole ? 7 : 29) === 0)) {
        const token = yield* sealFor(sealed).seal(sealed.type, sealed, "payload")
        const opened = yield* Effect.filter(cases, (to) =>
          Effect.map(Effect.exit(sealFor(to).open(to.type, to, token)), Exit.isSuccess)
        )
        expect(opened).toEqual([sealed])
      }
    })
  )

  it.effect("refuses tokens that are combined from others", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf([k1, k2])
      const older = yield* sealOf([k2])
      const quote = yield* seal.seal("quote", binding, "payload")
      const operation = yield* seal.seal("operation", binding, "payload")
      const other = yield* seal.seal("quote", binding, "another")
      const underK2 = yield* older.seal("quote", binding, "payload")
      const body = (token: string) => token.slice(7)
      const mixed = [
        operation,
        `gq1.k1.${body(operation)}`,
        `gq1.k2.${body(quote)}`,
        `gq1.k1.${body(underK2)}`,
        `gq1.k3.${body(quote)}`,
        `gq1.__proto__.${body(quote)}`,
        `gq1.constructor.${body(quote)}`,
        // The nonce of one and the rest of the other.
        `gq1.k1.${body(quote).slice(0, 16)}${body(other).slice(16)}`,
        `${quote}${body(other)}`
      ]
      expect((yield* notRefused(seal, "quote", mixed)).accepted).toEqual([])
      expect(yield* seal.open("quote", binding, underK2)).toBe("payload")
      const swapped = [quote, `go1.k1.${body(quote)}`]
      expect((yield* notRefused(seal, "operation", swapped)).accepted).toEqual([])
    })
  )

  it.effect("never reuses a nonce", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf()
      const tokens = yield* Effect.forEach(
        Array.from({ length: 1_000 }),
        () => seal.seal("quote", binding, "the same"),
        { concurrency: 64 }
      )
      expect(new Set(tokens).size).toBe(1_000)
      expect(new Set(tokens.map((token) => token.slice(7, 23))).size).toBe(1_000)
    })
  )

  it.effect("accepts tokens while keys rotate, and refuses them once their key is removed", () =>
    Effect.gen(function* () {
      const before = yield* sealOf([k1])
      const during = yield* sealOf([k2, k1])
      const after = yield* sealOf([k2])
      for (const type of types) {
        const old = yield* before.seal(type, binding, "old")
        expect(yield* during.open(type, binding, old)).toBe("old")
        expect((yield* notRefused(after, type, [old])).accepted).toEqual([])

        const fresh = yield* during.seal(type, binding, "fresh")
        expect(fresh.split(".")[1]).toBe("k2")
        expect(yield* during.open(type, binding, fresh)).toBe("fresh")
        expect(yield* after.open(type, binding, fresh)).toBe("fresh")
        expect((yield* notRefused(before, type, [fresh])).accepted).toEqual([])
      }
    })
  )

  it.effect("derives its keys once", () =>
    Effect.gen(function* () {
      const derive = vi.spyOn(crypto.subtle, "deriveKey")
      const bring = vi.spyOn(crypto.subtle, "importKey")
      const seal = yield* sealOf([k1, k2])
      for (let count = 0; count < 20; count++) {
        yield* seal.open("operation", binding, yield* seal.seal("operation", binding, "payload"))
      }
      expect([derive.mock.calls.length, bring.mock.calls.length]).toEqual([4, 4])
      derive.mockRestore()
      bring.mockRestore()
    })
  )

  it.effect("reports every failure with the same message", () =>
    Effect.gen(function* () {
      const seal = yield* sealOf([k1])
      const token = yield* seal.seal("quote", binding, "payload")
      const binary = yield* seal.seal("quote", binding, Uint8Array.of(0xff))
      const last = token.endsWith("A") ? "B" : "A"
      const wrong = ["", "x".repeat(20_000), `${token}=`, token.slice(0, -1) + last, token.replace("k1", "k9"), binary]
      const shown = yield* Effect.forEach(wrong, (text) =>
        Effect.map(Effect.flip(seal.open("quote", binding, text)), (error) =>
          [error.message, error.stack, inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)].join()
        )
      )
      expect(new Set(shown).size).toBe(1)
      expect(shown[0]).toContain("Send it exactly as the previous call returned it")
    })
  )
})
