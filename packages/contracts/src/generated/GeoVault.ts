/** Generated from contracts/GeoVault.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [
      {
        internalType: "address",
        name: "owner_",
        type: "address"
      }
    ],
    stateMutability: "nonpayable",
    type: "constructor"
  },
  {
    inputs: [],
    name: "CapExceeded",
    type: "error"
  },
  {
    inputs: [],
    name: "ExceedsCollected",
    type: "error"
  },
  {
    inputs: [],
    name: "IdUsed",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "uint256",
        name: "balance",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "needed",
        type: "uint256"
      }
    ],
    name: "InsufficientBalance",
    type: "error"
  },
  {
    inputs: [],
    name: "IsPaused",
    type: "error"
  },
  {
    inputs: [],
    name: "NotAllowed",
    type: "error"
  },
  {
    inputs: [],
    name: "NotDelegated",
    type: "error"
  },
  {
    inputs: [],
    name: "Nothing",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "owner",
        type: "address"
      }
    ],
    name: "OwnableInvalidOwner",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      }
    ],
    name: "OwnableUnauthorizedAccount",
    type: "error"
  },
  {
    inputs: [],
    name: "Reentered",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "SafeERC20FailedOperation",
    type: "error"
  },
  {
    inputs: [],
    name: "TooManyRelayers",
    type: "error"
  },
  {
    inputs: [],
    name: "Undeliverable",
    type: "error"
  },
  {
    inputs: [],
    name: "WrongAmount",
    type: "error"
  },
  {
    inputs: [],
    name: "WrongDelegate",
    type: "error"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "perHour",
        type: "uint256"
      }
    ],
    name: "CapSet",
    type: "event"
  },
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
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "delegate",
        type: "address"
      },
      {
        indexed: false,
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "DelegateSet",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "bytes32",
        name: "swapId",
        type: "bytes32"
      },
      {
        indexed: true,
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "Delivered",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "uint256",
        name: "index",
        type: "uint256"
      },
      {
        indexed: false,
        internalType: "bytes4",
        name: "reason",
        type: "bytes4"
      }
    ],
    name: "Failed",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "guardian",
        type: "address"
      },
      {
        indexed: false,
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "GuardianSet",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "previousOwner",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "newOwner",
        type: "address"
      }
    ],
    name: "OwnershipTransferStarted",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "previousOwner",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "newOwner",
        type: "address"
      }
    ],
    name: "OwnershipTransferred",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "by",
        type: "address"
      }
    ],
    name: "Paused",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "perHour",
        type: "uint256"
      }
    ],
    name: "RefundCapSet",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "bytes32",
        name: "swapId",
        type: "bytes32"
      },
      {
        indexed: true,
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "Refunded",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "relayer",
        type: "address"
      },
      {
        indexed: false,
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "RelayerSet",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: false,
        internalType: "uint256",
        name: "index",
        type: "uint256"
      }
    ],
    name: "Stopped",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "by",
        type: "address"
      }
    ],
    name: "Unpaused",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "Withdrawn",
    type: "event"
  },
  {
    inputs: [],
    name: "acceptOwnership",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "capOf",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
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
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "vs",
        type: "bytes32"
      }
    ],
    name: "collect",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bytes[]",
        name: "calls",
        type: "bytes[]"
      },
      {
        internalType: "uint256",
        name: "itemGas",
        type: "uint256"
      }
    ],
    name: "collectMany",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
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
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "vs",
        type: "bytes32"
      }
    ],
    name: "collectTyped",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
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
            name: "deadline",
            type: "uint256"
          }
        ],
        internalType: "struct GeoPayment",
        name: "payment",
        type: "tuple"
      },
      {
        internalType: "bytes32",
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "vs",
        type: "bytes32"
      }
    ],
    name: "collectWithAuthorization",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
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
            name: "deadline",
            type: "uint256"
          }
        ],
        internalType: "struct GeoPayment",
        name: "payment",
        type: "tuple"
      },
      {
        internalType: "uint64",
        name: "index",
        type: "uint64"
      },
      {
        internalType: "bytes32",
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "vs",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "permitR",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "permitVs",
        type: "bytes32"
      }
    ],
    name: "collectWithPermit",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
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
            name: "deadline",
            type: "uint256"
          }
        ],
        internalType: "struct GeoPayment",
        name: "payment",
        type: "tuple"
      },
      {
        internalType: "uint64",
        name: "index",
        type: "uint64"
      },
      {
        internalType: "bytes32",
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "vs",
        type: "bytes32"
      }
    ],
    name: "collectWithPermit2",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "delegate",
    outputs: [
      {
        internalType: "address",
        name: "",
        type: "address"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bytes32",
        name: "swapId",
        type: "bytes32"
      },
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "deliver",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: "bytes32",
            name: "swapId",
            type: "bytes32"
          },
          {
            internalType: "address",
            name: "token",
            type: "address"
          },
          {
            internalType: "address",
            name: "to",
            type: "address"
          },
          {
            internalType: "uint256",
            name: "amount",
            type: "uint256"
          }
        ],
        internalType: "struct GeoVault.Transfer[]",
        name: "items",
        type: "tuple[]"
      },
      {
        internalType: "uint256",
        name: "itemGas",
        type: "uint256"
      }
    ],
    name: "deliverMany",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      }
    ],
    name: "isDelegate",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "guardian",
        type: "address"
      }
    ],
    name: "isGuardian",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "relayer",
        type: "address"
      }
    ],
    name: "isRelayer",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bytes32",
        name: "swapId",
        type: "bytes32"
      }
    ],
    name: "isUsed",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "owner",
    outputs: [
      {
        internalType: "address",
        name: "",
        type: "address"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "pause",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "paused",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "pendingOwner",
    outputs: [
      {
        internalType: "address",
        name: "",
        type: "address"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bytes32",
        name: "swapId",
        type: "bytes32"
      },
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "refund",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "refundCapOf",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: "bytes32",
            name: "swapId",
            type: "bytes32"
          },
          {
            internalType: "address",
            name: "token",
            type: "address"
          },
          {
            internalType: "address",
            name: "to",
            type: "address"
          },
          {
            internalType: "uint256",
            name: "amount",
            type: "uint256"
          }
        ],
        internalType: "struct GeoVault.Transfer[]",
        name: "items",
        type: "tuple[]"
      },
      {
        internalType: "uint256",
        name: "itemGas",
        type: "uint256"
      }
    ],
    name: "refundMany",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "refundable",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "refundedThisHour",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "relayers",
    outputs: [
      {
        internalType: "address[]",
        name: "",
        type: "address[]"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "renounceOwnership",
    outputs: [],
    stateMutability: "pure",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      }
    ],
    name: "sentThisHour",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "perHour",
        type: "uint256"
      }
    ],
    name: "setCap",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
      {
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "setDelegate",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "guardian",
        type: "address"
      },
      {
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "setGuardian",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "perHour",
        type: "uint256"
      }
    ],
    name: "setRefundCap",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "relayer",
        type: "address"
      },
      {
        internalType: "bool",
        name: "allowed",
        type: "bool"
      }
    ],
    name: "setRelayer",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "newOwner",
        type: "address"
      }
    ],
    name: "transferOwnership",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "unpause",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "withdraw",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    stateMutability: "payable",
    type: "receive"
  }
] as const

export const bytecode =
  "0x60a03461016b57601f6145c038819003918201601f19168301916001600160401b038311848410176101445780849260209460405283398101031261016b57516001600160a01b0381169081900361016b57801561015857600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a36111c3818101906001600160401b038211838310176101445760209183916133fd83393081520301905ff08015610139576001600160a01b03166080819052604051600181527f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075690602090a260405161328d908161017082396080518181816106a8015281816113ca0152611d8b0152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fdfe6080604052600436101561001a575b3615610018575f80fd5b005b5f3560e01c806301d6c8ec14611a225780630610986e146118ec57806307779627146118b05780630c68ba211461184857806310e4de95146117a057806312de7a441461171b5780632b8a1c5a1461168a5780633f4ba83a1461159757806344dfbdaf146115345780634a994eef14611385578063537a38ca146111ff578063541d5548146111b45780635c975abb1461117157806362445d87146110b857806368ec0d9914610f9b5780636fce004814610f49578063715018a614610ef357806374f7fd2514610e5f57806379ba509714610d5757806380ad2cf314610c625780638456cb5914610afe578063845b67e8146108a957806384b931831461081c5780638da5cb5b146107cc578063bc8d6328146106cc578063c89e43611461065e578063d9caed12146105ad578063dc4717ae14610534578063e30c3978146104e3578063ecd8dc3a146104c4578063ee40880314610453578063f0791a3414610356578063f2fde38b14610299578063fd22cb94146101f75763fe255a180361000e57346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35760206004358060081c5f526008825260405f2054600160ff60405193161b1615158152f35b5f80fd5b346101f35761020536611b95565b9061020e6124cc565b60ff5f5c16610271576102499260017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d613212565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c165f5d005b7fb5dfd9e5000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff6102e5611a8b565b6102ed612e42565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff5f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b346101f35761036436611c0b565b505061036e6124cc565b602081013591821561042b5761038b61038682612e62565b611d5e565b156104035736610124116101f35761001892604051917f9753a9580000000000000000000000000000000000000000000000000000000060208401526101006024808501375f61012484015261010483526103e861012484611d1d565b6103f184611cb3565b90604060608601359501359381612ea6565b7f9ccd6d76000000000000000000000000000000000000000000000000000000005f5260045ffd5b7ff9820cc1000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff61049f611a8b565b165f52600960205260206104bc60405f20610e104204905461325c565b604051908152f35b346101f3576100186104d536611b3b565b906104de612e42565b612246565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35760206104bc610570611a8b565b73ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b346101f35760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f3576105e4611a8b565b60243573ffffffffffffffffffffffffffffffffffffffff8116908181036101f3576100189260443592610616612e42565b604051908482527fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb602073ffffffffffffffffffffffffffffffffffffffff851693a3612caf565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f3576040518060206004549283815201809260045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b905f5b8181106107a05750505081610748910382611d1d565b604051918291602083019060208452518091526040830191905f5b818110610771575050500390f35b825173ffffffffffffffffffffffffffffffffffffffff16845285945060209384019390920191600101610763565b825473ffffffffffffffffffffffffffffffffffffffff16845260209093019260019283019201610732565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346101f35761082a36611c0b565b50506108346124cc565b602081013591821561042b5761084c61038682612e62565b156104035736610124116101f35761001892604051917f919ca6690000000000000000000000000000000000000000000000000000000060208401526101006024808501375f61012484015261010483526103e861012484611d1d565b346101f3576108b736611ac5565b91909273ffffffffffffffffffffffffffffffffffffffff5f541633141580610af1575b61093f73ffffffffffffffffffffffffffffffffffffffff84169283604051878152827f2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6602073ffffffffffffffffffffffffffffffffffffffff8c1693a4612bc7565b61094f575b509161001892612caf565b90815f52600a6020526109a78360405f206109a18473ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b90612c1f565b82610e1042049460018601808711610a77577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe8701908111610a7757945b80151580610ae7575b15610aad57845f52600b602052610a0c60405f20600388069061222a565b5090610a1987835461325c565b918215610aa457908291610a3982610a459510838518028318809461221d565b8960d81b17905561221d565b945b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8114610a7757600101946109e5565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b50959050610a47565b92955092509250610abf579183610944565b7f6d408745000000000000000000000000000000000000000000000000000000005f5260045ffd5b50868611156109ee565b610af96124cc565b6108db565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff5f541633141580610c4b575b610c2357740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60015416176001556004545f5b818110610bc357337f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2585f80a2005b8073ffffffffffffffffffffffffffffffffffffffff610be4600193611dcc565b90549060031b1c165f52600360205260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815416905501610b95565b7f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600560205260ff60405f20541615610b4d565b346101f35760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357610c99611a8b565b73ffffffffffffffffffffffffffffffffffffffff60243591610cba612e42565b1690815f5260066020528060405f2055815f52600b60205260405f205f5b60038110610d0e57837f1c9182333abe71fddddd188f90cabb1c34182de0b0ac74c87944a196460a2d6c602085604051908152a2005b80610d1b6001928461222a565b505415610d29575b01610cd8565b7b01000000000000000000000000000000000000000000000000000000610d50828561222a565b5055610d23565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f3573373ffffffffffffffffffffffffffffffffffffffff6001541603610e33577fffffffffffffffffffffffff0000000000000000000000000000000000000000600154166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346101f35760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357610e96611a8b565b7f9d1d029af1960adebd90ee93802714cee2022c4abc2afc7d0ecf87bb74f61ca4602073ffffffffffffffffffffffffffffffffffffffff60243593610eda612e42565b1692835f5260078252801960405f2055604051908152a2005b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f3577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101f357610f5736611b95565b90610f606124cc565b60ff5f5c16610271576102499260017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d6131c2565b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357610fd2611a8b565b610e104204905f9073ffffffffffffffffffffffffffffffffffffffff811690825b6003811061106d57506020936110446110559273ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b925f52600a855260405f205461325c565b81039081111502906040519181808210911802188152f35b926110b1600191845f52600b6020526110ab61109960405f2060036110928a8c61221d565b069061222a565b506110a4888a61221d565b905461325c565b90612239565b9301610ff4565b346101f35760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35760043567ffffffffffffffff81116101f357366023820112156101f35780600401359067ffffffffffffffff82116101f3573660248360051b830101116101f3576111306124cc565b60ff5f5c16610271576102499160017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d602480359201611e77565b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357602060ff60015460a01c166040519015158152f35b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35760206111f56111f0611a8b565b611e11565b6040519015158152f35b346101f3576101007ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357611237611a8b565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101f3576112696124cc565b60443590811561042b5761001891606435906084359260405190602082017fd827f7d269cf1656dcb583568330e57001eca4560e055b9ccc1e63965f2bb136815273ffffffffffffffffffffffffffffffffffffffff8216928360408201524660608201528560808201528660a082015260a081526112e960c082611d1d565b51902060ff6112f960e435612550565b92604051957fef55bec600000000000000000000000000000000000000000000000000000000602088015260248701523060448701528660648701525f608487015260a43560a487015260c48601521660e484015260c435610104840152610124830152610124825261136e61014483611d1d565b611376611c90565b9161137f611c90565b92612ea6565b346101f35761139336611b3b565b61139b612e42565b73ffffffffffffffffffffffffffffffffffffffff82169173ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016831461146b57819081611493575b5061146b5760207f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075691835f52600282526114608160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b6040519015158152a2005b7fc4359a1e000000000000000000000000000000000000000000000000000000005f5260045ffd5b905073ffffffffffffffffffffffffffffffffffffffff6114b382612e62565b1615908115916114c5575b50836113f8565b604091505f90825160208101907ffbfa77cf00000000000000000000000000000000000000000000000000000000825260048152611504602482611d1d565b51915afa5f5181611528575b8161151e575b5015836114be565b9050301483611516565b60203d10159150611510565b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff611580611a8b565b165f526006602052602060405f2054604051908152f35b346101f3575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f3576115cd612e42565b7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff600154166001556004545f5b81811061162857337f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa5f80a2005b8073ffffffffffffffffffffffffffffffffffffffff611649600193611dcc565b90549060031b1c165f52600360205260405f20827fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00825416179055016115fa565b346101f35773ffffffffffffffffffffffffffffffffffffffff7fc4459d655e1efe034a75446f1f4db087f75d23bdfabccffafa6384cdb23a154460206116d036611b3b565b93906116da612e42565b1692835f52600582526114608160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b346101f3576101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357611753611a8b565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101f35761001890611789611aae565b906117926124cc565b610104359160e435916125cb565b346101f3576100186118436117b436611ac5565b809491936117c06124cc565b61182473ffffffffffffffffffffffffffffffffffffffff85169182604051858152827f493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1602073ffffffffffffffffffffffffffffffffffffffff8c1693a4612bc7565b805f52600960205260405f20905f52600660205260405f205490612c1f565b612caf565b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff611894611a8b565b165f526005602052602060ff60405f2054166040519015158152f35b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35760206111f5610386611a8b565b346101f3576101607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f357611924611a8b565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101f3576100189061195a611aae565b906119636124cc565b5f8061197161014435612550565b908261197b611c90565b926040519060ff60208301947fd505accf00000000000000000000000000000000000000000000000000000000865273ffffffffffffffffffffffffffffffffffffffff8a1660248501526e22d473030f116ddee9f6b43ac78ba36044850152604435606485015260a43560848501521660a48301526101243560c483015260e482015260e48152611a0f61010482611d1d565b51925af150610104359160e435916125cb565b346101f35760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101f35773ffffffffffffffffffffffffffffffffffffffff611a6e611a8b565b165f52600a60205260206104bc60405f20610e104204905461325c565b6004359073ffffffffffffffffffffffffffffffffffffffff821682036101f357565b60c4359067ffffffffffffffff821682036101f357565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60809101126101f3576004359060243573ffffffffffffffffffffffffffffffffffffffff811681036101f3579060443573ffffffffffffffffffffffffffffffffffffffff811681036101f3579060643590565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60409101126101f35760043573ffffffffffffffffffffffffffffffffffffffff811681036101f3579060243580151581036101f35790565b9060407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8301126101f35760043567ffffffffffffffff81116101f357826023820112156101f35780600401359267ffffffffffffffff84116101f35760248460071b830101116101f357602401919060243590565b906101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8301126101f35760043573ffffffffffffffffffffffffffffffffffffffff811681036101f3577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc60c0919301126101f35760249060e435906101043590565b60243573ffffffffffffffffffffffffffffffffffffffff811681036101f35790565b3573ffffffffffffffffffffffffffffffffffffffff811681036101f35790565b6040810190811067ffffffffffffffff821117611cf057604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117611cf057604052565b73ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168114908115611db8575090565b90505f52600260205260ff60405f20541690565b600454811015611de45760045f5260205f2001905f90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b6004549073ffffffffffffffffffffffffffffffffffffffff165f5b828110611e3b575050505f90565b8173ffffffffffffffffffffffffffffffffffffffff611e5a83611dcc565b90549060031b1c1614611e6f57600101611e2d565b505050600190565b9190915f907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe181360301915b8481101561209d578060051b820135838112156101f357820180359067ffffffffffffffff82116101f3576020810182360381136101f35735907fffffffff00000000000000000000000000000000000000000000000000000000821691600484106121e7575b507fffffffff0000000000000000000000000000000000000000000000000000000082167ff0791a340000000000000000000000000000000000000000000000000000000081149081156121bd575b8115612193575b8115612169575b811561213f575b50611fcb57505050806001917fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce660206040517f3d693ada000000000000000000000000000000000000000000000000000000008152a25b01611ea3565b826004116101f3578390335f52600360205260405f20549360ff5f955f9360405196875260247ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8501910160048801375a6113888c603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec7884010260061c101591111616169384612105575b505082159384156120a4575050507f5378e99f1c6cc344f21e74745742dd30c73797900a542307d5d109383b01bf286020604051858152a15b5061209d57600190611fc5565b5050505050565b156120b1575b5050612090565b60207fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce6917fffffffff0000000000000000000000000000000000000000000000000000000060405191168152a2825f6120aa565b5f92955090829182308cf192831561211f575b5f80612057565b50505f805260033d11612135575b825f51612118565b60045f803e61212d565b7f0610986e000000000000000000000000000000000000000000000000000000009150145f611f6e565b7f12de7a440000000000000000000000000000000000000000000000000000000081149150611f67565b7f537a38ca0000000000000000000000000000000000000000000000000000000081149150611f60565b7f84b931830000000000000000000000000000000000000000000000000000000081149150611f59565b7fffffffff00000000000000000000000000000000000000000000000000000000809293508460040360031b1b1616905f611f0a565b91908203918211610a7757565b6003821015611de45701905f90565b91908201809211610a7757565b61224f81611e11565b1515908215159182146124c757821561238057600454602081146123585768010000000000000000811015611cf057816122928260016122be9401600455611dcc565b90919073ffffffffffffffffffffffffffffffffffffffff8084549260031b9316831b921b1916179055565b82612347575b7fee42947bc760229eeff964017ac68eddb00ba98b0defcd90a1bc85a5afceb0579161233e73ffffffffffffffffffffffffffffffffffffffff6020931694855f526003845260405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b604051908152a2565b60015460a01c60ff161592506122c4565b7f504b487c000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8101908111610a775773ffffffffffffffffffffffffffffffffffffffff8216905f5b81811061245a57505050600454801561242d577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0161240581611dcc565b73ffffffffffffffffffffffffffffffffffffffff82549160031b1b191690556004556122be565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603160045260245ffd5b808373ffffffffffffffffffffffffffffffffffffffff61247c600194611dcc565b90549060031b1c1614612490575b016123c7565b6124c273ffffffffffffffffffffffffffffffffffffffff6124b185611dcc565b90549060031b1c1661229283611dcc565b61248a565b505050565b3033141580612539575b6124dc57565b60ff60015460a01c16612511577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f1309a563000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600360205260ff60405f205416156124d6565b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169060ff1c601b0180601b11610a775760ff1691565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b90919260443590811561042b576125e190612550565b9490936024359173ffffffffffffffffffffffffffffffffffffffff8316968784036101f3576040519161261483611cd4565b888352856020840152604051926060840184811067ffffffffffffffff821117611cf057604052835267ffffffffffffffff6020840194167ffd1c50913313d4a5cc2d99cece70c4f7a4a1cd48b3213c520000000000000000178452604083019760a43589526040519261268784611cd4565b30845287602085015260405160208101907fd827f7d269cf1656dcb583568330e57001eca4560e055b9ccc1e63965f2bb136825273ffffffffffffffffffffffffffffffffffffffff8b166040820152466060820152604060240135608082015260606024013560a082015260a0815261270260c082611d1d565b5190206040519161010083019583871067ffffffffffffffff881117611cf0576128e59c6129ac997fff0000000000000000000000000000000000000000000000000000000000000061294f97612919956129809b60405260da89527f47656f4f72646572207769746e6573732947656f4f726465722861646472657360208a01527f732077616c6c65742c75696e7432353620636861696e49642c6279746573333260408a01527f206f7264657249642c5465726d73207465726d73295465726d732875696e743260608a01527f35362064657374696e6174696f6e436861696e2c62797465733332206f75747060808a01527f7574546f6b656e2c6279746573333220726563697069656e742c75696e74323560a08a01527f36206d696e4f757470757429546f6b656e5065726d697373696f6e732861646460c08a01527f7265737320746f6b656e2c75696e7432353620616d6f756e742900000000000060e08a01526040519a60208c015260408b015260f81b1660608901526041885261288e606189611d1d565b6040519e8f9a7f137c29fe0000000000000000000000000000000000000000000000000000000060208d015260248c0190516020809173ffffffffffffffffffffffffffffffffffffffff81511684520151910152565b5160648a0152516084890152805173ffffffffffffffffffffffffffffffffffffffff1660a48901526020015160c4880152565b73ffffffffffffffffffffffffffffffffffffffff8a1660e4870152610104860152610140610124860152610164850190612588565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc84830301610144850152612588565b037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08101865285611d1d565b50610e104204845f52600b6020526129cb60405f20600383069061222a565b5090815494604051907f70a082310000000000000000000000000000000000000000000000000000000082523060048301526020826024818b5afa918215612b88575f92612b93575b505f8160208293519101826e22d473030f116ddee9f6b43ac78ba35af115612b88576040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201526020816024818b5afa908115612b885785905f92612b52575b50612a869192612239565b03612b2a578482540361027157612ab28173ffffffffffffffffffffffffffffffffffffffff9661325c565b807affffffffffffffffffffffffffffffffffffffffffffffffffffff038085105f14612b24575083905b019060d81b1790556040519384526020840152608435604084015216907fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee509606060643592a3565b90612add565b7f49986e73000000000000000000000000000000000000000000000000000000005f5260045ffd5b9150506020813d602011612b80575b81612b6e60209383611d1d565b810103126101f3575184612a86612a7b565b3d9150612b61565b6040513d5f823e3d90fd5b9091506020813d602011612bbf575b81612baf60209383611d1d565b810103126101f35751905f612a14565b3d9150612ba2565b600160ff8260081c92161b90805f52600860205260405f205490828216612bf7575f5260086020521760405f2055565b7f65d472ed000000000000000000000000000000000000000000000000000000005f5260045ffd5b91610e10420491612c3183855461325c565b9081818111918215612ca3575b50508015612c7d575b612c5557019060d81b179055565b7fa4875a49000000000000000000000000000000000000000000000000000000005f5260045ffd5b50807affffffffffffffffffffffffffffffffffffffffffffffffffffff038211612c47565b0383119050815f612c3e565b82158015612e24575b8015612e05575b61042b5773ffffffffffffffffffffffffffffffffffffffff1680612d52575047828110612d2257505f8080938193620186a0f115612cfa57565b7f9c549661000000000000000000000000000000000000000000000000000000005f5260045ffd5b90507fcf479181000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615612de4575b60405215612db95750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b906001811516612dfc57823b15153d15161690612dae565b503d5f823e3d90fd5b503073ffffffffffffffffffffffffffffffffffffffff831614612cbf565b5073ffffffffffffffffffffffffffffffffffffffff821615612cb8565b73ffffffffffffffffffffffffffffffffffffffff5f54163303610e3357565b905f916017813b14612e715750565b5f806017923c5f5162ef01008160e81c14612e895750565b60481c73ffffffffffffffffffffffffffffffffffffffff169150565b9190939573ffffffffffffffffffffffffffffffffffffffff610e104204941696875f52600b6020526024612ee260405f20600388069061222a565b509687549560208b604051948580927f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa928315612b88575f93613064575b50815f92918360208194519301915af115612b88576040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201526020816024818d5afa908115612b885783905f9261302e575b50612f8f9192612239565b03612b2a5783865403610271577fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee5099585612fe060609773ffffffffffffffffffffffffffffffffffffffff9761325c565b807affffffffffffffffffffffffffffffffffffffffffffffffffffff038085105f14613028575083905b019060d81b179055604051978852602088015260408701521693a3565b9061300b565b9150506020813d60201161305c575b8161304a60209383611d1d565b810103126101f3575182612f8f612f84565b3d915061303d565b9092506020813d602011613090575b8161308060209383611d1d565b810103126101f35751915f612f2a565b3d9150613073565b9190335f52600360205260405f20549060ff5f9260805f9560405194855260048501375a61138888603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec7884010260061c101591111616169485613188575b50508361312e57505060207f5378e99f1c6cc344f21e74745742dd30c73797900a542307d5d109383b01bf2891604051908152a190565b1561313857505090565b60207fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce6917fffffffff0000000000000000000000000000000000000000000000000000000060405191168152a290565b5f92508291826084923090f180156131a2575b5f806130f7565b90505f805260033d116131b8575b5f519061319b565b60045f803e6131b0565b90915f5b8381101561320c576131ff828260071b85017f845b67e80000000000000000000000000000000000000000000000000000000084613098565b1561320c576001016131c6565b50505050565b90915f5b8381101561320c5761324f828260071b85017f10e4de950000000000000000000000000000000000000000000000000000000084613098565b1561320c57600101613216565b908160d81c145f14613288577affffffffffffffffffffffffffffffffffffffffffffffffffffff1690565b505f905660c0346100bc57601f6111c338819003918201601f19168301916001600160401b038311848410176100c0578084926020946040528339810103126100bc57516001600160a01b03811681036100bc573060a0526080526040516110ee90816100d58239608051818181610150015281816103b9015281816105f0015281816106d60152610dcc015260a0518181816031015281816101f201528181610305015281816104980152818161057a015281816109a20152610d1a0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109f257508063150b7a02146109285780631626ba7e1461078d578063336ccba51461071a578063919ca669146106b05780639753a958146105ca578063bc197c81146104bc578063c89e43611461044e578063cd05eedf14610242578063f23a6e61146101785763fbfa77cf14610106575f61000f565b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576101af610b10565b506101b8610b33565b5060843567ffffffffffffffff8111610174576101d9903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101745760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a0815261033960c082610bf4565b51902060043573ffffffffffffffffffffffffffffffffffffffff8116918282036101745760209260429250604051848101917fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65883523060408301526060820152602435608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260443560c082015260643560e082015260843561010082015260a435610120820152610120815261041161014082610bf4565b519020604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015220604051908152f35b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576104f3610b10565b506104fc610b33565b5060443567ffffffffffffffff81116101745761051d903690600401610bc3565b505060643567ffffffffffffffff81116101745761053f903690600401610bc3565b505060843567ffffffffffffffff811161017457610561903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610174576105d836610b84565b9073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106885760a08301354211610660578261062e61065e94610c83565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f2090610efa565b005b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b34610174576106be36610b84565b9073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106885760a08301354211610660578261071461065e94610c83565b90610efa565b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101745760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760243567ffffffffffffffff8111610174576107dc903690600401610b56565b80604114610910576040146108d657506107fb5f80805b600435610e60565b5060048110156108a957159081610889575b50156108615760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610837565b73ffffffffffffffffffffffffffffffffffffffff16301490508161080d565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b8060206107fb9201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107f3565b50806107fb9135604060208301359201355f1a6107f3565b346101745760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745761095f610b10565b50610968610b33565b5060643567ffffffffffffffff811161017457610989903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361017457817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ae6575b8115610abc575b8115610a92575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a8b565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a84565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a7d565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b9181601f840112156101745782359167ffffffffffffffff8311610174576020838186019501011161017457565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0161010081126101745760c0136101745760049060c4359060e43590565b9181601f840112156101745782359167ffffffffffffffff8311610174576020808501948460051b01011161017457565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610c3557604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b3573ffffffffffffffffffffffffffffffffffffffff811681036101745790565b60429060405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a08152610d4e60c082610bf4565b51902090610d5b81610c62565b9060a06040519173ffffffffffffffffffffffffffffffffffffffff60208401947fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65886523060408601521660608401526020810135608084015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001682840152604081013560c0840152606081013560e0840152608081013561010084015201356101208201526101208152610e2861014082610bf4565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610eef579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610ee4575f5173ffffffffffffffffffffffffffffffffffffffff811615610eda57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b929091610f339260ff601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff851694821c011690610e60565b5060048110156108a95715908115916110cd575b506110a5576080810135600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f20549082821661107d575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205573ffffffffffffffffffffffffffffffffffffffff610fda82610c62565b16906020604051917fa9059cbb000000000000000000000000000000000000000000000000000000005f5233600452013560245260205f60448180865af19060015f511482161561105c575b604052156110315750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b90600181151661107457823b15153d15161690611026565b503d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff1630141590505f610f4756"
