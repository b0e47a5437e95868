/** Copies an operation, a payment or an authorization before it is verified, and validates the type of each property. */
import { Chain, Hex, Operation, type Payment, type Signer, type SwapError } from "@geoswap/core"
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
/** The name or version in a token's domain. Longer than any real one, and short enough to hash. */
/** Error messages contain the text, so it must not contain anything that controls a terminal or the direction of text. */
const domainText: Rule = [
  "at most 256 printable characters",
  (value) => isString(value) && value.length <= 256 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value)
]
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

const domainRules: Rules = { name: domainText, version: domainText }
const tokenDomain: Rule = [
  "a token's name and version",
  (value) => validateProperties("domain", value, domainRules) === undefined
]
const { delegate: _, nonce: __, ...orderRules } = geoOpRules
/** The fields of each kind of payment. A payment with any other method is not signed. */
const paymentRules: Readonly<Record<Payment.Payment["method"], Rules>> = {
  eip3009: { method: text, ...orderRules, domain: tokenDomain },
  permit2: { method: text, ...orderRules, nonce: uint256 },
  erc2612: { method: text, ...orderRules, nonce: uint256, domain: tokenDomain, permitNonce: uint256 }
}

/** Copies the properties that the rules name. Spreading the object would miss inherited getters. */
const copy = <A>(source: A, rules: Rules): A => {
  if (!isObject(source)) return source
  const properties = Object.keys(rules).map((name) => {
    const value = (source as Readonly<Record<string, unknown>>)[name]
    return [name, Array.isArray(value) ? Array.from<unknown>(value) : value] as const
  })
  // Without a prototype, a field that is missing stays missing.
  const copied = Object.create(null) as object
  return Object.assign(copied, Object.fromEntries(properties.filter(([, value]) => value !== undefined))) as A
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

/** Validates a snapshot of a payment, and the request, quote and deployment it is compared with. */
export const validatePayment = ({
  deployment,
  geoOpHash,
  maxLifetimeSeconds,
  payment,
  quote,
  request
}: Signer.PaymentToSign) => {
  if (!isObject(payment)) return Operation.unsafe("payment", "an object", describeKind(payment))
  const { method } = payment as { readonly method: unknown }
  if (!isMethod(method)) return Operation.unsafe("method", Object.keys(paymentRules).join(", "), describeKind(method))
  return (
    validateOperation({
      geoOpHash,
      request,
      quote,
      ...(maxLifetimeSeconds !== undefined && { maxLifetimeSeconds }),
      ...(deployment !== undefined && { deployment })
    }) ?? validateProperties("payment", payment, paymentRules[method])
  )
}

const isMethod = (method: unknown): method is Payment.Payment["method"] =>
  isString(method) && Object.hasOwn(paymentRules, method)

/** Copies a payment. The method is read once, because it determines the fields. */
const copyPayment = (payment: Payment.Payment): Payment.Payment => {
  if (!isObject(payment)) return payment
  const { method } = payment
  if (!isMethod(method)) return { method } as never
  const { method: _method, ...rules } = paymentRules[method]
  const copied = { ...copy(payment, rules), method } as Payment.Payment
  return "domain" in copied ? { ...copied, domain: copy(copied.domain, domainRules) } : copied
}

/** Copies a payment to sign, so that what is verified is what is signed even if the caller's objects change. */
export const snapshotPayment = ({
  deployment,
  geoOpHash,
  maxLifetimeSeconds,
  payment,
  quote,
  request
}: Signer.PaymentToSign): Signer.PaymentToSign => ({
  geoOpHash,
  ...(maxLifetimeSeconds !== undefined && { maxLifetimeSeconds }),
  request: copy(request, requestRules),
  quote: copy(quote, quoteRules),
  ...snapshotDeployment(deployment),
  payment: copyPayment(payment)
})

export const snapshotAuthorization = ({
  address: delegate,
  chainId,
  deployment,
  nonce
}: Signer.AuthorizationToSign): Signer.AuthorizationToSign => ({
  chainId,
  address: delegate,
  nonce,
  ...snapshotDeployment(deployment)
})
