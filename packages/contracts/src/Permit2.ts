/**
 * Uniswap's Permit2, which has the same address on every chain, and what the vault signs and calls there. Only the functions
 * and errors that payments use are in the ABI.
 */

/** The address on every chain. A chain that has no code at this address has no Permit2. */
export const address = "0x000000000022D473030F116dDEE9F6B43aC78BA3" as const

/** The name in its EIP-712 domain, which has no version. */
export const domainName = "Permit2"

/** The first of the nonces that are ours. An order's nonce is this number plus its index, which is below 2^64. */
export const firstNonce = 0xfd1c50913313d4a5cc2d99cece70c4f7a4a1cd48b3213c520000000000000000n

/** The type of the witness and of what follows it in the message, as the vault passes it. */
export const witnessType =
  "GeoOrder witness)GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)TokenPermissions(address token,uint256 amount)"

export const abi = [
  {
    type: "error",
    name: "InvalidAmount",
    inputs: [
      {
        type: "uint256",
        name: "maxAmount"
      }
    ]
  },
  {
    type: "error",
    name: "InvalidContractSignature",
    inputs: []
  },
  {
    type: "error",
    name: "InvalidNonce",
    inputs: []
  },
  {
    type: "error",
    name: "InvalidSignature",
    inputs: []
  },
  {
    type: "error",
    name: "InvalidSignatureLength",
    inputs: []
  },
  {
    type: "error",
    name: "InvalidSigner",
    inputs: []
  },
  {
    type: "error",
    name: "SignatureExpired",
    inputs: [
      {
        type: "uint256",
        name: "signatureDeadline"
      }
    ]
  },
  {
    type: "event",
    name: "UnorderedNonceInvalidation",
    inputs: [
      {
        type: "address",
        name: "owner",
        indexed: true
      },
      {
        type: "uint256",
        name: "word",
        indexed: false
      },
      {
        type: "uint256",
        name: "mask",
        indexed: false
      }
    ],
    anonymous: false
  },
  {
    type: "function",
    name: "DOMAIN_SEPARATOR",
    inputs: [],
    outputs: [
      {
        type: "bytes32",
        name: ""
      }
    ],
    stateMutability: "view"
  },
  {
    type: "function",
    name: "allowance",
    inputs: [
      {
        type: "address",
        name: ""
      },
      {
        type: "address",
        name: ""
      },
      {
        type: "address",
        name: ""
      }
    ],
    outputs: [
      {
        type: "uint160",
        name: "amount"
      },
      {
        type: "uint48",
        name: "expiration"
      },
      {
        type: "uint48",
        name: "nonce"
      }
    ],
    stateMutability: "view"
  },
  {
    type: "function",
    name: "invalidateUnorderedNonces",
    inputs: [
      {
        type: "uint256",
        name: "wordPos"
      },
      {
        type: "uint256",
        name: "mask"
      }
    ],
    outputs: [],
    stateMutability: "nonpayable"
  },
  {
    type: "function",
    name: "nonceBitmap",
    inputs: [
      {
        type: "address",
        name: ""
      },
      {
        type: "uint256",
        name: ""
      }
    ],
    outputs: [
      {
        type: "uint256",
        name: ""
      }
    ],
    stateMutability: "view"
  },
  {
    type: "function",
    name: "permitWitnessTransferFrom",
    inputs: [
      {
        type: "tuple",
        name: "permit",
        components: [
          {
            type: "tuple",
            name: "permitted",
            components: [
              {
                type: "address",
                name: "token"
              },
              {
                type: "uint256",
                name: "amount"
              }
            ]
          },
          {
            type: "uint256",
            name: "nonce"
          },
          {
            type: "uint256",
            name: "deadline"
          }
        ]
      },
      {
        type: "tuple",
        name: "transferDetails",
        components: [
          {
            type: "address",
            name: "to"
          },
          {
            type: "uint256",
            name: "requestedAmount"
          }
        ]
      },
      {
        type: "address",
        name: "owner"
      },
      {
        type: "bytes32",
        name: "witness"
      },
      {
        type: "string",
        name: "witnessTypeString"
      },
      {
        type: "bytes",
        name: "signature"
      }
    ],
    outputs: [],
    stateMutability: "nonpayable"
  }
] as const
