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
  "0x60a03461016b57601f61314b38819003918201601f19168301916001600160401b038311848410176101445780849260209460405283398101031261016b57516001600160a01b0381169081900361016b57801561015857600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3610ed4818101906001600160401b0382118383101761014457602091839161227783393081520301905ff08015610139576001600160a01b03166080819052604051600181527f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075690602090a2604051612107908161017082396080518181816108ce015281816112d4015261191c0152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fdfe6080604052600436101561001a575b3615610018575f80fd5b005b5f5f3560e01c806301d6c8ec1461177157806307779627146117355780630c68ba21146116cd57806310e4de95146116255780632b8a1c5a146115945780633f4ba83a146114a157806344dfbdaf1461143e5780634a994eef1461128f578063541d5548146112445780635c975abb1461120157806368ec0d99146110e6578063715018a61461109057806374f7fd2514610ffc57806379ba509714610ef457806380ad2cf314610df75780638456cb5914610c93578063845b67e814610a425780638da5cb5b146109f2578063bc8d6328146108f2578063c86dfcf714610884578063d9caed12146107d7578063dc4717ae1461075e578063e30c39781461070d578063ecd8dc3a146106ee578063ee4088031461067e578063f0791a3414610267578063f2fde38b146101a85763fe255a1814610159575061000e565b346101a55760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101a55760ff60406020926004358152600884522054166040519015158152f35b80fd5b50346101a55760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101a55773ffffffffffffffffffffffffffffffffffffffff6101f56117d9565b6101fd6120a3565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff8254167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227008380a380f35b50346105ae576101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae576102a06117d9565b60c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126105ae576102d2611da4565b6044358015610656576102ec6102e7836120c3565b6118ef565b1561062e5773ffffffffffffffffffffffffffffffffffffffff61030e611d67565b1690604051927f70a08231000000000000000000000000000000000000000000000000000000008452306004850152602084602481865afa9384156105db575f946105e6575b5073ffffffffffffffffffffffffffffffffffffffff1692833b156105ae57604051907f9753a95800000000000000000000000000000000000000000000000000000000825273ffffffffffffffffffffffffffffffffffffffff6103b76117fc565b166004830152826024830152606435938460448401526084359283606482015260a435608482015260c43560a482015260e43560c48201526101043560e48201525f8161010481838b5af180156105db576105c5575b506020602491604051928380927f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa9081156105ba5784908892610580575b506104609192611a66565b03610558577fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee50991606091610525610495611d67565b73ffffffffffffffffffffffffffffffffffffffff610e10420491168952600b6020526104c960408a206003830690611a57565b50906104ef6104d88284611d8a565b6104e181611a08565b808810818918021890611a66565b64ffffffffff90911660289190911b7fffffffffffffffffffffffffffffffffffffffffffffffffffffff000000000016179055565b61052d611d67565b9173ffffffffffffffffffffffffffffffffffffffff6040519316835260208301526040820152a380f35b6004857f49986e73000000000000000000000000000000000000000000000000000000008152fd5b9150506020813d6020116105b2575b8161059c60209383611a73565b810103126105ae575183610460610455565b5f80fd5b3d915061058f565b6040513d89823e3d90fd5b6105d29197505f90611a73565b5f95602061040d565b6040513d5f823e3d90fd5b9093506020813d602011610626575b8161060260209383611a73565b810103126105ae57519273ffffffffffffffffffffffffffffffffffffffff610354565b3d91506105f5565b7f9ccd6d76000000000000000000000000000000000000000000000000000000005f5260045ffd5b7ff9820cc1000000000000000000000000000000000000000000000000000000005f5260045ffd5b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5773ffffffffffffffffffffffffffffffffffffffff6106ca6117d9565b165f52600960205260206106e660405f20610e10420490611d8a565b604051908152f35b346105ae576100186106ff36611895565b906107086120a3565b611ae1565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae57602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5760206106e661079a6117d9565b73ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b346105ae5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae576100186108116117d9565b6108196117fc565b604435916108256120a3565b60405183815273ffffffffffffffffffffffffffffffffffffffff8216907fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb602073ffffffffffffffffffffffffffffffffffffffff861692a3611f10565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae57602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae576040518060206004549283815201809260045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b905f5b8181106109c6575050508161096e910382611a73565b604051918291602083019060208452518091526040830191905f5b818110610997575050500390f35b825173ffffffffffffffffffffffffffffffffffffffff16845285945060209384019390920191600101610989565b825473ffffffffffffffffffffffffffffffffffffffff16845260209093019260019283019201610958565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae57602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346105ae57610a503661181f565b91909273ffffffffffffffffffffffffffffffffffffffff5f541633141580610c86575b610ad873ffffffffffffffffffffffffffffffffffffffff84169283604051878152827f2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6602073ffffffffffffffffffffffffffffffffffffffff8c1693a4611e18565b610ae8575b509161001892611f10565b90815f52600a602052610b408360405f20610b3a8473ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b90611e8a565b82610e1042049460018601808711610c0c577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe8701908111610c0c57945b80151580610c7c575b15610c4257845f52600b602052610ba560405f206003880690611a57565b5090610bb18783611d8a565b918215610c395790610bd58392896104ef84610bda97108587180285188096611a4a565b611a4a565b945b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8114610c0c5760010194610b7e565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b50959050610bdc565b92955092509250610c54579183610add565b7f6d408745000000000000000000000000000000000000000000000000000000005f5260045ffd5b5086861115610b87565b610c8e611da4565b610a74565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5773ffffffffffffffffffffffffffffffffffffffff5f541633141580610de0575b610db857740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60015416176001555f5b600454811015610d91578073ffffffffffffffffffffffffffffffffffffffff610d5260019361195d565b90549060031b1c165f52600360205260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815416905501610d27565b337f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2585f80a2005b7f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600560205260ff60405f20541615610ce2565b346105ae5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae57610e2e6117d9565b73ffffffffffffffffffffffffffffffffffffffff60243591610e4f6120a3565b1690815f5260066020528060405f20555f5b60038110610e97575060207f1c9182333abe71fddddd188f90cabb1c34182de0b0ac74c87944a196460a2d6c91604051908152a2005b600190835f52600b602052610eaf8160405f20611a57565b5064ffffffffff81541615610ec6575b5001610e61565b827fffffffffffffffffffffffffffffffffffffffffffffffffffffff000000000082541617905584610ebf565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae573373ffffffffffffffffffffffffffffffffffffffff6001541603610fd0577fffffffffffffffffffffffff0000000000000000000000000000000000000000600154166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346105ae5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae576110336117d9565b7f9d1d029af1960adebd90ee93802714cee2022c4abc2afc7d0ecf87bb74f61ca4602073ffffffffffffffffffffffffffffffffffffffff602435936110776120a3565b1692835f5260078252801960405f2055604051908152a2005b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5761111d6117d9565b610e104204905f9073ffffffffffffffffffffffffffffffffffffffff811690825b600381106111b7575060209361118f61119f9273ffffffffffffffffffffffffffffffffffffffff16805f52600660205260405f2054905f52600760205260405f20541990818082109118021890565b925f52600a855260405f20611d8a565b81039081111502906040519181808210911802188152f35b926111fa600191845f52600b6020526111f46111e360405f2060036111dc8a8c611a4a565b0690611a57565b506111ee888a611a4a565b90611d8a565b90611a66565b930161113f565b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae57602060ff60015460a01c166040519015158152f35b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5760206112856112806117d9565b6119a2565b6040519015158152f35b346105ae5761129d36611895565b6112a56120a3565b73ffffffffffffffffffffffffffffffffffffffff82169173ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001683146113755781908161139d575b506113755760207f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075691835f526002825261136a8160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b6040519015158152a2005b7fc4359a1e000000000000000000000000000000000000000000000000000000005f5260045ffd5b905073ffffffffffffffffffffffffffffffffffffffff6113bd826120c3565b1615908115916113cf575b5083611302565b604091505f90825160208101907ffbfa77cf0000000000000000000000000000000000000000000000000000000082526004815261140e602482611a73565b51915afa5f5181611432575b81611428575b5015836113c8565b9050301483611420565b60203d1015915061141a565b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5773ffffffffffffffffffffffffffffffffffffffff61148a6117d9565b165f526006602052602060405f2054604051908152f35b346105ae575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae576114d76120a3565b7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff600154166001555f5b60045481101561156d578073ffffffffffffffffffffffffffffffffffffffff61152c60019361195d565b90549060031b1c165f52600360205260405f20827fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0082541617905501611501565b337f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa5f80a2005b346105ae5773ffffffffffffffffffffffffffffffffffffffff7fc4459d655e1efe034a75446f1f4db087f75d23bdfabccffafa6384cdb23a154460206115da36611895565b93906115e46120a3565b1692835f526005825261136a8160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b346105ae576100186116c86116393661181f565b80949193611645611da4565b6116a973ffffffffffffffffffffffffffffffffffffffff85169182604051858152827f493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1602073ffffffffffffffffffffffffffffffffffffffff8c1693a4611e18565b805f52600960205260405f20905f52600660205260405f205490611e8a565b611f10565b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5773ffffffffffffffffffffffffffffffffffffffff6117196117d9565b165f526005602052602060ff60405f2054166040519015158152f35b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5760206112856102e76117d9565b346105ae5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126105ae5773ffffffffffffffffffffffffffffffffffffffff6117bd6117d9565b165f52600a60205260206106e660405f20610e10420490611d8a565b6004359073ffffffffffffffffffffffffffffffffffffffff821682036105ae57565b6024359073ffffffffffffffffffffffffffffffffffffffff821682036105ae57565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60809101126105ae576004359060243573ffffffffffffffffffffffffffffffffffffffff811681036105ae579060443573ffffffffffffffffffffffffffffffffffffffff811681036105ae579060643590565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60409101126105ae5760043573ffffffffffffffffffffffffffffffffffffffff811681036105ae579060243580151581036105ae5790565b73ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168114908115611949575090565b90505f52600260205260ff60405f20541690565b6004548110156119755760045f5260205f2001905f90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b6004549073ffffffffffffffffffffffffffffffffffffffff165f5b8281106119cc575050505f90565b8173ffffffffffffffffffffffffffffffffffffffff6119eb8361195d565b90549060031b1c1614611a00576001016119be565b505050600190565b7affffffffffffffffffffffffffffffffffffffffffffffffffffff03907affffffffffffffffffffffffffffffffffffffffffffffffffffff8211610c0c57565b91908203918211610c0c57565b60038210156119755701905f90565b91908201809211610c0c57565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117611ab457604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b611aea816119a2565b151590821515918214611d62578215611c1b5760045460208114611bf35768010000000000000000811015611ab45781611b2d826001611b59940160045561195d565b90919073ffffffffffffffffffffffffffffffffffffffff8084549260031b9316831b921b1916179055565b82611be2575b7fee42947bc760229eeff964017ac68eddb00ba98b0defcd90a1bc85a5afceb05791611bd973ffffffffffffffffffffffffffffffffffffffff6020931694855f526003845260405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b604051908152a2565b60015460a01c60ff16159250611b5f565b7f504b487c000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8101908111610c0c5773ffffffffffffffffffffffffffffffffffffffff8216905f5b818110611cf5575050506004548015611cc8577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff01611ca08161195d565b73ffffffffffffffffffffffffffffffffffffffff82549160031b1b19169055600455611b59565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603160045260245ffd5b808373ffffffffffffffffffffffffffffffffffffffff611d1760019461195d565b90549060031b1c1614611d2b575b01611c62565b611d5d73ffffffffffffffffffffffffffffffffffffffff611d4c8561195d565b90549060031b1c16611b2d8361195d565b611d25565b505050565b60243573ffffffffffffffffffffffffffffffffffffffff811681036105ae5790565b549064ffffffffff821603611d9f5760281c90565b505f90565b335f52600360205260ff60405f20541615611dbb57565b60ff60015460a01c16611df0577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f1309a563000000000000000000000000000000000000000000000000000000005f5260045ffd5b805f52600860205260ff60405f205416611e62575f52600860205260405f2060017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00825416179055565b7f65d472ed000000000000000000000000000000000000000000000000000000005f5260045ffd5b90610e10420490611e9b8284611d8a565b9081818111918215611efd575b50508015611eec575b611ec457611ec2936104ef91611a66565b565b7fa4875a49000000000000000000000000000000000000000000000000000000005f5260045ffd5b50611ef681611a08565b8411611eb1565b611f079250611a4a565b8411815f611ea8565b82158015612085575b8015612066575b6106565773ffffffffffffffffffffffffffffffffffffffff1680611fb3575047828110611f8357505f8080938193620186a0f115611f5b57565b7f9c549661000000000000000000000000000000000000000000000000000000005f5260045ffd5b90507fcf479181000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615612045575b6040521561201a5750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b90600181151661205d57823b15153d1516169061200f565b503d5f823e3d90fd5b503073ffffffffffffffffffffffffffffffffffffffff831614611f20565b5073ffffffffffffffffffffffffffffffffffffffff821615611f19565b73ffffffffffffffffffffffffffffffffffffffff5f54163303610fd057565b905f916017813b146120d25750565b5f806017923c5f5162ef01008160e81c146120ea5750565b60481c73ffffffffffffffffffffffffffffffffffffffff1691505660c0346100a757601f610ed438819003918201601f19168301916001600160401b038311848410176100ab578084926020946040528339810103126100a757516001600160a01b03811681036100a7573060a052608052604051610e1490816100c08239608051818181610145015281816104460152610ceb015260a0518181816031015281816101e7015281816102c2015281816103a4015281816109700152610c3f0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109c057508063150b7a02146108f65780631626ba7e14610788578063336ccba5146107155780639753a958146103f4578063bc197c81146102e6578063c89e436114610278578063cd05eedf14610237578063f23a6e611461016d5763fbfa77cf146100fb575f61000f565b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576101a4610ade565b506101ad610b01565b5060843567ffffffffffffffff8111610169576101ce903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101695760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576020610270610bf1565b604051908152f35b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761031d610ade565b50610326610b01565b5060443567ffffffffffffffff811161016957610347903690600401610b52565b505060643567ffffffffffffffff811161016957610369903690600401610b52565b505060843567ffffffffffffffff81116101695761038b903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610169577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360161010081126101695760c0136101695760e43573ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106ed5760a43542116106c5576104e290610481610bf1565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20907f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169160ff601b60c43593821c011690610d7a565b506004811015610698571590811591610677575b5061064f57608435600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216610627575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205560043573ffffffffffffffffffffffffffffffffffffffff81169081810361016957506040517fa9059cbb000000000000000000000000000000000000000000000000000000005f523360045260243560245260205f60448180865af19060015f5114821615610607575b50156105dc57005b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b600182151661061f5750813b15153d151616826105d4565b3d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff163014159050816104f6565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101695760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760243567ffffffffffffffff8111610169576107d7903690600401610b24565b806041146108de576040146108a457506107f65f80805b600435610d7a565b50600481101561069857159081610884575b501561085c5760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610832565b73ffffffffffffffffffffffffffffffffffffffff163014905081610808565b8060206107f69201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107ee565b50806107f69135604060208301359201355f1a6107ee565b346101695760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761092d610ade565b50610936610b01565b5060643567ffffffffffffffff811161016957610957903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361016957817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ab4575b8115610a8a575b8115610a60575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a59565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a52565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a4b565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020838186019501011161016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020808501948460051b01011161016957565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bc457604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160208101907f71062c282d40422f744945d587dbf4ecfd4f9cfad1d35d62c944373009d96162825246604082015230606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260808152610c7360a082610b83565b5190206004359073ffffffffffffffffffffffffffffffffffffffff8216808303610169576042925060405160208101917fef06d18ab21f200540ca1d6b08110a3797a276e374c47d5ab311375cb5c053a883526040820152602435606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260443560a082015260643560c082015260843560e082015260a4356101008201526101008152610d4261012082610b83565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610e09579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610dfe575f5173ffffffffffffffffffffffffffffffffffffffff811615610df457905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f916003919056"
