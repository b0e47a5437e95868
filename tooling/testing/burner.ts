/**
 * A contract that burns the gas that it is given, once it is switched on: any calldata is stored in its first slot, and while
 * that is not zero, a call without calldata logs 256 bytes until fewer than 5,000 gas are left. It succeeds with however
 * little gas. A log costs much gas, and takes a node little time.
 */
import { type Hex, numberToHex } from "viem"

export const bytecode: Hex =
  "0x60238060095f395ff336600a575f54601057005b5f355f55005b6113885a106021576101005fa06010565b00"

/** Calldata that turns the burning on or off. */
export const burning = (burns: boolean): Hex => numberToHex(burns ? 1n : 0n, { size: 32 })
