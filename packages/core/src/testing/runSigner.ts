/** Runs signer methods, which return effects or promises, and checks the results. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Hex } from "../Hex.js"
import type * as Signer from "../Signer.js"
import type { Abort, PromiseEvmSigner, PromiseSolanaSigner } from "../Signer.js"
import { isSwapError, type SignError } from "../SwapError.js"
import { ContractViolation, holds, violated } from "./contractAssertions.js"
import { evmKey, operations, solanaKey, transactions } from "./vectors.js"

type AnySigner = Signer.Evm | PromiseEvmSigner | Signer.Solana | PromiseSolanaSigner

type Settled<A> = { readonly value: A } | { readonly error: unknown; readonly died: boolean }

const neverAborted = (): Abort => ({ signal: new AbortController().signal })

/**
 * Whether a signer's methods return effects instead of promises. To find out, asks the signer to verify a valid vector.
 * Returns `undefined` if the signer cannot verify.
 */
const returnsEffects = (signer: AnySigner): boolean | undefined => {
  const verify = "signOperation" in signer ? signer.verifyOperation : signer.verifyTransaction
  if (verify === undefined) return undefined
  try {
    const answer: unknown =
      "signOperation" in signer
        ? signer.verifyOperation?.(operations[0], neverAborted())
        : signer.verifyTransaction?.(transactions[0], neverAborted())
    if (answer instanceof Promise) answer.catch(() => undefined)
    return Effect.isEffect(answer)
  } catch {
    return undefined
  }
}

type Answer<A> = Effect.Effect<A, SignError> | Promise<A> | A

/** Runs a signer method. */
export const settle = async <A>(signer: AnySigner, ask: (abort: Abort) => Answer<A>): Promise<Settled<A>> => {
  let answer: Answer<A>
  try {
    answer = ask(neverAborted())
  } catch (error) {
    return { error, died: returnsEffects(signer) === true }
  }
  if (Effect.isEffect(answer)) {
    const exit = await Effect.runPromiseExit(answer)
    return Exit.isSuccess(exit)
      ? { value: exit.value }
      : { error: Cause.squash(exit.cause), died: Cause.hasDies(exit.cause) }
  }
  try {
    return { value: await answer }
  } catch (error) {
    return { error, died: false }
  }
}

/** Runs a signing method, which must return the same kind of result as the verification method. */
export const settleSigning = <A>(signer: AnySigner, ask: (abort: Abort) => Answer<A>): Promise<Settled<A>> =>
  settle(signer, (abort) => {
    const answer = ask(abort)
    const effects = returnsEffects(signer)
    if (effects !== undefined && effects !== Effect.isEffect(answer)) {
      if (answer instanceof Promise) answer.catch(() => undefined)
      return Promise.reject(new ContractViolation("the signer mixes effects and promises: return only one kind."))
    }
    return answer
  })

export const valueOf = <A>(settled: Settled<A>, what: string): A =>
  "value" in settled ? settled.value : violated(`${what} failed: ${String(settled.error)}`)

export const runTool = async <A>(tool: string, use: () => A | Promise<A>): Promise<A> => {
  try {
    return await use()
  } catch (error) {
    return violated(`${tool}, which you passed to the suite, failed: ${String(error)}`)
  }
}

/** The strings that would reveal a key. */
const secretsOf = (key: Hex, text: string): ReadonlyArray<string> => {
  const hex = key.slice(2)
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  // 30 bytes are 40 base64 characters, regardless of the bytes that follow.
  const base64 = btoa(String.fromCharCode(...bytes.slice(0, 30)))
  return [text.replace(/^0x/, ""), hex, base64, bytes.join(",")].map((secret) => secret.toLowerCase())
}

export const evmSecrets = secretsOf(evmKey.privateKey, evmKey.privateKey)
export const solanaSecrets = secretsOf(solanaKey.seed, solanaKey.secretKey)

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256

/** Returns everything in a value that a console, a log or JSON would print, as strings. */
const printed = (whole: unknown, seen = new Set<unknown>()): ReadonlyArray<string> => {
  const value = whole
  if (typeof value === "bigint") return [value.toString(16)]
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return [String(value)]
  if (seen.has(value) || seen.size > 10_000) return []
  seen.add(value)
  if (value instanceof Uint8Array || (Array.isArray(value) && value.every(isByte))) return [[...value].join(",")]
  const inner = Reflect.ownKeys(value).flatMap((key): ReadonlyArray<unknown> => {
    const field = Object.getOwnPropertyDescriptor(value, key)
    return field?.enumerable === true && "value" in field ? [field.value] : []
  })
  if (value instanceof Map || value instanceof Set) inner.push(...value.keys(), ...value.values())
  if (value instanceof Error) inner.push(value.message, value.stack, value.cause)
  const texts = inner.flatMap((part) => printed(part, seen))
  try {
    const json = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString(16) : part))
    return typeof value === "function" ? texts : [...texts, String(whole), json ?? ""]
  } catch {
    // A value that cannot be converted to a string cannot be printed.
    return texts
  }
}

export const shows = (value: unknown, secrets: ReadonlyArray<string>): boolean => {
  const texts = printed(value).map((text) => text.toLowerCase())
  return secrets.some((secret) => texts.some((text) => text.includes(secret)))
}

/** Requires a typed error from this package that does not reveal the key. An effect must fail, not die. */
export const refused = (
  settled: Settled<unknown>,
  what: string,
  tags: ReadonlyArray<SignError["_tag"]>,
  secrets: ReadonlyArray<string>
) => {
  holds("error" in settled, `${what} was not refused.`)
  const { died, error } = settled
  holds(!shows(error, secrets), `the error about ${what} contains the key.`)
  holds(
    isSwapError(error) && tags.some((tag) => tag === error._tag),
    `${what}: expected ${tags.join(" or ")} from this package, got ${String(error)}`
  )
  holds(!died, `${what} was refused by a throw or a defect: an effect must fail with the error instead.`)
}

/** Accepts a result, or a typed error from a signer that cannot verify this case. */
export const acceptedOrRefused = (settled: Settled<unknown>, what: string, secrets: ReadonlyArray<string>) =>
  "value" in settled ? undefined : refused(settled, what, ["UnsafeOperation", "SignerError"], secrets)
