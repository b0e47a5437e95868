/** Validates a policy. Without this validation, a rule with a typo in its name would be silently ignored. */
import { type Family, isAddress, isChainId } from "../Chain.js"
import { isHex } from "../Hex.js"
import type { Deployment } from "../Operation.js"
import { methods } from "../Payment.js"
import type { Options } from "../Policy.js"
import { InvalidInput } from "../SwapError.js"
import { closestName } from "./closestName.js"

type FamilyOf = (chainId: number) => Family
type Fields = Readonly<Record<string, unknown>>

/** A description of what a field expects, and a function that checks a value. */
type Rule = readonly [expected: string, fits: (value: unknown) => boolean]

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const list = (each: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(each)
const isAmount = (value: unknown) => typeof value === "bigint" && value >= 0n

const basisPoints: Rule = ["a number of at least 0", (value) => typeof value === "number" && value >= 0]
const callback: Rule = ["a function", (value) => typeof value === "function"]
const paymentMethods: ReadonlyArray<unknown> = ["delegation", ...methods]
const isVersion = (value: unknown) => value === undefined || value === 1 || value === 2
const oneOf = (...values: ReadonlyArray<string>): Rule => [
  values.map((value) => `"${value}"`).join(" or "),
  (value) => typeof value === "string" && values.includes(value)
]

const policyRules = (familyOf: FamilyOf): Readonly<Record<keyof Options, Rule>> => {
  const isToken = (value: unknown) =>
    isRecord(value) && isChainId(value["chain"]) && isAddress(familyOf(value["chain"]), value["token"])
  const isWindow = oneOf("hour", "day", "total")[1]
  return {
    verification: oneOf("required", "when-possible"),
    deployments: ["an object with deployments by chain id", isRecord],
    maxTotalCostBps: basisPoints,
    maxFeeBps: basisPoints,
    maxSlippageBps: basisPoints,
    maxLifetimeSeconds: ["a number greater than 0", (value) => typeof value === "number" && value > 0],
    minOutput: callback,
    onHighCost: callback,
    allowedChains: ["a list of chain ids", list(isChainId)],
    allowedTokens: ["a list of { chain, token }", list(isToken)],
    allowedRecipients: ["a list of addresses", list((value) => isAddress("evm", value) || isAddress("solana", value))],
    budgets: [
      "a list of { chain, token, amount, window? }",
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

const deploymentRules = (family: Family): Readonly<Record<keyof Deployment, Rule>> => {
  const address: Rule = [`a valid ${family === "evm" ? "EVM" : "Solana"} address`, (value) => isAddress(family, value)]
  const hash: Rule = ["32 bytes in hex", (value) => isHex(value, 32)]
  return {
    delegates: ["a list of addresses", list(address[1])],
    codeHash: hash,
    accountVersion: ["1 or 2", isVersion],
    vault: address,
    relayer: address,
    older: [
      "a list of { delegate, vault, codeHash?, accountVersion? }",
      list(
        (value) =>
          isRecord(value) &&
          address[1](value["delegate"]) &&
          address[1](value["vault"]) &&
          (value["codeHash"] === undefined || hash[1](value["codeHash"])) &&
          isVersion(value["accountVersion"])
      )
    ]
  }
}

const invalid = (field: string, message: string) => new InvalidInput({ field, message: `${field}: ${message}` })

/** Returns the error for the first unknown or invalid field. */
const findInvalid = (path: string, fields: Fields, rules: Readonly<Record<string, Rule>>): InvalidInput | undefined => {
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(rules, name)) {
      return invalid(`${path}.${name}`, `unknown field. Did you mean ${closestName(name, Object.keys(rules))}?`)
    }
    const [expected, fits] = rules[name] as Rule
    if (value !== undefined && !fits(value)) return invalid(`${path}.${name}`, `expected ${expected}.`)
  }
  return undefined
}

/** Returns the first error in a policy. The policy may come from untyped code. */
export const validatePolicy = (policy: object, familyOf: FamilyOf): InvalidInput | undefined => {
  const invalidRule = findInvalid("policy", { ...policy }, policyRules(familyOf))
  if (invalidRule) return invalidRule
  const { deployments = {} } = policy as Options
  for (const [chain, deployment] of Object.entries(deployments)) {
    const path = `policy.deployments.${chain}`
    if (!isChainId(Number(chain))) return invalid(path, "expected a chain id.")
    if (!isRecord(deployment) || deployment["vault"] === undefined) return invalid(`${path}.vault`, "missing.")
    const invalidField = findInvalid(path, deployment, deploymentRules(familyOf(Number(chain))))
    if (invalidField) return invalidField
  }
  return undefined
}
