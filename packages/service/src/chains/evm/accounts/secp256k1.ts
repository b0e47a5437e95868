/** The curve used for EVM signatures. */

/**
 * Half of the curve's order. Nodes reject signatures, and skip authorizations, whose `s` is above this value (EIP-2).
 */
export const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
