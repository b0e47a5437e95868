/** Tokens, as all rooms of the service name them. */

/** A token as seen by a venue. The native token has the address in `Chain.nativeToken`. */
export interface Asset {
  readonly chainId: number
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}
