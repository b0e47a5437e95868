/** The programs that our transactions call, and the cost of calling them. */
import { type Address, address } from "@solana/kit"

export { SYSTEM_PROGRAM_ADDRESS as systemProgram } from "@solana-program/system"
export { TOKEN_PROGRAM_ADDRESS as tokenProgram } from "@solana-program/token"

/** The memo program that our protocol uses. The memo program in the npm package is not available on every cluster. */
export const memoProgram: Address = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

/**
 * The highest compute unit limits. They are generous, because some clusters run slower builds of these programs. Our own
 * transactions have lower limits, from their simulation.
 */
export const unitsOf = { collect: 80_000, send: 200_000, sendToHolder: 80_000, sendNative: 60_000 } as const

/** The fee for each signature, in lamports. */
const signatureFee = 5_000n

/** The fee for a transaction with two signers, in lamports. `price` is in micro-lamports per unit. */
export const feeOf = (units: number, price: bigint) =>
  2n * signatureFee + (BigInt(units) * price + 999_999n) / 1_000_000n
