/** The addresses of the programs known to the signer and the reader. */
import type { Address } from "@solana/kit"

export const computeBudgetProgram = "ComputeBudget111111111111111111111111111111" as Address
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address
export const token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address
export const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address
export const lookupTableProgram = "AddressLookupTab1e1111111111111111111111111" as Address
export const associatedTokenProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" as Address
