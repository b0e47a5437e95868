/**
 * A contract that burns the gas that it is given, once it is switched on: any calldata is stored in its first slot, and while
 * that is not zero, a call without calldata loops until 5,000 gas are left. It succeeds with however little gas.
 */
import { type Hex, numberToHex } from "viem"

export const bytecode: Hex = "0x7936600a575f54601057005b5f355f55005b6113885a11601057005f52601a6006f3"

/** Calldata that turns the burning on or off. */
export const burning = (burns: boolean): Hex => numberToHex(burns ? 1n : 0n, { size: 32 })
