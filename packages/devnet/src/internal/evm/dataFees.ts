/** Charges senders for the data of their transactions, as rollups do. EDR runs the transactions without these fees. */
import type { EdrProvider } from "./edrProvider.js"

type Fields = Readonly<Record<string, unknown>>

/** The signed transaction with a hash, if there is one. */
export type RawOf = (hash: string) => unknown

/** A transaction in a block. */
export interface Included {
  readonly hash: string
  readonly raw: string
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly gasPrice: bigint
  readonly baseFee: bigint
}

/** Reads a quantity; 0 if there is none. */
export const quantityOf = (value: unknown): bigint => (typeof value === "string" ? BigInt(value) : 0n)

/** Takes the cost of its data from the sender of each signed transaction in the latest block. */
export const chargeSenders = async (
  call: EdrProvider["call"],
  rawOf: RawOf,
  costOf: (transaction: Included) => bigint | Promise<bigint>
): Promise<void> => {
  const block = (await call("eth_getBlockByNumber", "latest", false)) as Fields
  for (const hash of block["transactions"] as ReadonlyArray<string>) {
    const raw = rawOf(hash)
    if (typeof raw !== "string") continue
    const receipt = (await call("eth_getTransactionReceipt", hash)) as Fields
    const { gas } = (await call("eth_getTransactionByHash", hash)) as Fields
    const cost = await costOf({
      hash,
      raw,
      gasLimit: quantityOf(gas),
      gasUsed: quantityOf(receipt["gasUsed"]),
      gasPrice: quantityOf(receipt["effectiveGasPrice"]),
      baseFee: quantityOf(block["baseFeePerGas"])
    })
    const balance = quantityOf(await call("eth_getBalance", receipt["from"], "latest"))
    await call("hardhat_setBalance", receipt["from"], `0x${(balance > cost ? balance - cost : 0n).toString(16)}`)
  }
}
