/** What wallets and key services throw, as an error of ours. */
import * as Predicate from "effect/Predicate"
import { isSwapError, SignerError } from "../SwapError.js"

type Thrown = Readonly<Record<string, unknown>>

/** What was thrown and its causes, as far as anyone wraps them; wallets throw plain objects and texts as well. */
const chainOf = (thrown: unknown, depth = 8): ReadonlyArray<Thrown> => {
  if (typeof thrown === "string") return [{ message: thrown }]
  if (typeof thrown !== "object" || thrown === null || depth === 0) return []
  return [thrown as Thrown, ...chainOf((thrown as Thrown)["cause"], depth - 1)]
}

const saysNo = /\buser (rejected|denied|declined|cancel)|\b(rejected|denied|declined|cancell?ed) by (the )?user\b/i

/** What may be a key, a seed or a signature in the forms that they are written in, or an address that holds a key. */
const secrets = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /[\w+/=-]{43,}/g,
  /(\d{1,3}[,\s]+){15,}\d{1,3}/g,
  /("?\d{1,3}"?\s*:\s*\d{1,3}[\s,]*){8,}/g,
  /\b((0x)?[0-9a-f]{2}[\s:,-]+){7,}(0x)?[0-9a-f]{2}\b/gi,
  /\b([a-z]{3,8} ){11,}[a-z]{3,8}\b/g
]

const hideSecrets = (words: string): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, "(hidden)"), words)

const read = (who: string, thrown: unknown): SignerError => {
  const errors = chainOf(thrown)
  const texts = errors.map(({ message, shortMessage }) => shortMessage ?? message).filter(Predicate.isString)
  if (errors.some(({ code }) => code === 4001) || texts.some((text) => saysNo.test(text))) {
    return new SignerError({ reason: "rejected", message: `${who}: the user declined to sign.` })
  }
  const joined = [...new Set(texts)].join(" ").slice(0, 10_000).replaceAll(/\s+/g, " ").trim()
  const words = hideSecrets(joined).slice(0, 300) || "no reason given"
  const reason = isSwapError(thrown) && thrown._tag === "SignerError" ? thrown.reason : "failed"
  return new SignerError({ reason, message: reason === "failed" ? `${who} failed: ${words}` : `${who}: ${words}` })
}

/**
 * What a wallet or a key service threw, as one of our errors: `rejected` where its user said no, and the reason of a
 * `SignerError` where it is one. Its words are kept, except for those that may be a key or a signature. The object is
 * not: it may hold either.
 *
 * @example
 * ```ts
 * Effect.tryPromise({ try: () => kms.sign(digest), catch: (thrown) => Signer.failure("The key service", thrown) })
 * ```
 */
export const failure = (who: string, thrown: unknown): SignerError => {
  try {
    return read(who, thrown)
  } catch {
    return new SignerError({ reason: "failed", message: `${who} failed: no reason given` })
  }
}
