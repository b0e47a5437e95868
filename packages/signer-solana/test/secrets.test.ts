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
import { patience, rejection, thrown } from "./settle.js"
import { against, agreed, bytesOf, stranger, textOf } from "./transactions.js"
import { base58, kinds, signerOf, standardWallet } from "./wallets.js"

/** Everything that a console, a log or an error report could make of a value. */
const shown = (value: unknown): string => {
  const seen = new Set<unknown>()
  const texts: Array<string> = []
  const visit = (part: unknown): void => {
    if (seen.has(part)) return
    seen.add(part)
    texts.push(
      inspect(part, { depth: null, showHidden: true, getters: true, maxArrayLength: null, breakLength: Infinity })
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
  // Printed arrays have columns and lines, and texts in them have escapes.
  return texts
    .join("\n")
    .replaceAll(/(\s|\\n)+/g, " ")
    .toLowerCase()
}

/** The ways in which somebody could write bytes. */
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
  "JSON of an array": JSON.stringify(bytes)
})

// A seed whose bytes differ, so that a part of it would be seen as well as the whole.
const seed = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 201) % 256)

/** The parts of a secret that must not be seen anywhere: enough of it to tell, in every form. */
const partsOf = (bytes: Uint8Array): ReadonlyArray<string> => {
  const middle = bytes.slice(3, 18)
  return [
    Buffer.from(middle).toString("hex"),
    base58(bytes).slice(4, 30),
    Buffer.from(bytes.slice(3, 18)).toString("base64"),
    middle.join(","),
    middle.join(", "),
    Array.from(middle, (byte) => byte.toString(16).padStart(2, "0")).join(":"),
    Array.from(middle, (byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", "),
    Array.from(middle, (byte, index) => `"${index + 3}":${byte}`).join(",")
  ].map((part) => part.toLowerCase())
}

const key = walletKey()
/** The signature that every kind of wallet gives: Ed25519 leaves no choice. */
const signature = key.sign(bytesOf(agreed.unsignedTransaction).slice(129))
const secrets = [seed, key.seed, signature].flatMap(partsOf)

const leaks = (value: unknown): ReadonlyArray<string> => {
  const text = shown(value)
  return secrets.filter((secret) => text.includes(secret))
}

/** Whatever is logged and traced while an effect runs. */
const observed = async <A, E>(effect: Effect.Effect<A, E>) => {
  const seen: Array<unknown> = []
  const logger = Logger.make(({ cause, message }) => void seen.push(message, cause))
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      seen.push(span.attributes, span.events, span.links)
      return span
    }
  })
  const program = Effect.tapCause(Effect.withSpan(effect, "test"), (cause) => Effect.logError("it failed", cause))
  const exit = await Effect.runPromiseExit(
    program.pipe(Effect.withTracer(tracer), Effect.provide(Logger.layer([logger])))
  )
  return { exit, seen }
}

