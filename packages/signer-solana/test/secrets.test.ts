import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { SwapError } from "@geoswap/core"
import { createClient } from "@geoswap/core/promise"
import { Vectors } from "@geoswap/core/testing"
import { type Address, createKeyPairFromPrivateKeyBytes } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Tracer from "effect/Tracer"
import { SolanaSigner } from "../src/index.js"
import { signWire, type TestKey, walletKey } from "./keys.js"
import { neverAborted, rejection, thrown } from "./expectError.js"
import { against, agreed, bytesOf, stranger, textOf } from "./transactions.js"
import { base58, kinds, signerOf, standardWallet } from "./wallets.js"
import { isChosen } from "../../../tooling/testing/matrix.ts"

/** Everything that a console, a log or an error report could show of a value. */
const shown = (value: unknown): string => {
  const seen = new Set<unknown>()
  const texts: Array<string> = []
  const visit = (part: unknown): void => {
    if (seen.has(part)) return
    seen.add(part)
    // The first part is printed with everything in it, and the others one by one.
    texts.push(
      inspect(part, {
        depth: seen.size === 1 ? null : 0,
        showHidden: true,
        getters: true,
        maxArrayLength: null,
        breakLength: Infinity
      })
    )
    if (typeof part !== "bigint" && typeof part !== "symbol") {
      const json = JSON.stringify(part, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner))
      texts.push(json)
    }
    if ((typeof part !== "object" && typeof part !== "function") || part === null) return
    if (part instanceof Error) texts.push(part.message, part.stack ?? "", part.toString())
    for (const name of Reflect.ownKeys(part)) {
      const field = Object.getOwnPropertyDescriptor(part, name)
      if (field !== undefined && "value" in field) visit(field.value)
    }
  }
  visit(value)
  // Printed arrays have columns and line breaks, and strings in them have escapes.
  return texts
    .join("\n")
    .replaceAll(/(\s|\\n)+/g, " ")
    .toLowerCase()
}

const grouped = (text: string, size: number, separator: string) =>
  (text.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(separator)

/** The encodings of bytes. */
const formsOf = (bytes: Uint8Array): Readonly<Record<string, string>> => ({
  hex: Buffer.from(bytes).toString("hex"),
  "hex with 0x": `0x${Buffer.from(bytes).toString("hex")}`,
  "hex with colons": Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(":"),
  "hex in a list": Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", "),
  base58: base58(bytes),
  base64: Buffer.from(bytes).toString("base64"),
  "a list": bytes.join(","),
  "a list with blanks": bytes.join(", "),
  "a list with line breaks": bytes.join(",\n  "),
  "a printed array": inspect(bytes),
  "JSON of an array": JSON.stringify(bytes),
  "hex with \\x": Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  "hex with %": Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "hex in groups of 4": grouped(Buffer.from(bytes).toString("hex"), 4, " "),
  "hex in groups of 8": grouped(Buffer.from(bytes).toString("hex"), 8, "-"),
  "a list with semicolons": bytes.join(";"),
  "wrapped base64": grouped(Buffer.from(bytes).toString("base64"), 16, "\n"),
  "the first half in hex": Buffer.from(bytes.slice(0, bytes.length / 2)).toString("hex"),
  "the second half in base58": base58(bytes.slice(bytes.length / 2))
})

// A seed of different bytes, so that a part of it is found like the whole.
const seed = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 201) % 256)

/** Secrets that are strings, in every encoding. */
const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow".split(" ")
const textSecrets: Readonly<Record<string, string>> = {
  "a seed phrase": phrase.join(" "),
  "a seed phrase in capitals": phrase.join(" ").toUpperCase(),
  "a seed phrase as a list": phrase.join(", "),
  "a seed phrase as JSON": JSON.stringify(phrase),
  "a seed phrase with numbers": phrase.map((word, index) => `${index + 1}. ${word}`).join(" "),
  "a seed phrase in lines": phrase.join("\n"),
  "a key of a cloud": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
}

