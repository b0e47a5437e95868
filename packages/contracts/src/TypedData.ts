/**
 * The EIP-712 types of every message that a wallet signs as typed data to pay, in the form that viem uses. The contract
 * design specifies the values of the fields.
 */

const Terms = [
  { name: "destinationChain", type: "uint256" },
  { name: "outputToken", type: "bytes32" },
  { name: "recipient", type: "bytes32" },
  { name: "minOutput", type: "uint256" }
] as const

const GeoOrder = [
  { name: "wallet", type: "address" },
  { name: "chainId", type: "uint256" },
  { name: "orderId", type: "bytes32" },
  { name: "terms", type: "Terms" }
] as const

/** The destination side of a swap. Its `hashStruct` is `terms` in every contract. */
export const terms = { Terms } as const

/** An order without a delegation. Its `hashStruct` is the nonce in EIP-3009 and the witness in Permit2. */
export const order = { GeoOrder, Terms } as const

/** An operation of a delegated wallet, in the domain of the account contract. */
export const operation = {
  GeoOp: [
    { name: "wallet", type: "address" },
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "vault", type: "address" },
    { name: "orderId", type: "bytes32" },
    { name: "terms", type: "Terms" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" }
  ],
  Terms
} as const

/** The payment of a token with EIP-3009, in the domain of the token. */
export const authorization = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" }
  ]
} as const

/** The payment through Permit2, in the domain of Permit2. */
export const permit2 = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "GeoOrder" }
  ],
  GeoOrder,
  Terms,
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" }
  ]
} as const

/** The approval of Permit2 by a token with ERC-2612, in the domain of the token. The approval alone pays nothing. */
export const permit = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" }
  ]
} as const

/** The fields of the domain of the account contract and of tokens. */
export const domain = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
] as const

/** The fields of the domain of Permit2, which has no version. */
export const permit2Domain = [
  { name: "name", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
] as const
