/**
 * The OP stack: its predeployed contracts, and the fees for the data of transactions on Ethereum. EDR could run the OP stack
 * itself, but without delegations (EIP-7702).
 */
import { type AccountOverride, ISTHMUS, opGenesisState, opHardforkFromString } from "@nomicfoundation/edr"
import { chargeSenders, type RawOf } from "./dataFees.js"
import type { EdrProvider } from "./edrProvider.js"
import type { PooledTransaction } from "./txpool.js"

const l1Block = "4200000000000000000000000000000000000015"
const gasPriceOracle = "0x420000000000000000000000000000000000000f"

/** The fees on Ethereum, in wei, and the scalars of Base. With them, data costs about as much as a transfer. */
const l1 = {
  baseFee: 1_000_000_000n,
  blobBaseFee: 1_000_000_000n,
  baseFeeScalar: 2_269n,
  blobBaseFeeScalar: 1_055_762n
}

/** The storage of the contract `L1Block`. EDR's own has its scalars in the wrong place, so that data costs nothing. */
const l1BlockStorage = [
  { index: 1n, value: l1.baseFee },
  { index: 3n, value: (l1.baseFeeScalar << 96n) | (l1.blobBaseFeeScalar << 64n) },
  { index: 7n, value: l1.blobBaseFee }
]

/** The accounts of the first block, with `GasPriceOracle`, `L1Block` and the other predeployed contracts. */
export const opAccounts = (): ReadonlyArray<AccountOverride> =>
  opGenesisState(opHardforkFromString(ISTHMUS)).map((account) =>
    Buffer.from(account.address).toString("hex") === l1Block ? { ...account, storage: l1BlockStorage } : account
  )

/** The function `getL1Fee(bytes)`. */
const getL1Fee = "0x49948e0e"
/** The function `getOperatorFee(uint256)`. */
const getOperatorFee = "0x275aedd2"

const word = (value: bigint | number): string => value.toString(16).padStart(64, "0")

/** What Fjord charges for, at least, and per compressed byte, in millionths of a byte. */
const leastSize = 100_000_000n
const perByte = 836_500n
/** The oracle expects a transaction without a signature, for which it adds these bytes. */
const signatureBytes = 68n
const priceUnit = 1_000_000_000_000n

/** The fees of a signed transaction, and what they are computed from. */
const feesOf = async (call: EdrProvider["call"], raw: string, gas: bigint) => {
  const ask = async (data: string) => BigInt(String(await call("eth_call", { to: gasPriceOracle, data }, "latest")))
  const slot = async (index: string) => BigInt(String(await call("eth_getStorageAt", `0x${l1Block}`, index, "latest")))
  const bytes = raw.slice(2)
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0")
  const unsigned = await ask(`${getL1Fee}${word(32)}${word(bytes.length / 2)}${padded}`)
  const operatorFee = await ask(`${getOperatorFee}${word(gas)}`)
  const [baseFee, scalars, blobBaseFee] = [await slot("0x1"), await slot("0x3"), await slot("0x7")]
  const [baseFeeScalar, blobBaseFeeScalar] = [BigInt.asUintN(32, scalars >> 96n), BigInt.asUintN(32, scalars >> 64n)]
  const price = 16n * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar
  // The oracle's fee determines the size, from which the bytes of the signature are subtracted again.
  const fromOracle = price === 0n ? 0n : (unsigned * priceUnit + price - 1n) / price - signatureBytes * perByte
  const size = fromOracle > leastSize ? fromOracle : leastSize
  return {
    l1Fee: (size * price) / priceUnit,
    l1GasUsed: (size * 16n) / 1_000_000n,
    operatorFee,
    baseFee,
    baseFeeScalar,
    blobBaseFee,
    blobBaseFeeScalar,
    operator: await slot("0x8")
  }
}

/** The fee for the data of a signed transaction, and the operator's fee for its gas limit. */
export const opFee = async (call: EdrProvider["call"], raw: string, gasLimit: bigint): Promise<bigint> => {
  const { l1Fee, operatorFee } = await feesOf(call, raw, gasLimit)
  return l1Fee + operatorFee
}

/** What a chain of the OP stack does in addition. */
export interface OpStack {
  /** Charges the senders in the latest block for their data. */
  readonly charge: (rawOf: RawOf) => Promise<void>
  /** The receipt with the fees that were charged, as op-geth names them. */
  readonly receipt: (receipt: unknown) => unknown
}

export const makeOpStack = (call: EdrProvider["call"]): OpStack => {
  const charged = new Map<unknown, Readonly<Record<string, string>>>()
  const quantity = (value: bigint) => `0x${value.toString(16)}`
  return {
    charge: (rawOf) =>
      chargeSenders(call, rawOf, async ({ gasUsed, hash, raw }) => {
        const fees = await feesOf(call, raw, gasUsed)
        charged.set(hash, {
          l1Fee: quantity(fees.l1Fee),
          l1GasPrice: quantity(fees.baseFee),
          l1GasUsed: quantity(fees.l1GasUsed),
          l1BaseFeeScalar: quantity(fees.baseFeeScalar),
          l1BlobBaseFee: quantity(fees.blobBaseFee),
          l1BlobBaseFeeScalar: quantity(fees.blobBaseFeeScalar),
          operatorFeeScalar: quantity(BigInt.asUintN(32, fees.operator >> 64n)),
          operatorFeeConstant: quantity(BigInt.asUintN(64, fees.operator))
        })
        return fees.l1Fee + fees.operatorFee
      }),
    receipt: (receipt) =>
      typeof receipt === "object" && receipt !== null && "transactionHash" in receipt
        ? { ...receipt, l1Fee: "0x0", ...charged.get(receipt.transactionHash) }
        : receipt
  }
}

/** Drops the transactions that their senders cannot pay, with the fees for data. */
export const dropInsolvent = async (
  call: EdrProvider["call"],
  pool: ReadonlyArray<PooledTransaction>,
  rawOf: RawOf
): Promise<void> => {
  const left = new Map<string, bigint>()
  for (const { from, hash } of pool.toSorted((a, b) => Number(a.nonce) - Number(b.nonce))) {
    const {
      gas,
      gasPrice,
      maxFeePerGas = gasPrice,
      value
    } = (await call("eth_getTransactionByHash", hash)) as Readonly<Record<string, string>>
    const [raw, limit] = [rawOf(hash), BigInt(gas ?? 0)]
    const data = typeof raw === "string" ? await opFee(call, raw, limit) : 0n
    const cost = limit * BigInt(maxFeePerGas ?? 0) + BigInt(value ?? 0) + data
    const balance = left.get(from) ?? BigInt(String(await call("eth_getBalance", from, "latest")))
    left.set(from, balance - cost)
    if (balance < cost) await call("hardhat_dropTransaction", hash)
  }
}