/** The parts of a secret that must not appear anywhere: long enough to identify it, in any encoding. */
const partsOf = (bytes: Uint8Array): ReadonlyArray<string> => {
  const half = bytes.length / 2
  return [bytes, bytes.slice(0, half), bytes.slice(half)].flatMap((part) => {
    const middle = part.slice(3, 15)
    return [
      Buffer.from(middle).toString("hex"),
      base58(part).slice(4, 18),
      Buffer.from(middle).toString("base64"),
      middle.join(),
      Array.from(middle, (byte, index) => `${index + 3},${byte}`).join()
    ].map((text) => text.toLowerCase())
  })
}

const key = walletKey()
/** The signature of every kind of wallet: Ed25519 is deterministic. */
const signature = key.sign(bytesOf(agreed.unsignedTransaction).slice(129))
const secrets = [...[seed, key.seed, signature].flatMap(partsOf), "sausage worth useful", "k7mdeng/bpxrficy"]

const leaks = (value: unknown): ReadonlyArray<string> => {
  const text = shown(value)
  const ways = [
    text,
    // Digits without separators, numbers separated by commas, words separated by spaces.
    text.replaceAll(/\\+[xn]|0x|[^a-z0-9+/]/g, ""),
    text.replaceAll(/[^0-9]+/g, ","),
    text.replaceAll(/[^a-z]+/g, " ")
  ]
  return secrets.filter((secret) => ways.some((way) => way.includes(secret)))
}

/** Everything that is logged and traced while an effect runs, including the exits of spans. */
const observed = async <A, E>(effect: Effect.Effect<A, E>) => {
  const seen: Array<unknown> = []
  const logger = Logger.make(({ cause, message }) => void seen.push(message, cause))
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      // The whole span, which has its exit when the effect ends.
      seen.push(span.name, span)
      return span
    }
  })
  const program = Effect.tapCause(effect, (cause) => Effect.logError("it failed", cause))
  const exit = await Effect.runPromiseExit(
    program.pipe(Effect.withTracer(tracer), Effect.provide(Logger.layer([logger])))
  )
  return { exit, seen }
}

describe("the scanner for secrets", () => {
  it.each(Object.entries({ ...formsOf(signature), ...textSecrets }))("finds a secret as %s", (_, text) => {
    expect(leaks(new Error(`could not use ${text}`)).length).toBeGreaterThan(0)
    expect(leaks({ deep: [{ error: new Error("outer", { cause: { text } }) }] }).length).toBeGreaterThan(0)
  })

  it("finds bytes, hidden properties and a signed transaction", () => {
    expect(leaks({ seed }).length).toBeGreaterThan(0)
    expect(leaks(Object.defineProperty({}, "seed", { value: seed, enumerable: false })).length).toBeGreaterThan(0)
    expect(leaks(bytesOf(textOf(signWire(key, bytesOf(agreed.unsignedTransaction))))).length).toBeGreaterThan(0)
  })

  it("finds logged secrets", async () => {
    const { seen } = await observed(Effect.fail(new Error(base58(signature))))
    expect(leaks(seen).length).toBeGreaterThan(0)
  })

  const secret = base58(signature)
  it.each<[string, Effect.Effect<unknown, unknown>]>([
    ["name", Effect.withSpan(Effect.void, secret)],
    ["attributes", Effect.withSpan(Effect.void, "span", { attributes: { secret } })],
    ["later attributes", Effect.withSpan(Effect.annotateCurrentSpan("secret", secret), "span")],
    ["failure", Effect.ignore(Effect.withSpan(Effect.fail({ secret }), "span"))],
    ["defect", Effect.catchDefect(Effect.withSpan(Effect.die(new Error(secret)), "span"), () => Effect.void)],
    ["result", Effect.asVoid(Effect.withSpan(Effect.succeed({ secret }), "span"))],
    ["inner span", Effect.withSpan(Effect.asVoid(Effect.withSpan(Effect.succeed(secret), "inner")), "outer")]
  ])("finds the %s of a span", async (_, effect) => {
    const { seen } = await observed(effect)
    expect(leaks(seen).length).toBeGreaterThan(0)
  })

  it("finds nothing in a span without secrets", async () => {
    const { seen } = await observed(Effect.withSpan(Effect.void, "span"))
    expect(seen.length).toBeGreaterThan(0)
    expect(leaks(seen)).toStrictEqual([])
  })
})

