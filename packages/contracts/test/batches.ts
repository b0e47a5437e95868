/** Batches: many wallets that pay at once, the vault's functions for several swaps, and what their events report. */
import {
  type Address,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  parseEventLogs,
  type PrivateKeyAccount,
  type TransactionReceipt
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { type Chain, encode, errorNameBySelector, type Outcome, type Transaction } from "./chain.ts"
import { authorize, delegate, holding, operation, type Operation, owner, relayer, sign, vault } from "./fixture.ts"

/** The arguments of a delivery or a refund. */
export interface Transfer {
  readonly swapId: Hex
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}

/** More than an honest item needs. */
export const itemGas = 150_000n

/** Public test keys. */
export const payers: ReadonlyArray<PrivateKeyAccount> = Array.from({ length: 20 }, (_, index) =>
  privateKeyToAccount(numberToHex(0xabce00 + index, { size: 32 }))
)

/** Gives each payer tokens and a delegation to the account contract. */
export const preparePayers = async (chain: Chain, tokens: ReadonlyArray<Address>): Promise<void> => {
  for (const { address } of payers)
    for (const token of tokens) await chain.write(owner, token, TestToken, "mint", [address, holding])
  const authorizationList = await Promise.all(
    payers.map((payer) => authorize(payer, { chainId: chain.id, address: delegate }))
  )
  await chain.send(owner, { to: owner.address, gas: 2_000_000n, authorizationList })
}

/** An id that shares a word with its neighbours, as the service makes them. */
export const denseId = (index: number, prefix = "d5"): Hex =>
  `0x${prefix.repeat(31)}${index.toString(16).padStart(2, "0")}`

/** An id that shares a word with no other. */
export const sparseId = (index: number): Hex => keccak256(numberToHex(index))

/** The address of a holder, which has no key. */
export const holderOf = (index: number): Address => pad(numberToHex(0xc0ffee00 + index), { size: 20 })

/** The call that collects an operation of a payer. */
export const payment = async (payer: PrivateKeyAccount, fields: Partial<Operation> = {}): Promise<Hex> => {
  const op = operation(fields)
  const { r, vs } = await sign(payer, op)
  return encode(GeoVault, "collect", [payer.address, op, r, vs])
}

interface Options extends Transaction {
  readonly itemGas?: bigint
  readonly by?: PrivateKeyAccount
}

/** Sends a batch, with enough gas for every item unless a limit is given. */
const send = (chain: Chain, data: Hex, count: number, { by = relayer, itemGas: each = itemGas, ...rest }: Options) =>
  reported(chain.send(by, { to: vault, data, gas: 200_000n + BigInt(count) * (each + 20_000n), ...rest }), rest.to)

export const collectMany = (chain: Chain, calls: ReadonlyArray<Hex>, options: Options = {}) =>
  send(chain, encode(GeoVault, "collectMany", [calls, options.itemGas ?? itemGas]), calls.length, options)

export const deliverMany = (chain: Chain, items: ReadonlyArray<Transfer>, options: Options = {}) =>
  send(chain, encode(GeoVault, "deliverMany", [items, options.itemGas ?? itemGas]), items.length, options)

export const refundMany = (chain: Chain, items: ReadonlyArray<Transfer>, options: Options = {}) =>
  send(chain, encode(GeoVault, "refundMany", [items, options.itemGas ?? itemGas]), items.length, options)

/** The vault's events about a batch: the ids that settled, the index and reason of failures, and where it stopped. */
export interface Report {
  readonly settled: ReadonlyArray<Hex>
  readonly failed: Readonly<Record<number, string>>
  readonly stopped: number | undefined
}

export const reportOf = (receipt: TransactionReceipt, address: Address = vault): Report => {
  const logs = receipt.logs.filter((log) => isAddressEqual(log.address, address))
  const failed: Record<number, string> = {}
  const settled: Array<Hex> = []
  let stopped: number | undefined
  for (const { args, eventName } of parseEventLogs({ abi: GeoVault.abi, logs }))
    if (eventName === "Failed") failed[Number(args.index)] = errorNameBySelector(args.reason)
    else if (eventName === "Stopped") stopped = Number(args.index)
    else if (eventName === "Collected") settled.push(args.orderId)
    else if (eventName === "Delivered" || eventName === "Refunded") settled.push(args.swapId)
  return { settled, failed, stopped }
}

/** An outcome with the report. */
const reported = async (work: Promise<Outcome>, address?: Address): Promise<Report & Outcome> => {
  const outcome = await work
  return { ...outcome, ...reportOf(outcome.receipt, address) }
}
