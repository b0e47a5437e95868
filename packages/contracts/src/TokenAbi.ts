/** The functions of tokens that payments by signature use. A token may have any of these groups, or none. */

const signature = [
  { type: "uint8", name: "v" },
  { type: "bytes32", name: "r" },
  { type: "bytes32", name: "s" }
] as const

/** EIP-3009, as far as it is used. `transferWithAuthorization` is missing on purpose: it is never signed. */
export const eip3009 = [
  {
    type: "function",
    name: "receiveWithAuthorization",
    stateMutability: "nonpayable",
    inputs: [
      { type: "address", name: "from" },
      { type: "address", name: "to" },
      { type: "uint256", name: "value" },
      { type: "uint256", name: "validAfter" },
      { type: "uint256", name: "validBefore" },
      { type: "bytes32", name: "nonce" },
      ...signature
    ],
    outputs: []
  },
  {
    type: "function",
    name: "authorizationState",
    stateMutability: "view",
    inputs: [
      { type: "address", name: "authorizer" },
      { type: "bytes32", name: "nonce" }
    ],
    outputs: [{ type: "bool", name: "" }]
  },
  {
    type: "function",
    name: "cancelAuthorization",
    stateMutability: "nonpayable",
    inputs: [{ type: "address", name: "authorizer" }, { type: "bytes32", name: "nonce" }, ...signature],
    outputs: []
  }
] as const

/** ERC-2612. */
export const erc2612 = [
  {
    type: "function",
    name: "permit",
    stateMutability: "nonpayable",
    inputs: [
      { type: "address", name: "owner" },
      { type: "address", name: "spender" },
      { type: "uint256", name: "value" },
      { type: "uint256", name: "deadline" },
      ...signature
    ],
    outputs: []
  },
  {
    type: "function",
    name: "nonces",
    stateMutability: "view",
    inputs: [{ type: "address", name: "owner" }],
    outputs: [{ type: "uint256", name: "" }]
  }
] as const

/** The EIP-712 domain: its separator, and its fields (ERC-5267), which many tokens do not have. */
export const domain = [
  {
    type: "function",
    name: "DOMAIN_SEPARATOR",
    stateMutability: "view",
    inputs: [],
    outputs: [{ type: "bytes32", name: "" }]
  },
  {
    type: "function",
    name: "eip712Domain",
    stateMutability: "view",
    inputs: [],
    outputs: [
      { type: "bytes1", name: "fields" },
      { type: "string", name: "name" },
      { type: "string", name: "version" },
      { type: "uint256", name: "chainId" },
      { type: "address", name: "verifyingContract" },
      { type: "bytes32", name: "salt" },
      { type: "uint256[]", name: "extensions" }
    ]
  }
] as const