describe.each(kinds)("$name", ({ layer, make }) => {
  it("shows no secret when its signer, client, layer or effects are printed", async () => {
    const signer = await make(key)
    expect(leaks(signer)).toStrictEqual([])
    expect(
      leaks(createClient({ transport: { send: () => Promise.reject(new Error()) }, signers: { solana: signer } }))
    ).toStrictEqual([])
    const layered = await layer(key)
    expect(leaks(layered)).toStrictEqual([])
    const inEffects = await signerOf(layered)
    expect(leaks(inEffects)).toStrictEqual([])
    expect(leaks(inEffects.signTransaction(agreed))).toStrictEqual([])
    expect(Object.keys(signer)).toStrictEqual(["address", "verifyTransaction", "signTransaction"])
  })

  it("shows, logs and traces no secret after signing", async () => {
    const signer = await signerOf(await layer(key))
    const { exit, seen } = await observed(signer.signTransaction(agreed))
    expect(exit._tag).toBe("Success")
    expect(leaks(signer)).toStrictEqual([])
    expect(leaks(seen)).toStrictEqual([])
  })

  it("shows no secret in a refusal", async () => {
    const signer = await signerOf(await layer(key))
    const lie = against(agreed.unsignedTransaction, { request: { amount: 1n } })
    const { exit, seen } = await observed(signer.signTransaction(lie))
    expect(exit._tag).toBe("Failure")
    expect(leaks([exit, seen])).toStrictEqual([])
  })
})

/** Thrown values with a secret in messages, properties, causes, JSON, and in values that are not errors. */
const throwing: Readonly<Record<string, (secret: string, bytes: Uint8Array) => unknown>> = {
  "an error whose message contains it": (secret) => new Error(`signing with ${secret} failed`),
  "an error whose message is the secret": (secret) => new Error(secret),
  "an error whose cause has a message that contains it": (secret) =>
    new Error("failed", { cause: new Error(`key ${secret}`) }),
  "an error whose cause contains it": (secret, bytes) => new Error("failed", { cause: { secret, bytes } }),
  "an error with properties that contain it": (secret, bytes) =>
    Object.assign(new Error("failed"), { secret, bytes, config: { data: secret }, toJSON: () => ({ secret }) }),
  "a group of errors that contain it": (secret) => new AggregateError([new Error(secret)], `all failed: ${secret}`),
  "an object that contains it": (secret, bytes) => ({
    message: `no: ${secret}`,
    shortMessage: secret,
    data: { bytes }
  }),
  "a string that contains it": (secret) => `failed with ${secret}`,
  "a SwapError that contains it": (secret, bytes) =>
    new SwapError.SignerError({ reason: "failed", message: `oh ${secret}`, cause: { secret, bytes } }),
  "a refusal of core that contains it": (secret) =>
    new SwapError.UnsafeOperation({ field: secret, expected: secret, found: secret, message: secret }),
  "something that passes for an error of ours": (secret, bytes) =>
    Object.assign(new Error(secret), { _tag: "SignerError", retry: "never", reason: "failed", bytes })
}

/** Wallets of every kind that throw. */
const failing: Readonly<Record<string, (fail: () => Promise<never>) => Parameters<typeof signerOf>[0]>> = {
  "a partial kit signer": (fail) =>
    SolanaSigner.layerKitSigner({ address: key.address as Address, signTransactions: fail }),
  "a modifying kit signer": (fail) =>
    SolanaSigner.layerKitSigner({ address: key.address as Address, modifyAndSignTransactions: fail }),
  "a key service": (fail) => SolanaSigner.layerKeyService({ address: key.address, signMessage: fail }),
  "a remote signer": (fail) => SolanaSigner.layerKeyService({ address: key.address, signTransaction: fail }),
  "a Wallet Standard wallet": (fail) => {
    const wallet = standardWallet(key)
    const feature = { ...wallet.features["solana:signTransaction"], signTransaction: fail }
    return SolanaSigner.layerWalletStandard({ ...wallet, features: { "solana:signTransaction": feature } })
  }
}

