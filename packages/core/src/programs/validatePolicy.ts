/** Validates a policy, which may come from untyped code. */
import { type Family, isAddress, isChainId } from "../Chain.js"
import { methods } from "../Payment.js"
import type { Options } from "../Policy.js"
import type { InvalidInput } from "../SwapError.js"
import { findInvalidField, isRecord, list, type Rule } from "./fieldRules.js"

type FamilyOf = (chainId: number) => Family

const isAmount = (value: unknown) => typeof value === "bigint" && value >= 0n

const basisPoints: Rule = ["a number of at least 0", (value) => typeof value === "number" && value >= 0]
const callback: Rule = ["a function", (value) => typeof value === "function"]
const paymentMethods: ReadonlyArray<unknown> = ["delegation", ...methods]
const oneOf = (...values: ReadonlyArray<string>): Rule => [
  values.map((value) => `"${value}"`).join(" or "),
  (value) => typeof value === "string" && values.includes(value)
]

const policyRules = (familyOf: FamilyOf): Readonly<Record<Exclude<keyof Options, "network">, Rule>> => {
  const isToken = (value: unknown) =>
    isRecord(value) && isChainId(value["chainId"]) && isAddress(familyOf(value["chainId"]), value["token"])
  const isWindow = oneOf("hour", "day", "total")[1]
  return {
    verification: oneOf("required", "when-possible"),
    maxTotalCostBps: basisPoints,
    maxFeeBps: basisPoints,
    maxSlippageBps: basisPoints,
    maxLifetimeSeconds: ["a number greater than 0", (value) => typeof value === "number" && value > 0],
    minOutput: callback,
    onHighCost: callback,
    allowedChains: ["a list of chain ids", list(isChainId)],
    allowedTokens: ["a list of { chainId, token }", list(isToken)],
    allowedRecipients: ["a list of addresses", list((value) => isAddress("evm", value) || isAddress("solana", value))],
    budgets: [
      "a list of { chainId, token, amount, window? }",
      list(
        (value) =>
          isToken(value) &&
          isRecord(value) &&
          isAmount(value["amount"]) &&
          (value["window"] === undefined || isWindow(value["window"]))
      )
    ],
    maxSwapsPerHour: ["a whole number", (value) => Number.isSafeInteger(value) && Number(value) >= 0],
    approve: callback,
    paymentMethods: [
      `a list of ${paymentMethods.join(", ")}`,
      (value) => list((method) => paymentMethods.includes(method))(value) && (value as []).length > 0
    ],
    afterRefusal: oneOf("resume", "trust-service"),
    acceptClaims: ["true or false", (value) => typeof value === "boolean"]
  }
}

/** Returns the first error in a policy. */
export const validatePolicy = (policy: object, familyOf: FamilyOf): InvalidInput | undefined =>
  findInvalidField("policy", { ...policy }, policyRules(familyOf))
