/** The interface between the signer and every kind of wallet. */
import type { Hex } from "@geoswap/core"

/** The signed fields of an EIP-7702 authorization. */
export interface Tuple {
  readonly chainId: number
  /** The contract to delegate to, or the zero address to remove the delegation. */
  readonly address: Hex.Hex
  readonly nonce: number
}

/** The holder of the key. It may return anything, so the signer verifies its responses. */
export interface Wallet {
  readonly address: Hex.Hex
  /** The name used in error messages if the caller does not set one. */
  readonly name: string
  /** Whether the wallet's errors have EIP-1193 or JSON-RPC codes. */
  readonly jsonRpc: boolean
  /** Signs 32 raw bytes with personal_sign. */
  readonly signMessage: (raw: Hex.Hex, signal: AbortSignal) => unknown
  /** Signs an EIP-7702 authorization. Omitted if the wallet cannot sign authorizations. */
  readonly signAuthorization?: (tuple: Tuple, signal: AbortSignal) => unknown
}