const wallets = Object.entries(failing).map(([name, wallet], row) => ({ name, wallet, row }))

const problems = Object.entries(throwing).map(([what, problem], turn) => ({ what, problem, turn }))

// By default, every error contains every second form of a secret with one of the wallets. The errors take turns.
describe.each(wallets)("$name that throws", ({ row, wallet }) => {
  it.each(problems)("$what leaks no secret", async ({ problem, turn }) => {
    let thrown: unknown
    const signer = await signerOf(wallet(() => Promise.reject(thrown)))
    for (const bytes of [seed, signature]) {
      const forms = Object.entries({ ...formsOf(bytes), ...textSecrets })
      for (const [form, secret] of forms.filter((_, column) =>
        isChosen(row + turn * wallets.length, column, 2 * wallets.length)
      )) {
        thrown = problem(secret, bytes)
        const { exit, seen } = await observed(signer.signTransaction(agreed))
        expect(exit._tag).toBe("Failure")
        expect([form, ...leaks([exit, seen])]).toStrictEqual([form])
      }
    }
  })
})

describe("no secret leaks if a wallet returns", () => {
  const changed = (bytes: Uint8Array, key: TestKey) => {
    const signed = signWire(key, bytes)
    signed[200] = Number(signed[200]) ^ 1
    return signed
  }

  it.each<[string, (bytes: Uint8Array) => unknown]>([
    ["a signed transaction that was changed", (bytes) => changed(bytes, key)],
    ["a signed transaction in hex", (bytes) => Buffer.from(signWire(key, bytes)).toString("hex")],
    ["the seed in base58", () => base58(seed)],
    ["an object with the seed", () => ({ seed })],
    ["the signature of something else", () => signature.toReversed()]
  ])("%s", async (_, give) => {
    const wallet = standardWallet(key, give)
    const errors = [
      await rejection(SolanaSigner.fromWalletStandard(wallet).signTransaction(agreed, neverAborted())),
      await rejection(
        SolanaSigner.fromKeyService({
          address: key.address,
          signTransaction: async () => give(bytesOf(agreed.unsignedTransaction)) as string
        }).signTransaction(agreed, neverAborted())
      ),
      await rejection(
        SolanaSigner.fromKeyService({
          address: key.address,
          signMessage: async () => give(bytesOf(agreed.unsignedTransaction)) as string
        }).signTransaction(agreed, neverAborted())
      )
    ]
    expect(leaks(errors)).toStrictEqual([])
  })
})

describe("a misplaced secret", () => {
  const secret = base58(seed)
  const whole = Vectors.solanaKey.secretKey

  it.each<[string, () => unknown]>([
    [
      "the address of a key service",
      () => SolanaSigner.fromKeyService({ address: whole, signMessage: async () => "" })
    ],
    ["the key service", () => SolanaSigner.fromKeyService(seed as never)],
    ["the signer", () => SolanaSigner.fromKitSigner(secret as never)],
    [
      "a signer's address",
      () => SolanaSigner.fromKitSigner({ address: whole as Address, signTransactions: async () => [] })
    ],
    ["the account", () => SolanaSigner.fromWalletStandard(standardWallet(key), { account: whole })],
    [
      "the lookup tables",
      () =>
        SolanaSigner.fromKeyService(
          { address: stranger, signMessage: async () => "" },
          { lookupTables: secret as never }
        )
    ]
  ])("passed as %s is not in the error message", (_, make) => {
    const error = thrown(make)
    expect(error._tag).toBe("InvalidInput")
    expect(leaks(error)).toStrictEqual([])
    expect(shown(error)).not.toContain(whole.slice(5, 30).toLowerCase())
  })

  it("passed as the key pair is not in the error message", async () => {
    const { privateKey } = await createKeyPairFromPrivateKeyBytes(seed)
    expect(leaks(await rejection(SolanaSigner.fromKeyPair({ privateKey, publicKey: seed } as never)))).toStrictEqual([])
    expect(leaks(await rejection(SolanaSigner.fromKeyPair(whole as never)))).toStrictEqual([])
  })
})
