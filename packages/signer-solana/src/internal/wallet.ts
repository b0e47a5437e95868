/** The interface between the signer and every kind of wallet. */

/** A transaction for a wallet to sign. The bytes are copies, so a wallet cannot change the original. */
export interface SigningRequest {
  readonly text: string
  readonly bytes: Uint8Array
  readonly messageBytes: Uint8Array
  readonly originChain: number
  readonly signal: AbortSignal
}

/**
 * A wallet's unverified response: its signature, the encoded transaction, or the value that it returned instead of an
 * array of results.
 */
export type WalletAnswer =
  | { readonly signature: unknown; readonly others?: () => ReadonlyArray<unknown> }
  | { readonly transaction: unknown; readonly others?: () => ReadonlyArray<unknown> }
  | { readonly notArray: unknown }

export interface Wallet {
  /** The wallet's name in error messages. */
  readonly name: string
  readonly address: string
  /** Signs a transaction. In the response, `others` are accounts that the wallet may have signed with by mistake. */
  readonly sign: (request: SigningRequest) => Promise<WalletAnswer>
}
