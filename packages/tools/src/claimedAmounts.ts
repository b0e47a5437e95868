/** Adds what the service says about the amount of a refused swap, in the pinned token. It is a claim, and numbers only. */
import { Chain } from "@geoswap/core"
import { formatAmount, isSwapError } from "@geoswap/core/promise"
import type { ChainToken } from "./names.js"
import { ToolError, toFields } from "./ToolError.js"

/** The service's claim about the amount, or `undefined` if it makes none about this token. */
const claimOf = (error: unknown, { chain, token }: ChainToken): string | undefined => {
  if (!isSwapError(error)) return undefined
  const format = (amount: bigint) => `${formatAmount(amount, token)} ${token.symbol}`
  switch (error._tag) {
    case "InsufficientBalance": {
      const { has, needs, token: named = token.address } = error
      return has === undefined || needs === undefined || !Chain.sameAddress(chain.family, named, token.address)
        ? undefined
        : `the wallet has ${format(has)}, and the swap needs ${format(needs)}`
    }
    case "AmountTooSmall":
      return error.minimum === undefined ? undefined : `the swap needs at least ${format(error.minimum)}`
    case "AmountTooLarge":
      return error.maximum === undefined ? undefined : `at most ${format(error.maximum)} can be swapped at once`
    default:
      return undefined
  }
}

/** Fails with the error of a swap that pays with this token. */
export const failWithClaim =
  (from: ChainToken) =>
  (error: unknown): never => {
    const claim = claimOf(error, from)
    if (claim === undefined) throw error
    const { message, ...fields } = toFields(error)
    throw new ToolError({ ...fields, message: `${message} The service says that ${claim}.` })
  }
