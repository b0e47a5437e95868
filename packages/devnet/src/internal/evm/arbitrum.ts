/**
 * Arbitrum's fee for the data of a transaction: additional gas, which the receipt, the gas limit and the sender's balance
 * include. EDR runs a transaction without it, and the chain charges it after the block.
 */
import { createHash } from "node:crypto"
import { brotliCompressSync, constants } from "node:zlib"
import { invalidParams, RpcError } from "../rpcError.js"
import { chargeSenders, quantityOf, type RawOf } from "./dataFees.js"
import type { EdrProvider } from "./edrProvider.js"

type Call = EdrProvider["call"]
type Fields = Readonly<Record<string, unknown>>

const quantity = (value: bigint): string => `0x${value.toString(16)}`

/** The price in wei per unit of data, of which a compressed byte has 16. With it, a transfer pays about 20,000 gas. */
const pricePerUnit = 200_000_000n
const unitsPerByte = 16n
/** Estimates include a tenth more, as the price may rise. */
const estimatedPercent = 110n
const transferGas = 21_000n

/** The gas for the data of a transaction at a base fee. */
const dataGas = (raw: Uint8Array, baseFee: bigint): bigint => {
  const { length } = brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  return (BigInt(length) * unitsPerByte * pricePerUnit) / (baseFee === 0n ? 1n : baseFee)
}

const bytesOf = (hex: unknown): Buffer => Buffer.from(String(hex).slice(2), "hex")

/** A signed transaction with this recipient and data. The signature and fees do not compress, as in a real one. */
const standIn = ({ data, input = data ?? "0x", to = "0x" }: Fields): Uint8Array => {
  const incompressible = ["a", "b", "c"].map((seed) => createHash("sha256").update(seed).digest())
  return Buffer.concat([...incompressible, bytesOf(to), bytesOf(input)])
}

const nodeInterface = "0x00000000000000000000000000000000000000c8"
/** The function `gasEstimateL1Component(address,bool,bytes)`. */
const gasEstimateL1Component = "0x77d488a2"

/** What a chain does differently on Arbitrum. */
export interface Arbitrum {
  /** Refuses a transaction whose gas limit cannot pay for its data. */
  readonly check: (raw: unknown, gasLimit: bigint) => Promise<void>
  /** Charges the senders in the latest block for their data. */
  readonly charge: (rawOf: RawOf) => Promise<void>
  /** The receipt with the gas that was charged. */
  readonly receipt: (receipt: unknown) => Promise<unknown>
  /** The block with the gas that was charged. */
  readonly block: (block: unknown) => unknown
  /** An estimate with the gas for the data. */
  readonly estimate: (transaction: unknown, gas: unknown) => Promise<unknown>
  /** Answers calls of `NodeInterface`, which has no code. Returns undefined for other calls. */
  readonly answer: (transaction: unknown) => Promise<string | undefined>
}

export const makeArbitrum = (call: Call): Arbitrum => {
  /** The gas for data that was charged, by transaction. */
  const charged = new Map<string, bigint>()
  const nextBaseFee = async () => {
    const { baseFeePerGas } = (await call("eth_feeHistory", "0x1", "latest", [])) as { baseFeePerGas: Array<string> }
    return quantityOf(baseFeePerGas[1])
  }
  const gasOf = (hashes: ReadonlyArray<string>) => hashes.reduce((sum, hash) => sum + (charged.get(hash) ?? 0n), 0n)
  const hashesOf = ({ transactions }: Fields) =>
    (transactions as ReadonlyArray<string | { readonly hash: string }>).map((one) =>
      typeof one === "string" ? one : one.hash
    )

  return {
    check: async (raw, gasLimit) => {
      if (gasLimit >= transferGas + dataGas(bytesOf(raw), await nextBaseFee())) return
      throw new RpcError(-32000, "intrinsic gas too low")
    },
    charge: (rawOf) =>
      chargeSenders(call, rawOf, ({ baseFee, gasLimit, gasPrice, gasUsed, hash, raw }) => {
        const [data, left] = [dataGas(bytesOf(raw), baseFee), gasLimit - gasUsed]
        const paid = data < left ? data : left
        charged.set(hash, paid)
        return paid * gasPrice
      }),
    receipt: async (receipt) => {
      if (typeof receipt !== "object" || receipt === null) return receipt
      const found = receipt as Fields
      const own = charged.get(String(found["transactionHash"])) ?? 0n
      const hashes = hashesOf((await call("eth_getBlockByHash", found["blockHash"], false)) as Fields)
      const before = gasOf(hashes.slice(0, Number(found["transactionIndex"])))
      return {
        ...found,
        gasUsed: quantity(quantityOf(found["gasUsed"]) + own),
        cumulativeGasUsed: quantity(quantityOf(found["cumulativeGasUsed"]) + before + own),
        gasUsedForL1: quantity(own),
        l1BlockNumber: found["blockNumber"]
      }
    },
    block: (block) => {
      if (typeof block !== "object" || block === null) return block
      const found = block as Fields
      return { ...found, gasUsed: quantity(quantityOf(found["gasUsed"]) + gasOf(hashesOf(found))) }
    },
    estimate: async (transaction, gas) => {
      const data = dataGas(standIn(transaction as Fields), await nextBaseFee())
      return quantity(quantityOf(gas) + (data * estimatedPercent) / 100n)
    },
    answer: async (transaction) => {
      const { data, input = data, to } = (transaction ?? {}) as Fields
      if (String(to).toLowerCase() !== nodeInterface) return undefined
      const words = String(input)
      if (!words.startsWith(gasEstimateL1Component)) {
        throw invalidParams("NodeInterface has only gasEstimateL1Component on a devnet")
      }
      const recipient = `0x${words.slice(34, 74)}`
      const length = Number(BigInt(`0x${words.slice(10 + 3 * 64, 10 + 4 * 64)}`))
      const start = 10 + 4 * 64
      const baseFee = await nextBaseFee()
      const raw = standIn({ to: recipient, data: `0x${words.slice(start, start + 2 * length)}` })
      const results = [(dataGas(raw, baseFee) * estimatedPercent) / 100n, baseFee, pricePerUnit]
      return `0x${results.map((value) => value.toString(16).padStart(64, "0")).join("")}`
    }
  }
}
