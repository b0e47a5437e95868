/** Generated from contracts/testing/TestToken.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [
      {
        internalType: "string",
        name: "name_",
        type: "string"
      },
      {
        internalType: "string",
        name: "symbol_",
        type: "string"
      },
      {
        internalType: "uint8",
        name: "decimals_",
        type: "uint8"
      }
    ],
    stateMutability: "nonpayable",
    type: "constructor"
  },
  {
    inputs: [],
    name: "ECDSAInvalidSignature",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "uint256",
        name: "length",
        type: "uint256"
      }
    ],
    name: "ECDSAInvalidSignatureLength",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "bytes32",
        name: "s",
        type: "bytes32"
      }
    ],
    name: "ECDSAInvalidSignatureS",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "spender",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "allowance",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "needed",
        type: "uint256"
      }
    ],
    name: "ERC20InsufficientAllowance",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "sender",
        type: "address"
      },
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
    name: "ERC20InsufficientBalance",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "approver",
        type: "address"
      }
    ],
    name: "ERC20InvalidApprover",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "receiver",
        type: "address"
      }
    ],
    name: "ERC20InvalidReceiver",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "sender",
        type: "address"
      }
    ],
    name: "ERC20InvalidSender",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "spender",
        type: "address"
      }
    ],
    name: "ERC20InvalidSpender",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "uint256",
        name: "deadline",
        type: "uint256"
      }
    ],
    name: "ERC2612ExpiredSignature",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "signer",
        type: "address"
      },
      {
        internalType: "address",
        name: "owner",
        type: "address"
      }
    ],
    name: "ERC2612InvalidSigner",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "account",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "currentNonce",
        type: "uint256"
      }
    ],
    name: "InvalidAccountNonce",
    type: "error"
  },
  {
    inputs: [],
    name: "InvalidShortString",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "string",
        name: "str",
        type: "string"
      }
    ],
    name: "StringTooLong",
    type: "error"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "owner",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "spender",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "Approval",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [],
    name: "EIP712DomainChanged",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "from",
        type: "address"
      },
      {
        indexed: true,
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "Transfer",
    type: "event"
  },
  {
    inputs: [],
    name: "DOMAIN_SEPARATOR",
    outputs: [
      {
        internalType: "bytes32",
        name: "",
        type: "bytes32"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "owner",
        type: "address"
      },
      {
        internalType: "address",
        name: "spender",
        type: "address"
      }
    ],
    name: "allowance",
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
        name: "spender",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "approve",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
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
    name: "balanceOf",
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
    name: "decimals",
    outputs: [
      {
        internalType: "uint8",
        name: "",
        type: "uint8"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "eip712Domain",
    outputs: [
      {
        internalType: "bytes1",
        name: "fields",
        type: "bytes1"
      },
      {
        internalType: "string",
        name: "name",
        type: "string"
      },
      {
        internalType: "string",
        name: "version",
        type: "string"
      },
      {
        internalType: "uint256",
        name: "chainId",
        type: "uint256"
      },
      {
        internalType: "address",
        name: "verifyingContract",
        type: "address"
      },
      {
        internalType: "bytes32",
        name: "salt",
        type: "bytes32"
      },
      {
        internalType: "uint256[]",
        name: "extensions",
        type: "uint256[]"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
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
    name: "mint",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "name",
    outputs: [
      {
        internalType: "string",
        name: "",
        type: "string"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "owner",
        type: "address"
      }
    ],
    name: "nonces",
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
        name: "owner",
        type: "address"
      },
      {
        internalType: "address",
        name: "spender",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "deadline",
        type: "uint256"
      },
      {
        internalType: "uint8",
        name: "v",
        type: "uint8"
      },
      {
        internalType: "bytes32",
        name: "r",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "s",
        type: "bytes32"
      }
    ],
    name: "permit",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "symbol",
    outputs: [
      {
        internalType: "string",
        name: "",
        type: "string"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [],
    name: "totalSupply",
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
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "transfer",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "from",
        type: "address"
      },
      {
        internalType: "address",
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "transferFrom",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "nonpayable",
    type: "function"
  }
] as const

export const bytecode =
  "0x6101808060405234610443576115a8803803809161001d8285610447565b833981016060828203126104435781516001600160401b038111610443578161004791840161046a565b60208301519091906001600160401b0381116104435760409161006b91850161046a565b9201519060ff82168203610443576040928351916100898584610447565b60018352603160f81b6020840190815281519092906001600160401b03811161034857600354600181811c91168015610439575b602082101461032a57601f81116103cb575b50806020601f8211600114610367575f9161035c575b508160011b915f199060031b1c1916176003555b8051906001600160401b0382116103485760045490600182811c9216801561033e575b602083101461032a5781601f8493116102b4575b50602090601f831160011461024e575f92610243575b50508160011b915f199060031b1c1916176004555b610164816104bf565b61012052610171836104bf565b6101405260208151910120918260e05251902080610100524660a05283519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f84528583015260608201524660808201523060a082015260a081526101dc60c082610447565b5190206080523060c052610160525161107d908161052b823960805181610d54015260a05181610e11015260c05181610d25015260e05181610da301526101005181610dc9015261012051816104dd01526101405181610506015261016051816108140152f35b015190505f80610146565b60045f9081528281209350601f198516905b81811061029c5750908460019594939210610284575b505050811b0160045561015b565b01515f1960f88460031b161c191690555f8080610276565b92936020600181928786015181550195019301610260565b828111156101305760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b60208510610322575b849392601f0160051c82900391015f5b828110610312575050610130565b5f81830155859450600101610304565b5f91506102f4565b634e487b7160e01b5f52602260045260245ffd5b91607f169161011c565b634e487b7160e01b5f52604160045260245ffd5b90508301515f6100e5565b60035f9081528181209250601f198416905b8181106103b35750908360019493921061039b575b5050811b016003556100f9565b8501515f1960f88460031b161c191690555f8061038e565b9192602060018192868a015181550194019201610379565b818111156100cf5760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610431575b81601f9101920160051c03905f5b8281106104245750506100cf565b5f82820155600101610416565b5f9150610408565b90607f16906100bd565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761034857604052565b81601f82011215610443578051906001600160401b038211610348576040519261049e601f8401601f191660200185610447565b8284526020838301011161044357815f9260208093018386015e8301015290565b601f8151116104ea5760208151910151602082106104db571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde0314610a4b57508063095ea7b314610a0757806318160ddd146109cc57806323b872dd14610838578063313ce567146107dd5780633644e5151461079d57806340c10f191461069e57806370a082311461063c5780637ecebe00146105d957806384b0196e146104a757806395d89b4114610346578063a9059cbb146102f7578063d505accf146101465763dd62ed3e146100b6575f80fd5b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576100ed610b64565b73ffffffffffffffffffffffffffffffffffffffff61010a610b87565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b5f80fd5b346101425760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761017d610b64565b610185610b87565b604435906064359260843560ff81168103610142578442116102cb5761028661027d73ffffffffffffffffffffffffffffffffffffffff9283851697885f52600760205260405f20908154916001830190556040519060208201927f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c984528b6040840152878a1660608401528a608084015260a083015260c082015260c0815261023060e082610baa565b51902061023b610d0e565b90604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015260c43591604260a4359220610f0b565b90929192610fa5565b1684810361029b57506102999350610e37565b005b84907f4b800e46000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847f62791302000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761033b610331610b64565b6024359033610c18565b602060405160018152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576040515f6004548060011c9060018116801561049d575b6020831081146104705782855290811561042e57506001146103d0575b6103cc836103b881850382610baa565b604051918291602083526020830190610b21565b0390f35b91905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b915f905b808210610414575090915081016020016103b86103a8565b9192600181602092548385880101520191019092916103fc565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b840190910191506103b890506103a8565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f169161038b565b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761057d6105017f0000000000000000000000000000000000000000000000000000000000000000610eb4565b61052a7f0000000000000000000000000000000000000000000000000000000000000000610eb4565b602061058b6040519261053d8385610baa565b5f84525f3681376040519586957f0f00000000000000000000000000000000000000000000000000000000000000875260e08588015260e0870190610b21565b908582036040870152610b21565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b8281106105c257505050500390f35b8351855286955093810193928101926001016105b3565b346101425760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425773ffffffffffffffffffffffffffffffffffffffff610625610b64565b165f526007602052602060405f2054604051908152f35b346101425760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425773ffffffffffffffffffffffffffffffffffffffff610688610b64565b165f525f602052602060405f2054604051908152f35b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576106d5610b64565b73ffffffffffffffffffffffffffffffffffffffff16602435811561077157600254908082018092116107445760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425760206107d5610d0e565b604051908152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014257602060405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101425760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761086f610b64565b610877610b87565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81106108f3575b5061033b9350610c18565b83811061099857841561096c5733156109405761033b945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f2091039055846108e8565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576020600254604051908152f35b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761033b610a41610b64565b6024359033610e37565b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142575f6003548060011c90600181168015610b17575b6020831081146104705782855290811561042e5750600114610ab9576103cc836103b881850382610baa565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610afd575090915081016020016103b86103a8565b919260018160209254838588010152019101909291610ae5565b91607f1691610a8d565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361014257565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361014257565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610beb57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff16908115610ce25773ffffffffffffffffffffffffffffffffffffffff1691821561077157815f525f60205260405f2054818110610cb057817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b827fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301480610e0e575b15610d76577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610e0860c082610baa565b51902090565b507f00000000000000000000000000000000000000000000000000000000000000004614610d4d565b73ffffffffffffffffffffffffffffffffffffffff1690811561096c5773ffffffffffffffffffffffffffffffffffffffff169182156109405760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b60ff811690601f8211610ee35760405191610ed0604084610baa565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610f9a579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610f8f575f5173ffffffffffffffffffffffffffffffffffffffff811615610f8557905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b60048110156110505780610fb7575050565b60018103610fe7577ff645eedf000000000000000000000000000000000000000000000000000000005f5260045ffd5b6002810361101b57507ffce698f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6003146110255750565b7fd78bce0c000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd"
