/** Writes the amounts in errors in tokens. The client and the service report them in the token's smallest unit. */
import { Policy, SwapError } from "@geoswap/core"
import { type ChainToken, formatAmount } from "../chains/Directory.js"

/** The two tokens of a swap. */
interface Tokens {
  readonly origin: ChainToken
  readonly destination: ChainToken
}

const unitsIn = (text: string, pattern: RegExp, { token }: ChainToken): string =>
  token.pinned ? text.replace(pattern, (units) => formatAmount(BigInt(units), token)) : text

/** Where the rules of a policy state amounts. The other rules state none. */
const rewriteViolation = (error: SwapError.PolicyViolation, { destination, origin }: Tokens) => {
  const { expected, found, rule } = error
  switch (rule) {
    case "minOutput":
    case "slippageBps":
      return Policy.violation(rule, unitsIn(expected, /\d+$/, destination), unitsIn(found, /^\d+$/, destination))
    case "budgets":
      return Policy.violation(
        rule,
        unitsIn(expected, /^\d+(?= more of )/, origin).replace(/ more of \S+/, " more"),
        unitsIn(found, /^\d+$/, origin)
      )
    default:
      return error
  }
}

/** The wallet's balance, if the service reports it. */
const balanceIn = (details: unknown): bigint | undefined => {
  const balance = typeof details === "object" && details !== null && "balance" in details ? details.balance : undefined
  return typeof balance === "string" && /^\d{1,78}$/.test(balance) ? BigInt(balance) : undefined
}

/** Returns the error with its amounts in tokens, if the tokens are pinned. `amount` is what the swap pays. */
export const withAmountsInTokens =
  (tokens: Tokens, amount: bigint | undefined) =>
  <E>(error: E): E | SwapError.SwapError => {
    if (!SwapError.isSwapError(error)) return error
    if (error._tag === "PolicyViolation") return rewriteViolation(error, tokens)
    const { chain, token } = tokens.origin
    if (error._tag === "Rejected" && error.code === "INSUFFICIENT_BALANCE") {
      const balance = balanceIn(error.details)
      if (balance === undefined || amount === undefined || balance >= amount || !token.pinned) return error
      return new SwapError.Rejected({
        ...error,
        message: `The wallet has ${formatAmount(balance, token)} on ${chain.name}, but the swap requires ${formatAmount(amount, token, "up")}.`
      })
    }
    if (error._tag === "QuoteMoved" && tokens.destination.token.pinned) {
      const [offered, accepted] = [error.offered, error.accepted].map((units) =>
        formatAmount(units, tokens.destination.token)
      )
      return new SwapError.QuoteMoved({
        ...error,
        message: `The new quote offers ${offered}; the accepted minimum was ${accepted}.`
      })
    }
    return error
  }
