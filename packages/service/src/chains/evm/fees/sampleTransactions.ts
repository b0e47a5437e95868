/** Transactions that are as long as those of swaps, and compress as badly. A rollup's price for their data is read with them. */
import { Chain } from "@geoswap/core"
import { type Address, concatHex, type Hex, keccak256, serializeTransaction, slice, stringToHex } from "viem"
import type { EvmOperation } from "../../../domain/SwapRecord.js"
import { type Call, callOf } from "../transactions/vaultCalls.js"

/** The kinds of transactions: a collection with an authorization, any other collection, and deliveries. */
export type SampleKind = "first" | "later" | "deliver" | "deliverNative"

/** A transaction that is not sent. */
export interface Sample {
  readonly kind: SampleKind
  readonly call: Call
  /** The transaction without its signature. */
  readonly unsigned: Hex
  /** Bytes like those of the authorization, which are not part of the call's data. */
  readonly rest: Hex
}

/** 32 bytes without a pattern. */
const word = (seed: string): Hex => keccak256(stringToHex(`geoswap sample ${seed}`))
const address = (seed: string): Address => slice(word(seed), 12)
/** An address that holds nothing. */
export const stranger = address("recipient")
/** A number with 8 bytes, like an amount of a token with 18 decimals. */
const amount = BigInt(slice(word("amount"), 24))
/** A valid s value is in the lower half of the curve's order. */
const lowWord = (seed: string): Hex => `0x0${word(seed).slice(3)}`

const authorization = { nonce: 1, yParity: 1, r: lowWord("authorization r"), s: lowWord("authorization s") } as const

const operationOf = (chainId: number, isFirst: boolean): EvmOperation => ({
  _tag: "evm",
  delegate: address("delegate"),
  vault: address("vault"),
  nonce: "1000",
  deadline: 2_000_000_000,
  method: "message",
  signature: `${lowWord("r")}${lowWord("s").slice(2)}1b`,
  ...(isFirst && { authorization: { ...authorization, chainId, address: address("delegate") } })
})

const callFor = (chainId: number, vault: Address, kind: SampleKind): Call => {
  const common = { orderId: word("order"), token: address("token"), amount }
  if (kind === "deliver" || kind === "deliverNative") {
    const token = kind === "deliver" ? common.token : Chain.nativeToken.evm
    return callOf(vault, { ...common, kind: "deliver", token, to: stranger, opensAccount: false })
  }
  const operation = operationOf(chainId, kind === "first")
  return callOf(vault, { ...common, kind: "collect", wallet: address("wallet"), terms: word("terms"), operation })
}

/** The fields of a transaction that are not part of its call. */
const fields = { nonce: 100_000, gas: 123_456n, maxFeePerGas: 12_345_678_901n, maxPriorityFeePerGas: 1_234_567_890n }

/** Creates the sample transactions of a chain. `order` is the id of an order that no vault knows. */
export const make = (
  chainId: number,
  vault: Address
): Readonly<Record<SampleKind, Sample>> & { readonly order: Hex } => {
  const sample = (kind: SampleKind): Sample => {
    const call = callFor(chainId, vault, kind)
    const { authorizationList, data, to } = call
    const unsigned =
      authorizationList === undefined
        ? serializeTransaction({ ...fields, chainId, data, to, type: "eip1559" })
        : serializeTransaction({ ...fields, authorizationList, chainId, data, to, type: "eip7702" })
    const rest = kind === "first" ? concatHex([word("rest"), word("of the"), word("authorization")]) : "0x"
    return { kind, call, unsigned, rest }
  }
  return {
    order: word("order"),
    first: sample("first"),
    later: sample("later"),
    deliver: sample("deliver"),
    deliverNative: sample("deliverNative")
  }
}

export type Samples = ReturnType<typeof make>
