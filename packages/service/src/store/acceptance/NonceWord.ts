/** The nonces of wallets' operations. */

/** One 256-bit word of the bitmap of a wallet's operation indices, as the chain reports it. */
export interface NonceWord {
  /** Index `i` is in word `i >> 8n`. */
  readonly word: bigint
  /** Bit `i & 255n` is set if index `i` has been used. */
  readonly used: bigint
}

/** The nonces of accounts' operations, and those of payments through Permit2. An index is unique within its space. */
export type NonceSpace = "account" | "permit2"

/** The result of taking an operation index. */
export type NonceTaking =
  | { readonly _tag: "Taken"; readonly index: bigint }
  /** The word has no free index, or it is not the wallet's current word. Read the word `word` instead. */
  | { readonly _tag: "Elsewhere"; readonly word: bigint }
