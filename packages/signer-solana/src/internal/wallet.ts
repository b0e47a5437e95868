/** What every kind of wallet comes down to. */

/** A transaction for a wallet to sign. The bytes are copies: whatever a wallet does to them, ours stay as they are. */
export interface SigningRequest {
  readonly text: string
  readonly bytes: Uint8Array
  readonly messageBytes: Uint8Array
  readonly originChain: number
  readonly signal: AbortSignal
}

/**
 * What a wallet gave back, not looked at yet: its signature, the whole transaction in the form of the wire, or what came
 * in place of the list that holds either.
 */
export type WalletAnswer =
  | { readonly signature: unknown; readonly others?: () => ReadonlyArray<unknown> }
  | { readonly transaction: unknown; readonly others?: () => ReadonlyArray<unknown> }
  | { readonly noList: unknown }

export interface Wallet {
  /** What errors call it. */
  readonly name: string
  readonly address: string
  /** `others` of its answer are the accounts that it could have signed with by mistake. */
  readonly sign: (asked: SigningRequest) => Promise<WalletAnswer>
}
