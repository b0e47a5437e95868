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
import type { CollectJob, Job, SendJob } from "../Chains.js"

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

const collectOf = (vault: Address, { amount, operation, orderId, terms, token, wallet }: CollectJob): Call => {
  if (operation._tag !== "evm") throw new TypeError("A Solana operation cannot be sent to an EVM vault.")
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(operation.signature as Hex))
  const op = {
    token: addressOf(token),
    amount,
    orderId: orderId as Hex,
    terms: terms as Hex,
    nonce: BigInt(operation.nonce),
    deadline: BigInt(operation.deadline)
  }
  const args = [addressOf(wallet), op, r, yParityAndS] as const
  const data = encodeFunctionData({ abi: GeoVault.abi, functionName: "collect", args })
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
 * the vault's owner, or a replica running the previous version, refunds the whole input even if the recipient is at
 * fault.
 */
export const proves = (vault: Address, job: Job, log: Event): boolean => {
  const event = eventOf(vault, job)
  if (job.kind !== "refund" || log.data.length !== event.data.length) return isEvent(event, log)
  return BigInt(log.data) >= job.amount && isEvent(event, { ...log, data: event.data })
}

/** Returns what a log that proves a refund paid, if that is more than the job's amount. */
export const excessOf = (job: Job, { data }: Event): { readonly amount?: bigint } =>
  job.kind === "refund" && BigInt(data) !== job.amount ? { amount: BigInt(data) } : {}
