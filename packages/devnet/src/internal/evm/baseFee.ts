/** The base fee of an EVM chain, which is steady while the chain is idle. */
import type { EdrProvider } from "./edrProvider.js"

/**
 * Lets the base fee of the next block not fall below the least one. A lower one that was set stays as it is. With a base
 * fee that starts high and falls, the first quotes after a start would cost a multiple of later ones.
 */
export const keepBaseFee = async (call: EdrProvider["call"], least: bigint): Promise<void> => {
  const { baseFeePerGas } = (await call("eth_feeHistory", "0x1", "latest", [])) as {
    readonly baseFeePerGas: ReadonlyArray<string>
  }
  const [last = 0n, next = 0n] = baseFeePerGas.map(BigInt)
  if (last < least || next >= least) return
  await call("hardhat_setNextBlockBaseFeePerGas", `0x${least.toString(16)}`)
}
