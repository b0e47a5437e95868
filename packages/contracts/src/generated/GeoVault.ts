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
    inputs: [],
    name: "firstDelegate",
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
        internalType: "address",
        name: "delegate",
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
    inputs: [],
    name: "secondDelegate",
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
        name: "delegate",
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
  "0x60c0346101cb57601f61565f38819003918201601f19168301916001600160401b038311848410176101a4578084926020946040528339810103126101cb57516001600160a01b038116908190036101cb5780156101b857600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3610ed4818101906001600160401b038211838310176101a457602091839161356383393081520301905ff08015610199576001600160a01b03166080819052604051600181525f51602061563f5f395f51905f5290602090a2604051611208808201906001600160401b038211838310176101a457602091839161443783393081520301905ff08015610199576001600160a01b031660a0819052604051600181525f51602061563f5f395f51905f5290602090a260405161339390816101d082396080518181816106b3015281816114430152611e4a015260a051818181610821015281816115cc0152611e940152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fdfe6080604052600436101561001a575b3615610018575f80fd5b005b5f3560e01c806301d6c8ec14611ae15780630610986e146119ab578063077796271461196f5780630c68ba211461190757806310e4de951461185f57806312de7a44146117da5780632b8a1c5a146117495780633f4ba83a1461165657806344dfbdaf146115f35780634a994eef146113fe578063537a38ca14611278578063541d55481461122d5780635c975abb146111ea57806362445d871461113157806368ec0d99146110145780636fce004814610fc2578063715018a614610f6c57806374f7fd2514610ed857806379ba509714610dd057806380ad2cf314610cdb5780638456cb5914610b77578063845b67e81461092257806384b93183146108955780638da5cb5b14610845578063ae6ae221146107d7578063bc8d6328146106d7578063c86dfcf714610669578063d9caed12146105b8578063dc4717ae1461053f578063e30c3978146104ee578063ecd8dc3a146104cf578063ee4088031461045e578063f0791a3414610361578063f2fde38b146102a4578063fd22cb94146102025763fe255a180361000e57346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5760206004358060081c5f526008825260405f2054600160ff60405193161b1615158152f35b5f80fd5b346101fe5761021036611c54565b906102196125d2565b60ff5f5c1661027c576102549260017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d613318565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c165f5d005b7fb5dfd9e5000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff6102f0611b4a565b6102f8612f48565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff5f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b346101fe5761036f36611cca565b50506103796125d2565b60208101359182156104365761039661039182612f68565b611e1d565b1561040e5736610124116101fe5761001892604051917f9753a9580000000000000000000000000000000000000000000000000000000060208401526101006024808501375f61012484015261010483526103f361012484611ddc565b6103fc84611d72565b90604060608601359501359381612fac565b7f9ccd6d76000000000000000000000000000000000000000000000000000000005f5260045ffd5b7ff9820cc1000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff6104aa611b4a565b165f52600960205260206104c760405f20610e1042049054613362565b604051908152f35b346101fe576100186104e036611bfa565b906104e9612f48565b61234c565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5760206104c761057b611b4a565b73ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b346101fe5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe576105ef611b4a565b60243573ffffffffffffffffffffffffffffffffffffffff8116908181036101fe576100189260443592610621612f48565b604051908482527fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb602073ffffffffffffffffffffffffffffffffffffffff851693a3612db5565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe576040518060206004549283815201809260045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b905f5b8181106107ab5750505081610753910382611ddc565b604051918291602083019060208452518091526040830191905f5b81811061077c575050500390f35b825173ffffffffffffffffffffffffffffffffffffffff1684528594506020938401939092019160010161076e565b825473ffffffffffffffffffffffffffffffffffffffff1684526020909301926001928301920161073d565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346101fe576108a336611cca565b50506108ad6125d2565b6020810135918215610436576108c561039182612f68565b1561040e5736610124116101fe5761001892604051917f919ca6690000000000000000000000000000000000000000000000000000000060208401526101006024808501375f61012484015261010483526103f361012484611ddc565b346101fe5761093036611b84565b91909273ffffffffffffffffffffffffffffffffffffffff5f541633141580610b6a575b6109b873ffffffffffffffffffffffffffffffffffffffff84169283604051878152827f2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6602073ffffffffffffffffffffffffffffffffffffffff8c1693a4612ccd565b6109c8575b509161001892612db5565b90815f52600a602052610a208360405f20610a1a8473ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b90612d25565b82610e1042049460018601808711610af0577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe8701908111610af057945b80151580610b60575b15610b2657845f52600b602052610a8560405f206003880690612330565b5090610a92878354613362565b918215610b1d57908291610ab282610abe95108385180283188094612323565b8960d81b179055612323565b945b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8114610af05760010194610a5e565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b50959050610ac0565b92955092509250610b385791836109bd565b7f6d408745000000000000000000000000000000000000000000000000000000005f5260045ffd5b5086861115610a67565b610b726125d2565b610954565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff5f541633141580610cc4575b610c9c57740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60015416176001556004545f5b818110610c3c57337f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2585f80a2005b8073ffffffffffffffffffffffffffffffffffffffff610c5d600193611ed2565b90549060031b1c165f52600360205260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815416905501610c0e565b7f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600560205260ff60405f20541615610bc6565b346101fe5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57610d12611b4a565b73ffffffffffffffffffffffffffffffffffffffff60243591610d33612f48565b1690815f5260066020528060405f2055815f52600b60205260405f205f5b60038110610d8757837f1c9182333abe71fddddd188f90cabb1c34182de0b0ac74c87944a196460a2d6c602085604051908152a2005b80610d9460019284612330565b505415610da2575b01610d51565b7b01000000000000000000000000000000000000000000000000000000610dc98285612330565b5055610d9c565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe573373ffffffffffffffffffffffffffffffffffffffff6001541603610eac577fffffffffffffffffffffffff0000000000000000000000000000000000000000600154166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346101fe5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57610f0f611b4a565b7f9d1d029af1960adebd90ee93802714cee2022c4abc2afc7d0ecf87bb74f61ca4602073ffffffffffffffffffffffffffffffffffffffff60243593610f53612f48565b1692835f5260078252801960405f2055604051908152a2005b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101fe57610fd036611c54565b90610fd96125d2565b60ff5f5c1661027c576102549260017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d6132c8565b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5761104b611b4a565b610e104204905f9073ffffffffffffffffffffffffffffffffffffffff811690825b600381106110e657506020936110bd6110ce9273ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b925f52600a855260405f2054613362565b81039081111502906040519181808210911802188152f35b9261112a600191845f52600b60205261112461111260405f20600361110b8a8c612323565b0690612330565b5061111d888a612323565b9054613362565b9061233f565b930161106d565b346101fe5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5760043567ffffffffffffffff81116101fe57366023820112156101fe5780600401359067ffffffffffffffff82116101fe573660248360051b830101116101fe576111a96125d2565b60ff5f5c1661027c576102549160017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff005f5c16175f5d602480359201611f7d565b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602060ff60015460a01c166040519015158152f35b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602061126e611269611b4a565b611f17565b6040519015158152f35b346101fe576101007ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe576112b0611b4a565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101fe576112e26125d2565b6044359081156104365761001891606435906084359260405190602082017fd827f7d269cf1656dcb583568330e57001eca4560e055b9ccc1e63965f2bb136815273ffffffffffffffffffffffffffffffffffffffff8216928360408201524660608201528560808201528660a082015260a0815261136260c082611ddc565b51902060ff61137260e435612656565b92604051957fef55bec600000000000000000000000000000000000000000000000000000000602088015260248701523060448701528660648701525f608487015260a43560a487015260c48601521660e484015260c43561010484015261012483015261012482526113e761014483611ddc565b6113ef611d4f565b916113f8611d4f565b92612fac565b346101fe5761140c36611bfa565b611414612f48565b73ffffffffffffffffffffffffffffffffffffffff82169173ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016831480156115b4575b6114eb57819081611513575b506114eb5760207f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075691835f52600282526114e08160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b6040519015158152a2005b7fc4359a1e000000000000000000000000000000000000000000000000000000005f5260045ffd5b905073ffffffffffffffffffffffffffffffffffffffff61153382612f68565b161590811591611545575b5083611478565b604091505f90825160208101907ffbfa77cf00000000000000000000000000000000000000000000000000000000825260048152611584602482611ddc565b51915afa5f51816115a8575b8161159e575b50158361153e565b9050301483611596565b60203d10159150611590565b5073ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016831461146c565b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff61163f611b4a565b165f526006602052602060405f2054604051908152f35b346101fe575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5761168c612f48565b7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff600154166001556004545f5b8181106116e757337f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa5f80a2005b8073ffffffffffffffffffffffffffffffffffffffff611708600193611ed2565b90549060031b1c165f52600360205260405f20827fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00825416179055016116b9565b346101fe5773ffffffffffffffffffffffffffffffffffffffff7fc4459d655e1efe034a75446f1f4db087f75d23bdfabccffafa6384cdb23a1544602061178f36611bfa565b9390611799612f48565b1692835f52600582526114e08160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b346101fe576101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57611812611b4a565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101fe5761001890611848611b6d565b906118516125d2565b610104359160e435916126d1565b346101fe5761001861190261187336611b84565b8094919361187f6125d2565b6118e373ffffffffffffffffffffffffffffffffffffffff85169182604051858152827f493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1602073ffffffffffffffffffffffffffffffffffffffff8c1693a4612ccd565b805f52600960205260405f20905f52600660205260405f205490612d25565b612db5565b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff611953611b4a565b165f526005602052602060ff60405f2054166040519015158152f35b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe57602061126e610391611b4a565b346101fe576101607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe576119e3611b4a565b60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126101fe5761001890611a19611b6d565b90611a226125d2565b5f80611a3061014435612656565b9082611a3a611d4f565b926040519060ff60208301947fd505accf00000000000000000000000000000000000000000000000000000000865273ffffffffffffffffffffffffffffffffffffffff8a1660248501526e22d473030f116ddee9f6b43ac78ba36044850152604435606485015260a43560848501521660a48301526101243560c483015260e482015260e48152611ace61010482611ddc565b51925af150610104359160e435916126d1565b346101fe5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101fe5773ffffffffffffffffffffffffffffffffffffffff611b2d611b4a565b165f52600a60205260206104c760405f20610e1042049054613362565b6004359073ffffffffffffffffffffffffffffffffffffffff821682036101fe57565b60c4359067ffffffffffffffff821682036101fe57565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60809101126101fe576004359060243573ffffffffffffffffffffffffffffffffffffffff811681036101fe579060443573ffffffffffffffffffffffffffffffffffffffff811681036101fe579060643590565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60409101126101fe5760043573ffffffffffffffffffffffffffffffffffffffff811681036101fe579060243580151581036101fe5790565b9060407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8301126101fe5760043567ffffffffffffffff81116101fe57826023820112156101fe5780600401359267ffffffffffffffff84116101fe5760248460071b830101116101fe57602401919060243590565b906101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8301126101fe5760043573ffffffffffffffffffffffffffffffffffffffff811681036101fe577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc60c0919301126101fe5760249060e435906101043590565b60243573ffffffffffffffffffffffffffffffffffffffff811681036101fe5790565b3573ffffffffffffffffffffffffffffffffffffffff811681036101fe5790565b6040810190811067ffffffffffffffff821117611daf57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117611daf57604052565b73ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168114908115611e92575b8115611e7e575090565b90505f52600260205260ff60405f20541690565b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff1681149150611e74565b600454811015611eea5760045f5260205f2001905f90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b6004549073ffffffffffffffffffffffffffffffffffffffff165f5b828110611f41575050505f90565b8173ffffffffffffffffffffffffffffffffffffffff611f6083611ed2565b90549060031b1c1614611f7557600101611f33565b505050600190565b9190915f907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe181360301915b848110156121a3578060051b820135838112156101fe57820180359067ffffffffffffffff82116101fe576020810182360381136101fe5735907fffffffff00000000000000000000000000000000000000000000000000000000821691600484106122ed575b507fffffffff0000000000000000000000000000000000000000000000000000000082167ff0791a340000000000000000000000000000000000000000000000000000000081149081156122c3575b8115612299575b811561226f575b8115612245575b506120d157505050806001917fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce660206040517f3d693ada000000000000000000000000000000000000000000000000000000008152a25b01611fa9565b826004116101fe578390335f52600360205260405f20549360ff5f955f9360405196875260247ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8501910160048801375a6113888c603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec7884010260061c10159111161616938461220b575b505082159384156121aa575050507f5378e99f1c6cc344f21e74745742dd30c73797900a542307d5d109383b01bf286020604051858152a15b506121a3576001906120cb565b5050505050565b156121b7575b5050612196565b60207fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce6917fffffffff0000000000000000000000000000000000000000000000000000000060405191168152a2825f6121b0565b5f92955090829182308cf1928315612225575b5f8061215d565b50505f805260033d1161223b575b825f5161221e565b60045f803e612233565b7f0610986e000000000000000000000000000000000000000000000000000000009150145f612074565b7f12de7a44000000000000000000000000000000000000000000000000000000008114915061206d565b7f537a38ca0000000000000000000000000000000000000000000000000000000081149150612066565b7f84b93183000000000000000000000000000000000000000000000000000000008114915061205f565b7fffffffff00000000000000000000000000000000000000000000000000000000809293508460040360031b1b1616905f612010565b91908203918211610af057565b6003821015611eea5701905f90565b91908201809211610af057565b61235581611f17565b1515908215159182146125cd578215612486576004546020811461245e5768010000000000000000811015611daf57816123988260016123c49401600455611ed2565b90919073ffffffffffffffffffffffffffffffffffffffff8084549260031b9316831b921b1916179055565b8261244d575b7fee42947bc760229eeff964017ac68eddb00ba98b0defcd90a1bc85a5afceb0579161244473ffffffffffffffffffffffffffffffffffffffff6020931694855f526003845260405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b604051908152a2565b60015460a01c60ff161592506123ca565b7f504b487c000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8101908111610af05773ffffffffffffffffffffffffffffffffffffffff8216905f5b818110612560575050506004548015612533577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0161250b81611ed2565b73ffffffffffffffffffffffffffffffffffffffff82549160031b1b191690556004556123c4565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603160045260245ffd5b808373ffffffffffffffffffffffffffffffffffffffff612582600194611ed2565b90549060031b1c1614612596575b016124cd565b6125c873ffffffffffffffffffffffffffffffffffffffff6125b785611ed2565b90549060031b1c1661239883611ed2565b612590565b505050565b303314158061263f575b6125e257565b60ff60015460a01c16612617577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f1309a563000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600360205260ff60405f205416156125dc565b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169060ff1c601b0180601b11610af05760ff1691565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b909192604435908115610436576126e790612656565b9490936024359173ffffffffffffffffffffffffffffffffffffffff8316968784036101fe576040519161271a83611d93565b888352856020840152604051926060840184811067ffffffffffffffff821117611daf57604052835267ffffffffffffffff6020840194167ffd1c50913313d4a5cc2d99cece70c4f7a4a1cd48b3213c520000000000000000178452604083019760a43589526040519261278d84611d93565b30845287602085015260405160208101907fd827f7d269cf1656dcb583568330e57001eca4560e055b9ccc1e63965f2bb136825273ffffffffffffffffffffffffffffffffffffffff8b166040820152466060820152604060240135608082015260606024013560a082015260a0815261280860c082611ddc565b5190206040519161010083019583871067ffffffffffffffff881117611daf576129eb9c612ab2997fff00000000000000000000000000000000000000000000000000000000000000612a5597612a1f95612a869b60405260da89527f47656f4f72646572207769746e6573732947656f4f726465722861646472657360208a01527f732077616c6c65742c75696e7432353620636861696e49642c6279746573333260408a01527f206f7264657249642c5465726d73207465726d73295465726d732875696e743260608a01527f35362064657374696e6174696f6e436861696e2c62797465733332206f75747060808a01527f7574546f6b656e2c6279746573333220726563697069656e742c75696e74323560a08a01527f36206d696e4f757470757429546f6b656e5065726d697373696f6e732861646460c08a01527f7265737320746f6b656e2c75696e7432353620616d6f756e742900000000000060e08a01526040519a60208c015260408b015260f81b16606089015260418852612994606189611ddc565b6040519e8f9a7f137c29fe0000000000000000000000000000000000000000000000000000000060208d015260248c0190516020809173ffffffffffffffffffffffffffffffffffffffff81511684520151910152565b5160648a0152516084890152805173ffffffffffffffffffffffffffffffffffffffff1660a48901526020015160c4880152565b73ffffffffffffffffffffffffffffffffffffffff8a1660e487015261010486015261014061012486015261016485019061268e565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc8483030161014485015261268e565b037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08101865285611ddc565b50610e104204845f52600b602052612ad160405f206003830690612330565b5090815494604051907f70a082310000000000000000000000000000000000000000000000000000000082523060048301526020826024818b5afa918215612c8e575f92612c99575b505f8160208293519101826e22d473030f116ddee9f6b43ac78ba35af115612c8e576040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201526020816024818b5afa908115612c8e5785905f92612c58575b50612b8c919261233f565b03612c30578482540361027c57612bb88173ffffffffffffffffffffffffffffffffffffffff96613362565b807affffffffffffffffffffffffffffffffffffffffffffffffffffff038085105f14612c2a575083905b019060d81b1790556040519384526020840152608435604084015216907fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee509606060643592a3565b90612be3565b7f49986e73000000000000000000000000000000000000000000000000000000005f5260045ffd5b9150506020813d602011612c86575b81612c7460209383611ddc565b810103126101fe575184612b8c612b81565b3d9150612c67565b6040513d5f823e3d90fd5b9091506020813d602011612cc5575b81612cb560209383611ddc565b810103126101fe5751905f612b1a565b3d9150612ca8565b600160ff8260081c92161b90805f52600860205260405f205490828216612cfd575f5260086020521760405f2055565b7f65d472ed000000000000000000000000000000000000000000000000000000005f5260045ffd5b91610e10420491612d37838554613362565b9081818111918215612da9575b50508015612d83575b612d5b57019060d81b179055565b7fa4875a49000000000000000000000000000000000000000000000000000000005f5260045ffd5b50807affffffffffffffffffffffffffffffffffffffffffffffffffffff038211612d4d565b0383119050815f612d44565b82158015612f2a575b8015612f0b575b6104365773ffffffffffffffffffffffffffffffffffffffff1680612e58575047828110612e2857505f8080938193620186a0f115612e0057565b7f9c549661000000000000000000000000000000000000000000000000000000005f5260045ffd5b90507fcf479181000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615612eea575b60405215612ebf5750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b906001811516612f0257823b15153d15161690612eb4565b503d5f823e3d90fd5b503073ffffffffffffffffffffffffffffffffffffffff831614612dc5565b5073ffffffffffffffffffffffffffffffffffffffff821615612dbe565b73ffffffffffffffffffffffffffffffffffffffff5f54163303610eac57565b905f916017813b14612f775750565b5f806017923c5f5162ef01008160e81c14612f8f5750565b60481c73ffffffffffffffffffffffffffffffffffffffff169150565b9190939573ffffffffffffffffffffffffffffffffffffffff610e104204941696875f52600b6020526024612fe860405f206003880690612330565b509687549560208b604051948580927f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa928315612c8e575f9361316a575b50815f92918360208194519301915af115612c8e576040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201526020816024818d5afa908115612c8e5783905f92613134575b50613095919261233f565b03612c30578386540361027c577fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee50995856130e660609773ffffffffffffffffffffffffffffffffffffffff97613362565b807affffffffffffffffffffffffffffffffffffffffffffffffffffff038085105f1461312e575083905b019060d81b179055604051978852602088015260408701521693a3565b90613111565b9150506020813d602011613162575b8161315060209383611ddc565b810103126101fe57518261309561308a565b3d9150613143565b9092506020813d602011613196575b8161318660209383611ddc565b810103126101fe5751915f613030565b3d9150613179565b9190335f52600360205260405f20549060ff5f9260805f9560405194855260048501375a61138888603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec7884010260061c10159111161616948561328e575b50508361323457505060207f5378e99f1c6cc344f21e74745742dd30c73797900a542307d5d109383b01bf2891604051908152a190565b1561323e57505090565b60207fb3959480f1fa5944be6ec0f84b8d80ed3a434ff9ea4875641e86ea1a28dc5ce6917fffffffff0000000000000000000000000000000000000000000000000000000060405191168152a290565b5f92508291826084923090f180156132a8575b5f806131fd565b90505f805260033d116132be575b5f51906132a1565b60045f803e6132b6565b90915f5b8381101561331257613305828260071b85017f845b67e8000000000000000000000000000000000000000000000000000000008461319e565b15613312576001016132cc565b50505050565b90915f5b8381101561331257613355828260071b85017f10e4de95000000000000000000000000000000000000000000000000000000008461319e565b156133125760010161331c565b908160d81c145f1461338e577affffffffffffffffffffffffffffffffffffffffffffffffffffff1690565b505f905660c0346100a757601f610ed438819003918201601f19168301916001600160401b038311848410176100ab578084926020946040528339810103126100a757516001600160a01b03811681036100a7573060a052608052604051610e1490816100c08239608051818181610145015281816104460152610ceb015260a0518181816031015281816101e7015281816102c2015281816103a4015281816109700152610c3f0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109c057508063150b7a02146108f65780631626ba7e14610788578063336ccba5146107155780639753a958146103f4578063bc197c81146102e6578063c89e436114610278578063cd05eedf14610237578063f23a6e611461016d5763fbfa77cf146100fb575f61000f565b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576101a4610ade565b506101ad610b01565b5060843567ffffffffffffffff8111610169576101ce903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101695760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576020610270610bf1565b604051908152f35b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761031d610ade565b50610326610b01565b5060443567ffffffffffffffff811161016957610347903690600401610b52565b505060643567ffffffffffffffff811161016957610369903690600401610b52565b505060843567ffffffffffffffff81116101695761038b903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610169577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360161010081126101695760c0136101695760e43573ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106ed5760a43542116106c5576104e290610481610bf1565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20907f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169160ff601b60c43593821c011690610d7a565b506004811015610698571590811591610677575b5061064f57608435600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216610627575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205560043573ffffffffffffffffffffffffffffffffffffffff81169081810361016957506040517fa9059cbb000000000000000000000000000000000000000000000000000000005f523360045260243560245260205f60448180865af19060015f5114821615610607575b50156105dc57005b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b600182151661061f5750813b15153d151616826105d4565b3d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff163014159050816104f6565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101695760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760243567ffffffffffffffff8111610169576107d7903690600401610b24565b806041146108de576040146108a457506107f65f80805b600435610d7a565b50600481101561069857159081610884575b501561085c5760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610832565b73ffffffffffffffffffffffffffffffffffffffff163014905081610808565b8060206107f69201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107ee565b50806107f69135604060208301359201355f1a6107ee565b346101695760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761092d610ade565b50610936610b01565b5060643567ffffffffffffffff811161016957610957903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361016957817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ab4575b8115610a8a575b8115610a60575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a59565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a52565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a4b565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020838186019501011161016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020808501948460051b01011161016957565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bc457604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160208101907f71062c282d40422f744945d587dbf4ecfd4f9cfad1d35d62c944373009d96162825246604082015230606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260808152610c7360a082610b83565b5190206004359073ffffffffffffffffffffffffffffffffffffffff8216808303610169576042925060405160208101917fef06d18ab21f200540ca1d6b08110a3797a276e374c47d5ab311375cb5c053a883526040820152602435606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260443560a082015260643560c082015260843560e082015260a4356101008201526101008152610d4261012082610b83565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610e09579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610dfe575f5173ffffffffffffffffffffffffffffffffffffffff811615610df457905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f91600391905660c0346100bc57601f61120838819003918201601f19168301916001600160401b038311848410176100c0578084926020946040528339810103126100bc57516001600160a01b03811681036100bc573060a05260805260405161113390816100d58239608051818181610150015281816103b9015281816105ef0152818161079f0152610e67015260a0518181816031015281816101f201528181610305015281816104980152818161057a01528181610a3d0152610db50152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a714610a8d57508063150b7a02146109c35780631626ba7e14610855578063336ccba5146107e2578063919ca6691461077a5780639753a958146105ca578063bc197c81146104bc578063c89e43611461044e578063cd05eedf14610242578063f23a6e61146101785763fbfa77cf14610106575f61000f565b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576101af610bab565b506101b8610bce565b5060843567ffffffffffffffff8111610174576101d9903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101745760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a0815261033960c082610cb0565b51902060043573ffffffffffffffffffffffffffffffffffffffff8116918282036101745760209260429250604051848101917fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65883523060408301526060820152602435608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260443560c082015260643560e082015260843561010082015260a435610120820152610120815261041161014082610cb0565b519020604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015220604051908152f35b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576104f3610bab565b506104fc610bce565b5060443567ffffffffffffffff81116101745761051d903690600401610c5e565b505060643567ffffffffffffffff81116101745761053f903690600401610c5e565b505060843567ffffffffffffffff811161017457610561903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610174576105d836610c1f565b73ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036107525760a0830135421161072a5761065c9161062d84610d1e565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20610f95565b5060048110156106fd5715908115916106dc575b506106b4578061068660806106b2930135610fd4565b602073ffffffffffffffffffffffffffffffffffffffff6106a683610c8f565b16910135903390611069565b005b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff16301415905082610670565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101745761078836610c1f565b73ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036107525760a0830135421161072a5761065c916107dd84610d1e565b610f95565b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101745760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760243567ffffffffffffffff8111610174576108a4903690600401610bf1565b806041146109ab5760401461097157506108c35f80805b600435610efb565b5060048110156106fd57159081610951575b50156109295760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff000000000000000000000000000000000000000000000000000000006108ff565b73ffffffffffffffffffffffffffffffffffffffff1630149050816108d5565b8060206108c39201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016108bb565b50806108c39135604060208301359201355f1a6108bb565b346101745760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576109fa610bab565b50610a03610bce565b5060643567ffffffffffffffff811161017457610a24903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361017457817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610b81575b8115610b57575b8115610b2d575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610b26565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610b1f565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610b18565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b9181601f840112156101745782359167ffffffffffffffff8311610174576020838186019501011161017457565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0161010081126101745760c0136101745760049060c4359060e43590565b9181601f840112156101745782359167ffffffffffffffff8311610174576020808501948460051b01011161017457565b3573ffffffffffffffffffffffffffffffffffffffff811681036101745790565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610cf157604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60429060405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a08152610de960c082610cb0565b51902090610df681610c8f565b9060a06040519173ffffffffffffffffffffffffffffffffffffffff60208401947fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65886523060408601521660608401526020810135608084015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001682840152604081013560c0840152606081013560e0840152608081013561010084015201356101208201526101208152610ec361014082610cb0565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610f8a579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610f7f575f5173ffffffffffffffffffffffffffffffffffffffff811615610f7557905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b90610fcd929160ff601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff851694821c011690610efb565b9192909190565b600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216611041575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f2055565b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615611112575b604052156110d05750565b73ffffffffffffffffffffffffffffffffffffffff907f5274afe7000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b90600181151661112a57823b15153d151616906110c5565b503d5f823e3d90fd80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb160756"
