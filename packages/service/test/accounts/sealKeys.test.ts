import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { inspect } from "node:util"
import * as Seal from "../../src/accounts/Seal.js"

const binding: Seal.Binding = { family: "evm", account: "account-1" }

describe("seal keys", () => {
  const bytes = randomBytes(32)
  const text = bytes.toString("base64url")
  const parse = (keys: string) => Seal.parseKeys(Redacted.make(keys))

  it.effect("are parsed in order from one string", () =>
    Effect.gen(function* () {
      const other = randomBytes(32)
      const keys = yield* parse(` new_1:${text},\told-1:${other.toString("base64url")}\n`)
      expect(keys.map(({ key, kid }) => [kid, Buffer.from(Redacted.value(key)).toString("hex")])).toEqual([
        ["new_1", bytes.toString("hex")],
        ["old-1", other.toString("hex")]
      ])
    })
  )

  it.effect("are generated, each new and with a new name", () =>
    Effect.gen(function* () {
      const entries = yield* Effect.forEach(Array.from({ length: 50 }), () => Seal.generateKey)
      const keys = yield* parse(entries.join(","))
      expect(new Set(keys.map(({ key }) => Buffer.from(Redacted.value(key)).toString("hex"))).size).toBe(50)
      const seal = yield* Seal.make({ environment: "test", keys })
      expect(yield* seal.open("quote", binding, yield* seal.seal("quote", binding, "payload"))).toBe("payload")
    })
  )

  it.effect("are formatted for parsing, and redacted", () =>
    Effect.gen(function* () {
      const made = yield* Seal.makeKey("new_1")
      const written = Seal.formatKeys([made, ...(yield* parse(`old-1:${text}`))])
      expect(Redacted.value(written)).toMatch(new RegExp(`^new_1:[\\w-]{43},old-1:${text}$`))
      expect(yield* Seal.parseKeys(written)).toEqual([made, ...(yield* parse(`old-1:${text}`))])
      expect(inspect(written) + JSON.stringify(written)).not.toContain(text)
      expect(Redacted.value((yield* Seal.makeKey("new_1")).key)).not.toEqual(Redacted.value(made.key))
    })
  )

  const standard = Buffer.alloc(32, 0xff).toString("base64")
  const short = bytes.subarray(1).toString("base64url")
  const long = Buffer.concat([bytes, bytes]).toString("base64url")
  const wrong: ReadonlyArray<readonly [what: string, keys: string, words: string]> = [
    ["nothing", "", "No seal key is set"],
    ["nothing but space", " \n", "No seal key is set"],
    ["a key without a name", text, "Key 1 does not have the form"],
    ["an empty name", `:${text}`, "The name of key 1"],
    ["the name and the key the wrong way round", `${text}:k1`, "Key 1 is not 32 bytes"],
    ["a long name", `${"k".repeat(17)}:${text}`, "The name of key 1"],
    ["a dot in a name", `k.1:${text}`, "The name of key 1"],
    ["a name outside ASCII", `kä:${text}`, "The name of key 1"],
    ["two colons", `k1:${text}:x`, "Key 1 does not have the form"],
    ["a comma at the end", `k1:${text},`, "Key 2 does not have the form"],
    ["a short key", `k1:${short}`, "Key 1 is not 32 bytes"],
    ["a long key", `k1:${long}`, "Key 1 is not 32 bytes"],
    ["an empty key", "k1:", "Key 1 is not 32 bytes"],
    ["a key in hex", `k1:${bytes.toString("hex")}`, "Key 1 is not 32 bytes"],
    ["a padded key", `k1:${text}=`, "Key 1 is not 32 bytes"],
    ["a key in the other base64", `k1:${standard}`, "Key 1 is not 32 bytes"],
    ["the same name twice", `k1:${text},k2:${text},k1:${text}`, "Keys 1 and 3 have the same name"]
  ]
  it.effect.each(wrong)("are refused for %s, without repeating the input", ([, keys, words]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(parse(keys))
      expect(error).toBeInstanceOf(Seal.InvalidKeys)
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)].join("\n")
      expect(shown).toContain(words)
      for (const secret of [text, text.slice(0, 8), text.slice(-8), bytes.toString("hex"), standard.slice(0, 8)]) {
        expect(shown).not.toContain(secret)
      }
    })
  )

  it.effect("are validated if given as bytes", () =>
    Effect.gen(function* () {
      const key = Redacted.make(new Uint8Array(32))
      const lists = [[], [{ kid: "k", key: Redacted.make(new Uint8Array(16)) }], [{ kid: "k.1", key }]]
      for (const keys of [
        ...lists,
        [
          { kid: "k", key },
          { kid: "k", key }
        ]
      ]) {
        const layer = Seal.layer({ environment: "test", keys })
        expect(yield* Effect.flip(Effect.provide(Seal.Seal, layer))).toBeInstanceOf(Seal.InvalidKeys)
      }
    })
  )

  it.effect("are not visible in the values that hold them", () =>
    Effect.gen(function* () {
      const keys = yield* parse(`k1:${text}`)
      const seal = yield* Effect.provide(Seal.Seal, Seal.layer({ environment: "test", keys }))
      const error = yield* Effect.flip(seal.open("quote", binding, "gq1.k1.AAAA"))
      for (const held of [keys, seal, error]) {
        const shown = inspect(held, { depth: 20, showHidden: true }) + JSON.stringify(held)
        const forms = [text, bytes.toString("hex"), bytes.toString("base64"), [...bytes.subarray(0, 4)].join(", ")]
        for (const form of forms) expect(shown).not.toContain(form)
      }
    })
  )
})
