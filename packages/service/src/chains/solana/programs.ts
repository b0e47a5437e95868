/** The programs that our transactions call, and their costs. */
import { type Address, address } from "@solana/kit"

export { TOKEN_PROGRAM_ADDRESS as tokenProgram } from "@solana-program/token"

/** The memo program of our protocol. The one in its npm package is not on every cluster. */
export const memoProgram: Address = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

/** Compute unit limits. Generous, because some clusters run slower builds of these programs. */
export const unitsOf = { collect: 80_000, send: 200_000, sendNative: 60_000 } as const

/** Lamports for each signature. */
const signatureFee = 5_000n

/** The rent of a token account, in lamports. */
export const tokenAccountRent = 2_039_280n

/** The rent of an account without data, in lamports. */
export const walletRent = 890_880n

/** The fee of a transaction with two signers, in lamports. `price` is in micro-lamports per unit. */
export const feeOf = (units: number, price: bigint): bigint =>
  2n * signatureFee + (BigInt(units) * price + 999_999n) / 1_000_000n