describe("the canary", () => {
  it.each(Object.entries(formsOf(signature)))("sees a signature as %s", (_, text) => {
    expect(leaks(new Error(`could not use ${text}`)).length).toBeGreaterThan(0)
    expect(leaks({ deep: [{ error: new Error("outer", { cause: { text } }) }] }).length).toBeGreaterThan(0)
  })

  it("sees bytes, hidden properties and a signed transaction", () => {
    expect(leaks({ seed }).length).toBeGreaterThan(0)
    expect(leaks(Object.defineProperty({}, "seed", { value: seed, enumerable: false })).length).toBeGreaterThan(0)
    expect(leaks(bytesOf(textOf(signWire(key, bytesOf(agreed.unsignedTransaction))))).length).toBeGreaterThan(0)
  })

  it("sees what is logged", async () => {
    const { seen } = await observed(Effect.fail(new Error(base58(signature))))
    expect(leaks(seen).length).toBeGreaterThan(0)
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

  it("still shows none after signing, and logs and traces none", async () => {
    const signer = await signerOf(await layer(key))
    const { exit, seen } = await observed(signer.signTransaction(agreed))
    expect(exit._tag).toBe("Success")
    expect(leaks(signer)).toStrictEqual([])
    expect(leaks(seen)).toStrictEqual([])
  })

  it("shows none in a refusal", async () => {
    const signer = await signerOf(await layer(key))
    const lie = against(agreed.unsignedTransaction, { request: { amount: 1n } })
    const { exit, seen } = await observed(signer.signTransaction(lie))
    expect(exit._tag).toBe("Failure")
    expect(leaks([exit, seen])).toStrictEqual([])
  })
})

/** What wallets throw: the secret in words, in properties, in causes, in JSON, and in something that is no error. */
const throwing: Readonly<Record<string, (secret: string, bytes: Uint8Array) => unknown>> = {
  "an error whose words hold it": (secret) => new Error(`signing with ${secret} failed`),
  "an error whose words are nothing else": (secret) => new Error(secret),
  "an error whose cause's words hold it": (secret) => new Error("failed", { cause: new Error(`key ${secret}`) }),
  "an error whose cause holds it": (secret, bytes) => new Error("failed", { cause: { secret, bytes } }),
  "an error with properties that hold it": (secret, bytes) =>
    Object.assign(new Error("failed"), { secret, bytes, config: { data: secret }, toJSON: () => ({ secret }) }),
  "a group of errors that hold it": (secret) => new AggregateError([new Error(secret)], `all failed: ${secret}`),
  "an object that holds it": (secret, bytes) => ({ message: `no: ${secret}`, shortMessage: secret, data: { bytes } }),
  "a text that holds it": (secret) => `failed with ${secret}`,
  "an error of ours that holds it": (secret, bytes) =>
    new SwapError.SignerError({ reason: "failed", message: `oh ${secret}`, cause: { secret, bytes } }),
  "a refusal of ours that holds it": (secret) =>
    new SwapError.UnsafeOperation({ field: secret, expected: secret, found: secret, message: secret }),
  "something that passes for an error of ours": (secret, bytes) =>
    Object.assign(new Error(secret), { _tag: "SignerError", retry: "never", reason: "failed", bytes })
}

/** Wallets of every kind that throw. */
const failing: Readonly<Record<string, (fail: () => Promise<never>) => Parameters<typeof signerOf>[0]>> = {
  "a partial signer of kit": (fail) =>
    SolanaSigner.layerKitSigner({ address: key.address as Address, signTransactions: fail }),
  "a modifying signer of kit": (fail) =>
    SolanaSigner.layerKitSigner({ address: key.address as Address, modifyAndSignTransactions: fail }),
  "a key service": (fail) => SolanaSigner.layerPromise({ address: key.address, signMessage: fail }),
  "a remote signer": (fail) => SolanaSigner.layerPromise({ address: key.address, signTransaction: fail }),
  "a wallet of the wallet standard": (fail) => {
    const wallet = standardWallet(key)
    const feature = { ...wallet.features["solana:signTransaction"], signTransaction: fail }
    return SolanaSigner.layerWalletStandard({ ...wallet, features: { "solana:signTransaction": feature } })
  }
}

describe.each(Object.entries(failing))("%s that throws", (_, wallet) => {
  it.each(Object.entries(throwing))("%s gives no secret away", async (_, problem) => {
    let thrown: unknown
    const signer = await signerOf(wallet(() => Promise.reject(thrown)))
    for (const bytes of [seed, signature]) {
      for (const [form, secret] of Object.entries(formsOf(bytes))) {
        thrown = problem(secret, bytes)
        const { exit, seen } = await observed(signer.signTransaction(agreed))
        expect(exit._tag).toBe("Failure")
        expect([form, ...leaks([exit, seen])]).toStrictEqual([form])
      }
    }
  })
})

describe("a wallet that gives back something wrong gives no secret away:", () => {
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
      await rejection(SolanaSigner.fromWalletStandard(wallet).signTransaction(agreed, patience())),
      await rejection(
        SolanaSigner.fromPromise({
          address: key.address,
          signTransaction: async () => give(bytesOf(agreed.unsignedTransaction)) as string
        }).signTransaction(agreed, patience())
      ),
      await rejection(
        SolanaSigner.fromPromise({
          address: key.address,
          signMessage: async () => give(bytesOf(agreed.unsignedTransaction)) as string
        }).signTransaction(agreed, patience())
      )
    ]
    expect(leaks(errors)).toStrictEqual([])
  })
})

describe("a secret in the wrong place", () => {
  const secret = base58(seed)
  const whole = Vectors.solanaKey.secretKey

  it.each<[string, () => unknown]>([
    ["the address of a key service", () => SolanaSigner.fromPromise({ address: whole, signMessage: async () => "" })],
    ["the key service", () => SolanaSigner.fromPromise(seed as never)],
    ["the signer", () => SolanaSigner.fromKitSigner(secret as never)],
    [
      "a signer's address",
      () => SolanaSigner.fromKitSigner({ address: whole as Address, signTransactions: async () => [] })
    ],
    ["the account", () => SolanaSigner.fromWalletStandard(standardWallet(key), { account: whole })],
    [
      "the lookup tables",
      () =>
        SolanaSigner.fromPromise({ address: stranger, signMessage: async () => "" }, { lookupTables: secret as never })
    ]
  ])("as %s is not in the words of the refusal", (_, make) => {
    const error = thrown(make)
    expect(error._tag).toBe("InvalidInput")
    expect(leaks(error)).toStrictEqual([])
    expect(shown(error)).not.toContain(whole.slice(5, 30).toLowerCase())
  })

  it("as the key pair is not in the words of the refusal", async () => {
    const { privateKey } = await createKeyPairFromPrivateKeyBytes(seed)
    expect(leaks(await rejection(SolanaSigner.fromKeyPair({ privateKey, publicKey: seed } as never)))).toStrictEqual([])
    expect(leaks(await rejection(SolanaSigner.fromKeyPair(whole as never)))).toStrictEqual([])
  })
})
