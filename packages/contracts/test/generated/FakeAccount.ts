/** Generated from contracts/test/FakeAccount.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "bytes32",
        name: "orderId",
        type: "bytes32"
      },
      {
        indexed: true,
        internalType: "address",
        name: "account",
        type: "address"
      },
      {
        indexed: false,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      },
      {
        indexed: false,
        internalType: "bytes32",
        name: "terms",
        type: "bytes32"
      }
    ],
    name: "Collected",
    type: "event"
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: "address",
            name: "token",
            type: "address"
          },
          {
            internalType: "uint256",
            name: "amount",
            type: "uint256"
          },
          {
            internalType: "bytes32",
            name: "orderId",
            type: "bytes32"
          },
          {
            internalType: "bytes32",
            name: "terms",
            type: "bytes32"
          },
          {
            internalType: "uint256",
            name: "nonce",
            type: "uint256"
          },
          {
            internalType: "uint256",
            name: "deadline",
            type: "uint256"
          }
        ],
        internalType: "struct GeoOp",
        name: "op",
        type: "tuple"
      },
      {
        internalType: "bytes32",
        name: "",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "",
        type: "bytes32"
      }
    ],
    name: "pay",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: "address",
            name: "token",
            type: "address"
          },
          {
            internalType: "uint256",
            name: "amount",
            type: "uint256"
          },
          {
            internalType: "bytes32",
            name: "orderId",
            type: "bytes32"
          },
          {
            internalType: "bytes32",
            name: "terms",
            type: "bytes32"
          },
          {
            internalType: "uint256",
            name: "nonce",
            type: "uint256"
          },
          {
            internalType: "uint256",
            name: "deadline",
            type: "uint256"
          }
        ],
        internalType: "struct GeoOp",
        name: "op",
        type: "tuple"
      }
    ],
    name: "pretend",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  }
] as const

export const bytecode =
  "0x6080604052348015600e575f5ffd5b506101e48061001c5f395ff3fe608060405234801561000f575f5ffd5b5060043610610034575f3560e01c80633006bb4d146100385780639753a9581461004d575b5f5ffd5b61004b61004636600461015e565b610060565b005b61004b61005b36600461017f565b6100d3565b3060408201357fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee50961009460208501856101b1565b6040805173ffffffffffffffffffffffffffffffffffffffff92909216825260208681013590830152606080870135838301529051918290030190a350565b3060408401357fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee50961010760208701876101b1565b6040805173ffffffffffffffffffffffffffffffffffffffff92909216825260208881013590830152606080890135838301529051918290030190a3505050565b5f60c08284031215610158575f5ffd5b50919050565b5f60c0828403121561016e575f5ffd5b6101788383610148565b9392505050565b5f5f5f6101008486031215610192575f5ffd5b61019c8585610148565b9560c0850135955060e0909401359392505050565b5f602082840312156101c1575f5ffd5b813573ffffffffffffffffffffffffffffffffffffffff81168114610178575f5ffd"
