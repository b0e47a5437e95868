/** Generated from contracts/testing/PausableToken.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [],
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
    inputs: [],
    name: "TransfersPaused",
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
    inputs: [
      {
        internalType: "bool",
        name: "paused_",
        type: "bool"
      }
    ],
    name: "setPaused",
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
  "0x610180604052346104185760405161001860408261041c565b6008815260208101675061757361626c6560c01b81526040519061003d60408361041c565b600382526250534560e81b60208301526040519261005c60408561041c565b60018452603160f81b6020850190815281519093906001600160401b03811161031d57600354600181811c9116801561040e575b60208210146102ff57601f81116103a0575b50806020601f821160011461033c575f91610331575b508160011b915f199060031b1c1916176003555b8051906001600160401b03821161031d5760045490600182811c92168015610313575b60208310146102ff5781601f849311610289575b50602090601f8311600114610223575f92610218575b50508160011b915f199060031b1c1916176004555b6101378161043f565b610120526101448461043f565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a081526101ad60c08261041c565b5190206080523060c05260066101605260405161117c90816104ab823960805181610e53015260a05181610f10015260c05181610e24015260e05181610ea201526101005181610ec8015261012051816104f30152610140518161051c0152610160518161089c0152f35b015190505f80610119565b60045f9081528281209350601f198516905b8181106102715750908460019594939210610259575b505050811b0160045561012e565b01515f1960f88460031b161c191690555f808061024b565b92936020600181928786015181550195019301610235565b828111156101035760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b602085106102f7575b849392601f0160051c82900391015f5b8281106102e7575050610103565b5f818301558594506001016102d9565b5f91506102c9565b634e487b7160e01b5f52602260045260245ffd5b91607f16916100ef565b634e487b7160e01b5f52604160045260245ffd5b90508301515f6100b8565b60035f9081528181209250601f198416905b81811061038857509083600194939210610370575b5050811b016003556100cc565b8501515f1960f88460031b161c191690555f80610363565b9192602060018192868a01518155019401920161034e565b818111156100a25760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610406575b81601f9101920160051c03905f5b8281106103f95750506100a2565b5f828201556001016103eb565b5f91506103dd565b90607f1690610090565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761031d57604052565b601f81511161046a57602081519101516020821061045b571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde0314610b4057508063095ea7b314610afc57806316c38b3c14610a8f57806318160ddd14610a5457806323b872dd146108c0578063313ce567146108655780633644e5151461082557806340c10f19146106f45780635c975abb146106b457806370a08231146106525780637ecebe00146105ef57806384b0196e146104bd57806395d89b411461035c578063a9059cbb1461030d578063d505accf1461015c5763dd62ed3e146100cc575f80fd5b346101585760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857610103610c59565b73ffffffffffffffffffffffffffffffffffffffff610120610c7c565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b5f80fd5b346101585760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857610193610c59565b61019b610c7c565b604435906064359260843560ff81168103610158578442116102e15761029c61029373ffffffffffffffffffffffffffffffffffffffff9283851697885f52600760205260405f20908154916001830190556040519060208201927f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c984528b6040840152878a1660608401528a608084015260a083015260c082015260c0815261024660e082610c9f565b519020610251610e0d565b90604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015260c43591604260a435922061100a565b909291926110a4565b168481036102b157506102af9350610f36565b005b84907f4b800e46000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847f62791302000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b346101585760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857610351610347610c59565b6024359033610d0d565b602060405160018152f35b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158576040515f6004548060011c906001811680156104b3575b6020831081146104865782855290811561044457506001146103e6575b6103e2836103ce81850382610c9f565b604051918291602083526020830190610c16565b0390f35b91905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b915f905b80821061042a575090915081016020016103ce6103be565b919260018160209254838588010152019101909291610412565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b840190910191506103ce90506103be565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f16916103a1565b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158576105936105177f0000000000000000000000000000000000000000000000000000000000000000610fb3565b6105407f0000000000000000000000000000000000000000000000000000000000000000610fb3565b60206105a1604051926105538385610c9f565b5f84525f3681376040519586957f0f00000000000000000000000000000000000000000000000000000000000000875260e08588015260e0870190610c16565b908582036040870152610c16565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b8281106105d857505050500390f35b8351855286955093810193928101926001016105c9565b346101585760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101585773ffffffffffffffffffffffffffffffffffffffff61063b610c59565b165f526007602052602060405f2054604051908152f35b346101585760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101585773ffffffffffffffffffffffffffffffffffffffff61069e610c59565b165f525f602052602060405f2054604051908152f35b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857602060ff600854166040519015158152f35b346101585760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101585761072b610c59565b73ffffffffffffffffffffffffffffffffffffffff1660243581156107f95760ff600854166107d157600254908082018092116107a45760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b7f6ab17e05000000000000000000000000000000000000000000000000000000005f5260045ffd5b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857602061085d610e0d565b604051908152f35b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857602060405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101585760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158576108f7610c59565b6108ff610c7c565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff811061097b575b506103519350610d0d565b838110610a205784156109f45733156109c857610351945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f209103905584610970565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158576020600254604051908152f35b346101585760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158576004358015158091036101585760ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00600854169116176008555f80f35b346101585760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261015857610351610b36610c59565b6024359033610f36565b34610158575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610158575f6003548060011c90600181168015610c0c575b602083108114610486578285529081156104445750600114610bae576103e2836103ce81850382610c9f565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610bf2575090915081016020016103ce6103be565b919260018160209254838588010152019101909291610bda565b91607f1691610b82565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361015857565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361015857565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610ce057604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff16908115610de15773ffffffffffffffffffffffffffffffffffffffff169182156107f95760ff600854166107d157815f525f60205260405f2054818110610daf57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b827fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301480610f0d575b15610e75577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610f0760c082610c9f565b51902090565b507f00000000000000000000000000000000000000000000000000000000000000004614610e4c565b73ffffffffffffffffffffffffffffffffffffffff169081156109f45773ffffffffffffffffffffffffffffffffffffffff169182156109c85760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b60ff811690601f8211610fe25760405191610fcf604084610c9f565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411611099579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa1561108e575f5173ffffffffffffffffffffffffffffffffffffffff81161561108457905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b600481101561114f57806110b6575050565b600181036110e6577ff645eedf000000000000000000000000000000000000000000000000000000005f5260045ffd5b6002810361111a57507ffce698f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6003146111245750565b7fd78bce0c000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd"
