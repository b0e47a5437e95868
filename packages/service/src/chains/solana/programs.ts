/** The programs that our transactions call, and what running them takes. */
import { type Address, address } from "@solana/kit"

export { TOKEN_PROGRAM_ADDRESS as tokenProgram } from "@solana-program/token"

/** The memo program of our protocol; the one that its npm package names is not on every cluster. */
export const memoProgram: Address = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

/** The compute units that a transaction may take: plenty, as some clusters run slower builds of these programs. */
export const unitsOf = { collect: 80_000, send: 200_000, sendNative: 60_000 } as const

/** Lamports for each signature. */
const signatureFee = 5_000n

/** Lamports that a token account holds as its rent. */
export const tokenAccountRent = 2_039_280n

/** Lamports that an account without data has to keep. */
export const walletRent = 890_880n

/** Lamports for a transaction of two signers, with units that cost so many millionths of a lamport. */
export const feeOf = (units: number, price: bigint): bigint =>
  2n * signatureFee + (BigInt(units) * price + 999_999n) / 1_000_000n
