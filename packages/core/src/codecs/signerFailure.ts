/** Converts errors from wallets and key services to `SignerError`. */
import { isSwapError, SignerError } from "../SwapError.js"
import { compact } from "./compact.js"

type Thrown = Readonly<Record<string, unknown>>

/** Returns a thrown value and its causes. Wallets also throw plain objects and strings. */
const chainOf = (thrown: unknown, depth = 6): ReadonlyArray<Thrown> =>
  typeof thrown === "string"
    ? [{ message: thrown }]
    : Object(thrown) === thrown && depth > 0
      ? [thrown as Thrown, ...["cause", "error"].flatMap((inner) => chainOf((thrown as Thrown)[inner], depth - 1))]
      : []

/**
 * Matches messages with which wallets and devices report that the user declined: "User rejected the request",
 * "Transaction cancelled", "Approval Denied".
 */
const isRejection = new RegExp(
  [
    "\\b(user|approval|signing) ?(was )?(rejected|refused|denied|declined|cancel)",
    "\\b(transaction|request) (was )?(declined|cancell?ed)",
    "\\b(rejected|denied|declined|cancell?ed) by (the )?user\\b"
  ].join("|"),
  "i"
)

/** Common words that do not occur in seed phrases. */
const isCommonWord = /^(the|and|not|for|was|are|with|from)$/i

/** Whether any twelve consecutive words could be a seed phrase. */
const isSeedPhrase = (words: ReadonlyArray<string>): boolean => {
  let row = 0
  return words.some((word) => {
    row = word.length > 2 && word.length < 9 && !isCommonWord.test(word) ? row + 1 : 0
    return row === 12
  })
}

/**
 * Whether a message may contain a key, a seed, a signature or a URL with a secret. Looks for digits, long tokens and
 * word sequences that are typical of secrets in any encoding.
 */
const mayContainSecret = (text: string): boolean => {
  const rest = text.replaceAll(/\b0x[\da-f]{40}\b/gi, "")
  return (
    rest.length > 1000 ||
    /:\/\/|@|\S{30}|(\b[\da-f]{1,4}\b\W+){7}/i.test(rest) ||
    rest.replaceAll(/\D/g, "").length > 12 ||
    rest.split(/\s+/).some((part) => part.length > 11 && /\d/.test(part) && /[a-z]/i.test(part)) ||
    isSeedPhrase(rest.split(/[^a-z]+/i))
  )
}

/** The names of built-in errors, which say nothing about the failure. */
const builtIn = /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/

/**
 * Returns the class, the code and the HTTP status of a failure, from the first error in the chain that has one. These
 * are identifiers that a library defines. Anything that does not look like such an identifier is dropped.
 */
const identityOf = (errors: ReadonlyArray<Thrown>): NonNullable<SignerError["failure"]> => {
  const first = <A>(candidates: ReadonlyArray<unknown>, fits: (value: unknown) => value is A): A | undefined =>
    candidates.find(fits)
  const fields = (value: unknown): Thrown => (Object(value) === value ? (value as Thrown) : {})
  return compact({
    name: first(
      errors.map(({ name }) => name),
      (name): name is string =>
        typeof name === "string" && /^[A-Z][A-Za-z]{2,50}(Error|Exception|Fault)$/.test(name) && !builtIn.test(name)
    ),
    code: first(
      errors.map(({ code }) => (Number.isInteger(code) ? `${Number(code)}` : code)),
      (code): code is string => typeof code === "string" && /^([A-Z][A-Z_]{3,40}|-?\d{1,5})$/.test(code)
    ),
    status: first(
      errors.flatMap(({ status, statusCode, $metadata, response }) => [
        status,
        statusCode,
        fields($metadata)["httpStatusCode"],
        fields(response)["status"]
      ]),
      (status): status is number => Number.isInteger(status) && Number(status) >= 100 && Number(status) < 600
    )
  })
}

/** Returns the `failure` field for what a signer threw, if anything of it may be shown. */
export const failureOf = (thrown: unknown): Pick<SignerError, "failure"> => {
  try {
    const failure = identityOf(chainOf(thrown))
    return Object.keys(failure).length === 0 ? {} : { failure }
  } catch {
    return {}
  }
}

const read = (who: string, thrown: unknown): SignerError => {
  const errors = chainOf(thrown)
  const text = errors
    .map(({ message, shortMessage }) => shortMessage ?? message)
    .filter((message, index, all) => typeof message === "string" && all.indexOf(message) === index)
    .join(" ")
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
  if (
    errors.some(({ code }) => code === 4001 || code === "4001" || code === "ACTION_REJECTED") ||
    isRejection.test(text)
  ) {
    return new SignerError({ reason: "rejected", message: `${who}: the user declined to sign.` })
  }
  const failed = identityOf(errors)
  const identity = Object.values(failed).join(", ")
  const detail =
    text && !mayContainSecret(text)
      ? text
      : `${identity && `${identity}; `}${text ? "the reason is not shown because it may contain a secret" : "no reason given"}.`
  const reason =
    isSwapError(thrown) && thrown._tag === "SignerError" && thrown.reason !== "missing" ? thrown.reason : "failed"
  const message = `${who}${reason === "failed" ? " failed" : ""}: ${detail}`
  return new SignerError({ reason, message, ...(identity && { failure: failed }) })
}

/**
 * Converts an error thrown by a wallet or a key service to a `SignerError`. The error's reason is `rejected` if the
 * user declined, or the original reason if a `SignerError` was thrown. Keeps the message unless it may contain a key or
 * a signature. Always keeps the name, the code and the HTTP status. Drops the thrown object, which may contain a key or
 * a signature.
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
    return new SignerError({ reason: "failed", message: `${who} failed: no reason given.` })
  }
}
