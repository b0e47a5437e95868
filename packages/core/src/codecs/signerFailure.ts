/** What wallets and key services throw, as an error of ours. */
import { isSwapError, SignerError } from "../SwapError.js"

type Thrown = Readonly<Record<string, unknown>>

/** What was thrown and its causes, as far as anyone wraps them; wallets throw plain objects and texts as well. */
const chainOf = (thrown: unknown, depth = 6): ReadonlyArray<Thrown> =>
  typeof thrown === "string"
    ? [{ message: thrown }]
    : Object(thrown) === thrown && depth > 0
      ? [thrown as Thrown, ...["cause", "error"].flatMap((inner) => chainOf((thrown as Thrown)[inner], depth - 1))]
      : []

/** In the words of wallets and devices: "User rejected the request", "Transaction cancelled", "Approval Denied". */
const saysNo = new RegExp(
  [
    "\\b(user|approval|signing) ?(was )?(rejected|refused|denied|declined|cancel)",
    "\\b(transaction|request) (was )?(declined|cancell?ed)",
    "\\b(rejected|denied|declined|cancell?ed) by (the )?user\\b"
  ].join("|"),
  "i"
)

/** Words of sentences that no seed phrase has. */
const ofSentences = /^(the|and|not|for|was|are|with|from)$/i

/** As many words in a row as a seed phrase has, each as long as its words are. */
const isPhrase = (words: ReadonlyArray<string>): boolean => {
  let row = 0
  return words.some((word) => {
    row = word.length > 2 && word.length < 9 && !ofSentences.test(word) ? row + 1 : 0
    return row === 12
  })
}

/**
 * Whether a text may hold a key, a seed, a signature or the address of a service with one in it: by the digits, long
 * parts or words that these have in any form in which they are written.
 */
const mayHoldSecret = (text: string): boolean => {
  const rest = text.replaceAll(/\b0x[\da-f]{40}\b/gi, "")
  return (
    rest.length > 1000 ||
    /:\/\/|@|\S{30}|(\b[\da-f]{1,4}\b\W+){7}/i.test(rest) ||
    rest.replaceAll(/\D/g, "").length > 12 ||
    rest.split(/\s+/).some((part) => part.length > 11 && /\d/.test(part) && /[a-z]/i.test(part)) ||
    isPhrase(rest.split(/[^a-z]+/i))
  )
}

const read = (who: string, thrown: unknown): SignerError => {
  const errors = chainOf(thrown)
  const text = errors
    .map(({ message, shortMessage }) => shortMessage ?? message)
    .filter((words, index, all) => typeof words === "string" && all.indexOf(words) === index)
    .join(" ")
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
  if (errors.some(({ code }) => code === 4001 || code === "4001" || code === "ACTION_REJECTED") || saysNo.test(text)) {
    return new SignerError({ reason: "rejected", message: `${who}: the user declined to sign.` })
  }
  const words = mayHoldSecret(text)
    ? "its reason is not shown, since it may hold a secret."
    : text || "no reason given."
  const reason =
    isSwapError(thrown) && thrown._tag === "SignerError" && thrown.reason !== "missing" ? thrown.reason : "failed"
  return new SignerError({ reason, message: `${who}${reason === "failed" ? " failed" : ""}: ${words}` })
}

/**
 * What a wallet or a key service threw, as one of our errors: `rejected` where its user said no, and the reason of a
 * `SignerError` where it is one. Its words are kept, unless they may hold a key or a signature. The object is not: it
 * may hold either.
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
