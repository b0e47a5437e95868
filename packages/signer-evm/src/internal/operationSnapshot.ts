/** Copies an operation or authorization before it is verified, and validates the type of each property. */
import { Chain, Hex, Operation, type Signer, type SwapError } from "@geoswap/core"
import { describeKind, describeValue } from "./describeValue.js"
import { isObject } from "./properties.js"

/** A description of a property's expected value, and a function that checks a value against it. */
type Rule = readonly [expected: string, fits: (value: unknown) => boolean]
type Rules = Readonly<Record<string, Rule>>

const isString = (value: unknown): value is string => typeof value === "string"

const anAddress = "an address, with a valid EIP-55 checksum if it is in mixed case"
const address: Rule = [anAddress, (value) => Chain.isAddress("evm", value)]
/** An address for either chain family. Anything else would make the terms ambiguous. */
const anyAddress: Rule = [anAddress, (value) => Chain.isAddress("evm", value) || Chain.isAddress("solana", value)]
const word: Rule = ["32 bytes in hexadecimal", (value) => Hex.isHex(value, 32)]
const uint256: Rule = [
  "a bigint from 0 to 2^256 - 1",
  (value) => typeof value === "bigint" && value >= 0n && value < 2n ** 256n
]
const chainId: Rule = ["a chain id", Chain.isChainId]
const wholeNumber: Rule = ["a whole number", Number.isSafeInteger]
const seconds: Rule = ["a number of seconds greater than 0", (value) => Number.isFinite(value) && Number(value) > 0]
const text: Rule = ["a string", isString]
const texts: Rule = ["an array of strings", (value) => Array.isArray(value) && value.every(isString)]
const optional = ([expected, fits]: Rule): Rule => [expected, (value) => value === undefined || fits(value)]

const requestRules: Rules = {
  walletAddress: address,
  originChain: chainId,
  destinationChain: chainId,
  inputToken: address,
  outputToken: anyAddress,
  amount: uint256,
  recipient: optional(anyAddress)
}
const quoteRules: Rules = { output: uint256, minOutput: optional(uint256) }
const olderRules: Rules = { delegate: text, vault: text, codeHash: optional(word) }
const olderVaults: Rule = [
  "an array of older vaults with their delegates",
  (value) =>
    Array.isArray(value) && value.every((entry) => validateProperties("older", entry, olderRules) === undefined)
]
const deploymentRules: Rules = {
  delegates: optional(texts),
  codeHash: optional(word),
  vault: text,
  older: optional(olderVaults)
}
const operationRules: Rules = {
  geoOpHash: word,
  maxLifetimeSeconds: optional(seconds)
}
const geoOpRules: Rules = {
  chainId,
  wallet: address,
  delegate: address,
  token: address,
  amount: uint256,
  vault: address,
  orderId: word,
  terms: word,
  nonce: uint256,
  deadline: wholeNumber
}

/** Copies the properties that the rules name. Spreading the object would miss inherited getters. */
const copy = <A>(source: A, rules: Rules): A => {
  if (!isObject(source)) return source
  const properties = Object.keys(rules).map((name) => {
    const value = (source as Readonly<Record<string, unknown>>)[name]
    return [name, Array.isArray(value) ? Array.from<unknown>(value) : value] as const
  })
  return Object.fromEntries(properties.filter(([, value]) => value !== undefined)) as A
}

/** Returns a violation for the first copied property that breaks its rule. */
const validateProperties = (name: string, copied: unknown, rules: Rules): SwapError.UnsafeOperation | undefined => {
  if (!isObject(copied)) return Operation.unsafe(name, "an object", describeKind(copied))
  const properties = copied as Readonly<Record<string, unknown>>
  const broken = Object.entries(rules).find(([field, [, fits]]) => !fits(properties[field]))
  if (broken === undefined) return undefined
  const [field, [expected]] = broken
  return Operation.unsafe(field, expected, describeValue(properties[field]))
}

export const validateDeployment = (deployment: Operation.Deployment | undefined) =>
  deployment === undefined ? undefined : validateProperties("deployment", deployment, deploymentRules)

/** Validates a snapshot: the operation, and the request, quote and deployment it is compared with. */
export const validateOperation = ({
  deployment,
  geoOp,
  geoOpHash,
  maxLifetimeSeconds,
  quote,
  request
}: Signer.OperationToSign) =>
  validateProperties("operation", { geoOpHash, maxLifetimeSeconds }, operationRules) ??
  validateProperties("request", request, requestRules) ??
  validateProperties("quote", quote, quoteRules) ??
  validateDeployment(deployment) ??
  (geoOp === undefined ? undefined : validateProperties("geoOp", geoOp, geoOpRules))

const snapshotDeployment = (deployment: Operation.Deployment | undefined) => {
  if (deployment === undefined) return {}
  const copied = copy(deployment, deploymentRules)
  if (!isObject(copied) || !Array.isArray(copied.older)) return { deployment: copied }
  const older = copied.older.map((entry: Operation.OlderVault) => copy(entry, olderRules))
  return { deployment: { ...copied, older } }
}

/** Copies an operation, so that what is verified is what is signed even if the caller's objects change. */
export const snapshotOperation = ({
  deployment,
  geoOp,
  geoOpHash,
  maxLifetimeSeconds,
  quote,
  request
}: Signer.OperationToSign): Signer.OperationToSign => ({
  geoOpHash,
  ...(maxLifetimeSeconds !== undefined && { maxLifetimeSeconds }),
  request: copy(request, requestRules),
  quote: copy(quote, quoteRules),
  ...snapshotDeployment(deployment),
  ...(geoOp !== undefined && { geoOp: copy(geoOp, geoOpRules) })
})

export const snapshotAuthorization = ({
  address: delegate,
  chainId: chain,
  deployment,
  nonce
}: Signer.AuthorizationToSign): Signer.AuthorizationToSign => ({
  chainId: chain,
  address: delegate,
  nonce,
  ...snapshotDeployment(deployment)
})
