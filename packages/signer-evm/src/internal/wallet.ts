/** What the signer needs of whoever holds the key. */
import type { Hex } from "@geoswap/core"

/** What an EIP-7702 authorization says. */
export interface Tuple {
  readonly chainId: number
  /** The contract to delegate to. */
  readonly address: Hex.Hex
  readonly nonce: number
}

/** Whoever holds the key. Its answers may be anything: they are read and checked by the signer. */
export interface Wallet {
  readonly address: Hex.Hex
  /** What errors call it where the caller gives no name. */
  readonly name: string
  /** Whether it is behind JSON-RPC, and its errors have the codes of that. */
  readonly jsonRpc: boolean
  /** personal_sign over 32 raw bytes. */
  readonly signMessage: (raw: Hex.Hex, signal: AbortSignal) => unknown
  /** Absent where the wallet cannot. */
  readonly signAuthorization?: (tuple: Tuple, signal: AbortSignal) => unknown
}
