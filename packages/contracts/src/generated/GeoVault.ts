/** Made of contracts/GeoVault.sol by `pnpm compile`; do not edit. */
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
  "0x60a03461016b57601f612c7438819003918201601f19168301916001600160401b038311848410176101445780849260209460405283398101031261016b57516001600160a01b0381169081900361016b57801561015857600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3610ed4818101906001600160401b03821183831017610144576020918391611da083393081520301905ff08015610139576001600160a01b03166080819052604051600181527f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075690602090a2604051611c309081610170823960805181818161076701528181610dbf01526113720152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fdfe6080604052600436101561001a575b3615610018575f80fd5b005b5f5f3560e01c806307779627146111f75780630c68ba211461118f57806310e4de95146111105780632b8a1c5a1461107f5780633f4ba83a14610f8c57806344dfbdaf14610f295780634a994eef14610d7a578063541d554814610d2f5780635c975abb14610cec578063715018a614610c9657806379ba509714610b8e57806380ad2cf314610afb5780638456cb5914610997578063845b67e8146108db5780638da5cb5b1461088b578063bc8d63281461078b578063c86dfcf71461071d578063d9caed1214610670578063e30c39781461061f578063ecd8dc3a14610600578063ee408803146105b7578063f0791a341461023b578063f2fde38b1461017c5763fe255a181461012d575061000e565b346101795760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101795760ff60406020926004358152600784522054166040519015158152f35b80fd5b50346101795760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101795773ffffffffffffffffffffffffffffffffffffffff6101c961122f565b6101d1611bcc565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff8254167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227008380a380f35b50346104e7576101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e75761027461122f565b60c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffdc3601126104e7576102a66117f0565b604435801561058f576102c06102bb83611bec565b611345565b156105675773ffffffffffffffffffffffffffffffffffffffff6102e26117c0565b1690604051927f70a08231000000000000000000000000000000000000000000000000000000008452306004850152602084602481865afa938415610514575f9461051f575b5073ffffffffffffffffffffffffffffffffffffffff1692833b156104e757604051907f9753a95800000000000000000000000000000000000000000000000000000000825273ffffffffffffffffffffffffffffffffffffffff61038b611252565b166004830152826024830152606435938460448401526084359283606482015260a435608482015260c43560a482015260e43560c48201526101043560e48201525f8161010481838b5af18015610514576104fe575b506020602491604051928380927f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa9081156104f357849088926104b9575b5061043491926117e3565b03610491577fb7bdb0e6c582b96260e0f5c83e697d3c31a15b5c7f4a58fd59151685650ee509916060916104666117c0565b9173ffffffffffffffffffffffffffffffffffffffff6040519316835260208301526040820152a380f35b6004857f49986e73000000000000000000000000000000000000000000000000000000008152fd5b9150506020813d6020116104eb575b816104d56020938361145e565b810103126104e7575183610434610429565b5f80fd5b3d91506104c8565b6040513d89823e3d90fd5b61050b9197505f9061145e565b5f9560206103e1565b6040513d5f823e3d90fd5b9093506020813d60201161055f575b8161053b6020938361145e565b810103126104e757519273ffffffffffffffffffffffffffffffffffffffff610328565b3d915061052e565b7f9ccd6d76000000000000000000000000000000000000000000000000000000005f5260045ffd5b7ff9820cc1000000000000000000000000000000000000000000000000000000005f5260045ffd5b346104e75760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e75760206105f86105f361122f565b61177f565b604051908152f35b346104e757610018610611366112eb565b9061061a611bcc565b6114cc565b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346104e75760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7576100186106aa61122f565b6106b2611252565b604435916106be611bcc565b60405183815273ffffffffffffffffffffffffffffffffffffffff8216907fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb602073ffffffffffffffffffffffffffffffffffffffff861692a3611a39565b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7576040518060206004549283815201809260045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b905f5b81811061085f575050508161080791038261145e565b604051918291602083019060208452518091526040830191905f5b818110610830575050500390f35b825173ffffffffffffffffffffffffffffffffffffffff16845285945060209384019390920191600101610822565b825473ffffffffffffffffffffffffffffffffffffffff168452602090930192600192830192016107f1565b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346104e7576100186108ec36611275565b9261097573ffffffffffffffffffffffffffffffffffffffff5f9493945416331415918261098a575b60405186815273ffffffffffffffffffffffffffffffffffffffff851690827f2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6602073ffffffffffffffffffffffffffffffffffffffff8a1693a4611864565b15611a39575b61098583826118d6565b611a39565b6109926117f0565b610915565b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e75773ffffffffffffffffffffffffffffffffffffffff5f541633141580610ae4575b610abc57740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60015416176001555f5b600454811015610a95578073ffffffffffffffffffffffffffffffffffffffff610a566001936113b3565b90549060031b1c165f52600360205260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815416905501610a2b565b337f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2585f80a2005b7f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b50335f52600560205260ff60405f205416156109e6565b346104e75760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757610b3261122f565b7f1c9182333abe71fddddd188f90cabb1c34182de0b0ac74c87944a196460a2d6c602073ffffffffffffffffffffffffffffffffffffffff60243593610b76611bcc565b1692835f52600682528060405f2055604051908152a2005b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7573373ffffffffffffffffffffffffffffffffffffffff6001541603610c6a577fffffffffffffffffffffffff0000000000000000000000000000000000000000600154166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757602060ff60015460a01c166040519015158152f35b346104e75760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7576020610d70610d6b61122f565b6113f8565b6040519015158152f35b346104e757610d88366112eb565b610d90611bcc565b73ffffffffffffffffffffffffffffffffffffffff82169173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168314610e6057819081610e88575b50610e605760207f80e614228604298a81dc024ea136c4a5f7eb1ebcec5d67e279f2a8f2fb16075691835f5260028252610e558160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b6040519015158152a2005b7fc4359a1e000000000000000000000000000000000000000000000000000000005f5260045ffd5b905073ffffffffffffffffffffffffffffffffffffffff610ea882611bec565b161590811591610eba575b5083610ded565b604091505f90825160208101907ffbfa77cf00000000000000000000000000000000000000000000000000000000825260048152610ef960248261145e565b51915afa5f5181610f1d575b81610f13575b501583610eb3565b9050301483610f0b565b60203d10159150610f05565b346104e75760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e75773ffffffffffffffffffffffffffffffffffffffff610f7561122f565b165f526006602052602060405f2054604051908152f35b346104e7575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e757610fc2611bcc565b7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff600154166001555f5b600454811015611058578073ffffffffffffffffffffffffffffffffffffffff6110176001936113b3565b90549060031b1c165f52600360205260405f20827fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0082541617905501610fec565b337f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa5f80a2005b346104e75773ffffffffffffffffffffffffffffffffffffffff7fc4459d655e1efe034a75446f1f4db087f75d23bdfabccffafa6384cdb23a154460206110c5366112eb565b93906110cf611bcc565b1692835f5260058252610e558160405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b346104e75761001861097b61112436611275565b93909261112f6117f0565b60405185815273ffffffffffffffffffffffffffffffffffffffff841690827f493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1602073ffffffffffffffffffffffffffffffffffffffff891693a4611864565b346104e75760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e75773ffffffffffffffffffffffffffffffffffffffff6111db61122f565b165f526005602052602060ff60405f2054166040519015158152f35b346104e75760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104e7576020610d706102bb5b6004359073ffffffffffffffffffffffffffffffffffffffff821682036104e757565b6024359073ffffffffffffffffffffffffffffffffffffffff821682036104e757565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60809101126104e7576004359060243573ffffffffffffffffffffffffffffffffffffffff811681036104e7579060443573ffffffffffffffffffffffffffffffffffffffff811681036104e7579060643590565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc60409101126104e75760043573ffffffffffffffffffffffffffffffffffffffff811681036104e7579060243580151581036104e75790565b73ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016811490811561139f575090565b90505f52600260205260ff60405f20541690565b6004548110156113cb5760045f5260205f2001905f90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b6004549073ffffffffffffffffffffffffffffffffffffffff165f5b828110611422575050505f90565b8173ffffffffffffffffffffffffffffffffffffffff611441836113b3565b90549060031b1c161461145657600101611414565b505050600190565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761149f57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6114d5816113f8565b15159082151591821461177a57821561160657600454602081146115de576801000000000000000081101561149f578161151882600161154494016004556113b3565b90919073ffffffffffffffffffffffffffffffffffffffff8084549260031b9316831b921b1916179055565b826115cd575b7fee42947bc760229eeff964017ac68eddb00ba98b0defcd90a1bc85a5afceb057916115c473ffffffffffffffffffffffffffffffffffffffff6020931694855f526003845260405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691151516179055565b604051908152a2565b60015460a01c60ff1615925061154a565b7f504b487c000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff810190811161174d5773ffffffffffffffffffffffffffffffffffffffff8216905f5b8181106116e05750505060045480156116b3577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0161168b816113b3565b73ffffffffffffffffffffffffffffffffffffffff82549160031b1b19169055600455611544565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603160045260245ffd5b808373ffffffffffffffffffffffffffffffffffffffff6117026001946113b3565b90549060031b1c1614611716575b0161164d565b61174873ffffffffffffffffffffffffffffffffffffffff611737856113b3565b90549060031b1c16611518836113b3565b611710565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b505050565b73ffffffffffffffffffffffffffffffffffffffff165f52600860205260405f2054610e10420464ffffffffff8216145f146117bb5760281c90565b505f90565b60243573ffffffffffffffffffffffffffffffffffffffff811681036104e75790565b9190820180921161174d57565b335f52600360205260ff60405f2054161561180757565b60ff60015460a01c1661183c577f3d693ada000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f1309a563000000000000000000000000000000000000000000000000000000005f5260045ffd5b805f52600760205260ff60405f2054166118ae575f52600760205260405f2060017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00825416179055565b7f65d472ed000000000000000000000000000000000000000000000000000000005f5260045ffd5b9073ffffffffffffffffffffffffffffffffffffffff6118f58361177f565b921691825f52600660205260405f2054808211908115611a26575b5080156119de575b6119b6577affffffffffffffffffffffffffffffffffffffffffffffffffffff91611942916117e3565b16604051916040830183811067ffffffffffffffff82111761149f5760405264ffffffffff610e104204168352602083019182525f5260086020527fffffffffffffffffffffffffffffffffffffffffffffffffffffff000000000064ffffffffff60405f20935116915160281b16179055565b7fa4875a49000000000000000000000000000000000000000000000000000000005f5260045ffd5b50807affffffffffffffffffffffffffffffffffffffffffffffffffffff037affffffffffffffffffffffffffffffffffffffffffffffffffffff811161174d578211611918565b8281039150811161174d5782115f611910565b82158015611bae575b8015611b8f575b61058f5773ffffffffffffffffffffffffffffffffffffffff1680611adc575047828110611aac57505f8080938193620186a0f115611a8457565b7f9c549661000000000000000000000000000000000000000000000000000000005f5260045ffd5b90507fcf479181000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615611b6e575b60405215611b435750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b906001811516611b8657823b15153d15161690611b38565b503d5f823e3d90fd5b503073ffffffffffffffffffffffffffffffffffffffff831614611a49565b5073ffffffffffffffffffffffffffffffffffffffff821615611a42565b73ffffffffffffffffffffffffffffffffffffffff5f54163303610c6a57565b905f916017813b14611bfb5750565b5f806017923c5f5162ef01008160e81c14611c135750565b60481c73ffffffffffffffffffffffffffffffffffffffff1691505660c0346100a757601f610ed438819003918201601f19168301916001600160401b038311848410176100ab578084926020946040528339810103126100a757516001600160a01b03811681036100a7573060a052608052604051610e1490816100c08239608051818181610145015281816104460152610ceb015260a0518181816031015281816101e7015281816102c2015281816103a4015281816109700152610c3f0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109c057508063150b7a02146108f65780631626ba7e14610788578063336ccba5146107155780639753a958146103f4578063bc197c81146102e6578063c89e436114610278578063cd05eedf14610237578063f23a6e611461016d5763fbfa77cf146100fb575f61000f565b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576101a4610ade565b506101ad610b01565b5060843567ffffffffffffffff8111610169576101ce903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101695760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576020610270610bf1565b604051908152f35b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761031d610ade565b50610326610b01565b5060443567ffffffffffffffff811161016957610347903690600401610b52565b505060643567ffffffffffffffff811161016957610369903690600401610b52565b505060843567ffffffffffffffff81116101695761038b903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610169577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360161010081126101695760c0136101695760e43573ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106ed5760a43542116106c5576104e290610481610bf1565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20907f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169160ff601b60c43593821c011690610d7a565b506004811015610698571590811591610677575b5061064f57608435600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216610627575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205560043573ffffffffffffffffffffffffffffffffffffffff81169081810361016957506040517fa9059cbb000000000000000000000000000000000000000000000000000000005f523360045260243560245260205f60448180865af19060015f5114821615610607575b50156105dc57005b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b600182151661061f5750813b15153d151616826105d4565b3d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff163014159050816104f6565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101695760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760243567ffffffffffffffff8111610169576107d7903690600401610b24565b806041146108de576040146108a457506107f65f80805b600435610d7a565b50600481101561069857159081610884575b501561085c5760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610832565b73ffffffffffffffffffffffffffffffffffffffff163014905081610808565b8060206107f69201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107ee565b50806107f69135604060208301359201355f1a6107ee565b346101695760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761092d610ade565b50610936610b01565b5060643567ffffffffffffffff811161016957610957903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361016957817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ab4575b8115610a8a575b8115610a60575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a59565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a52565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a4b565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020838186019501011161016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020808501948460051b01011161016957565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bc457604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160208101907f71062c282d40422f744945d587dbf4ecfd4f9cfad1d35d62c944373009d96162825246604082015230606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260808152610c7360a082610b83565b5190206004359073ffffffffffffffffffffffffffffffffffffffff8216808303610169576042925060405160208101917fef06d18ab21f200540ca1d6b08110a3797a276e374c47d5ab311375cb5c053a883526040820152602435606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260443560a082015260643560c082015260843560e082015260a4356101008201526101008152610d4261012082610b83565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610e09579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610dfe575f5173ffffffffffffffffffffffffffffffffffffffff811615610df457905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f916003919056"
