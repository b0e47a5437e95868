/** The base fee of an EVM chain, which is steady while the chain is idle. */
import type { EdrProvider } from "./edrProvider.js"

/**
 * The base fee of the first block, in wei, as on a rollup. On EDR, the base fee never falls below it unless it is set.
 * With a base fee that starts high and falls, the first quotes after a start would cost a multiple of later ones.
 */
export const leastBaseFee = 10_000_000n

/** Lets the base fee of the next block not fall below the least one. A lower one that was set stays as it is. */
export const keepBaseFee = async (call: EdrProvider["call"]): Promise<void> => {
  const { baseFeePerGas } = (await call("eth_feeHistory", "0x1", "latest", [])) as {
    readonly baseFeePerGas: ReadonlyArray<string>
  }
  const [last = 0n, next = 0n] = baseFeePerGas.map(BigInt)
  if (last < leastBaseFee || next >= leastBaseFee) return
  await call("hardhat_setNextBlockBaseFeePerGas", `0x${leastBaseFee.toString(16)}`)
}
