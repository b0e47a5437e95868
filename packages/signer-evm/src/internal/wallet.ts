/** The interface between the signer and every kind of wallet. */
import type { Hex } from "@geoswap/core"
import type { TypedData } from "@geoswap/core/adapters"

/** The signed fields of an EIP-7702 authorization. */
export interface Tuple {
  readonly chainId: number
  /** The contract to delegate to, or the zero address to remove the delegation. */
  readonly address: Hex.Hex
  readonly nonce: number
}

/** Typed data that the signer has built, its chain and its digest. */
export interface TypedDataToSign {
  readonly data: TypedData
  readonly digest: Hex.Hex
  readonly chainId: number
}

/** Reads and switches the active chain of a browser wallet. Both may return or throw anything. */
export interface ActiveChain {
  readonly read: () => unknown
  readonly switchTo: (chainId: number) => unknown
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
  /**
   * Signs typed data that the signer has built, or its digest. Omitted if the wallet cannot sign typed data. There is
   * no function that signs any other 32 bytes without the personal_sign prefix.
   */
  readonly signTypedData?: (typed: TypedDataToSign, signal: AbortSignal) => unknown
  /** The chain that a browser wallet is connected to, which must be the chain in the typed data. */
  readonly activeChain?: ActiveChain
  /** Signs an EIP-7702 authorization. Omitted if the wallet cannot sign authorizations. */
  readonly signAuthorization?: (tuple: Tuple, signal: AbortSignal) => unknown
}
