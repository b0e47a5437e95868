/** A job on an EVM chain: the call to the vault, and the event that proves that the job was done. */
import { GeoVault } from "@geoswap/contracts"
import { Chain } from "@geoswap/core"
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseSignature,
  type SignedAuthorization,
  signatureToCompactSignature
} from "viem"
import type { CollectJob, Job, SendJob } from "../../../domain/Job.js"
import { type EvmOperation, paymentMethodOf } from "../../../domain/SwapRecord.js"

/** Converts an address to lowercase, because viem rejects a wrong checksum. */
export const addressOf = (text: string): Address => text.toLowerCase() as Address

/** Whether a token is the native token. */
export const isNative = (token: string): boolean => Chain.sameAddress("evm", token, Chain.nativeToken.evm)

/** A call to the vault. */
export interface Call {
  readonly to: Address
  readonly data: Hex
  readonly authorizationList?: readonly [SignedAuthorization]
}

const compact = (signature = "") => {
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(signature as Hex))
  return [r, yParityAndS] as const
}

/** The index of a payment through Permit2, in the service's space of nonces. */
export const permit2Index = ({ nonce }: Pick<EvmOperation, "nonce">): bigint => {
  const [, index] = /^permit2:([0-9]+)$/.exec(nonce) ?? []
  if (index === undefined) throw new TypeError(`${nonce} is not an index of Permit2.`)
  return BigInt(index)
}

/** A job that collects a payment without a delegation, and the signed payment. */
export const paymentOf = (job: Job): readonly [CollectJob, EvmOperation] | undefined =>
  job.kind === "collect" && job.operation._tag === "evm" && paymentMethodOf(job.operation) !== undefined
    ? [job, job.operation]
    : undefined

/** The data of the call that collects an operation or a payment, by its method. */
const collectData = ({ amount, orderId, terms, token, wallet }: CollectJob, operation: EvmOperation): Hex => {
  const { abi } = GeoVault
  const account = addressOf(wallet)
  const signature = compact(operation.signature)
  const payment = {
    token: addressOf(token),
    amount,
    orderId: orderId as Hex,
    terms: terms as Hex,
    deadline: BigInt(operation.deadline)
  }
  const { method } = operation
  switch (method) {
    case "message":
    case "typed": {
      const args = [account, { ...payment, nonce: BigInt(operation.nonce) }, ...signature] as const
      return encodeFunctionData({ abi, functionName: method === "typed" ? "collectTyped" : "collect", args })
    }
    case "eip3009":
      return encodeFunctionData({
        abi,
        functionName: "collectWithAuthorization",
        args: [account, payment, ...signature]
      })
    case "permit2":
      return encodeFunctionData({
        abi,
        functionName: "collectWithPermit2",
        args: [account, payment, permit2Index(operation), ...signature]
      })
    case "erc2612":
      return encodeFunctionData({
        abi,
        functionName: "collectWithPermit",
        args: [account, payment, permit2Index(operation), ...signature, ...compact(operation.permitSignature)]
      })
  }
}

const collectOf = (vault: Address, job: CollectJob): Call => {
  const { operation } = job
  if (operation._tag !== "evm") throw new TypeError("A Solana operation cannot be sent to an EVM vault.")
  const data = collectData(job, operation)
  const { authorization } = operation
  if (authorization === undefined) return { to: vault, data }
  return { to: vault, data, authorizationList: [{ ...authorization, address: addressOf(authorization.address) }] }
}

/** Returns the vault call that performs a job. Throws if the wallet's signature cannot be encoded for the vault. */
export const callOf = (vault: Address, job: Job): Call => {
  if (job.kind === "collect") return collectOf(vault, job)
  const args = [job.orderId as Hex, addressOf(job.token), addressOf(job.to), job.amount] as const
  return { to: vault, data: encodeFunctionData({ abi: GeoVault.abi, functionName: job.kind, args }) }
}

/** The call that reads whether a vault has paid an order. */
export const isUsedCall = (vault: Address, { orderId }: Job) =>
  ({ abi: GeoVault.abi, address: vault, functionName: "isUsed", args: [orderId as Hex] }) as const

/** The fields of a log that are compared with an expected event. */
export interface Event {
  readonly address: Address
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const collectedOf = ({ amount, orderId, terms, token, wallet }: CollectJob): Omit<Event, "address"> => ({
  topics: encodeEventTopics({
    abi: GeoVault.abi,
    eventName: "Collected",
    args: { orderId: orderId as Hex, account: addressOf(wallet) }
  }) as ReadonlyArray<Hex>,
  data: encodeAbiParameters(
    [{ type: "address" }, { type: "uint256" }, { type: "bytes32" }],
    [addressOf(token), amount, terms as Hex]
  )
})

const sentOf = ({ amount, kind, orderId, to, token }: SendJob): Omit<Event, "address"> => ({
  topics: encodeEventTopics({
    abi: GeoVault.abi,
    eventName: kind === "deliver" ? "Delivered" : "Refunded",
    args: { swapId: orderId as Hex, to: addressOf(to), token: addressOf(token) }
  }) as ReadonlyArray<Hex>,
  data: encodeAbiParameters([{ type: "uint256" }], [amount])
})

/**
 * Returns the log that proves that a job was done. Every field must match, including our vault's address, because a
 * wallet can emit any log.
 */
export const eventOf = (vault: Address, job: Job): Event => ({
  address: vault,
  ...(job.kind === "collect" ? collectedOf(job) : sentOf(job))
})

/** Whether a log matches an event exactly. */
export const isEvent = (event: Event, { address, data, topics }: Event): boolean => {
  const text = (log: Event) => [log.address, ...log.topics, log.data].join().toLowerCase()
  return text(event) === text({ address, data, topics })
}

/**
 * Whether a log proves that a job was done, no matter who did it. A refund may be larger than the job's amount, because
 * the vault's owner refunds the whole input even if the recipient is at fault.
 */
export const proves = (vault: Address, job: Job, log: Event): boolean => {
  const event = eventOf(vault, job)
  if (job.kind !== "refund" || log.data.length !== event.data.length) return isEvent(event, log)
  return BigInt(log.data) >= job.amount && isEvent(event, { ...log, data: event.data })
}

/** Returns what a log that proves a refund paid, if that is more than the job's amount. */
export const excessOf = (job: Job, { data }: Event): { readonly amount?: bigint } =>
  job.kind === "refund" && BigInt(data) !== job.amount ? { amount: BigInt(data) } : {}
