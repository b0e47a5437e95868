/** Generated from contracts/testing/AuthorizedToken.sol by `pnpm compile`. Do not edit. */
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
      },
      {
        internalType: "bool",
        name: "asksCode_",
        type: "bool"
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
        internalType: "uint256",
        name: "validAfter",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "validBefore",
        type: "uint256"
      }
    ],
    name: "ERC3009InvalidAuthorizationTime",
    type: "error"
  },
  {
    inputs: [],
    name: "ERC3009InvalidSignature",
    type: "error"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "authorizer",
        type: "address"
      },
      {
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
      }
    ],
    name: "ERC3009UsedAuthorization",
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
        internalType: "uint8",
        name: "bits",
        type: "uint8"
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256"
      }
    ],
    name: "SafeCastOverflowedUintDowncast",
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
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "authorizer",
        type: "address"
      },
      {
        indexed: true,
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
      }
    ],
    name: "AuthorizationCanceled",
    type: "event"
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "authorizer",
        type: "address"
      },
      {
        indexed: true,
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
      }
    ],
    name: "AuthorizationUsed",
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
    inputs: [],
    name: "asksCode",
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
        name: "authorizer",
        type: "address"
      },
      {
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
      }
    ],
    name: "authorizationState",
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
    inputs: [
      {
        internalType: "address",
        name: "authorizer",
        type: "address"
      },
      {
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
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
    name: "cancelAuthorization",
    outputs: [],
    stateMutability: "nonpayable",
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
      },
      {
        internalType: "uint256",
        name: "validAfter",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "validBefore",
        type: "uint256"
      },
      {
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
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
    name: "receiveWithAuthorization",
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
      },
      {
        internalType: "uint256",
        name: "validAfter",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "validBefore",
        type: "uint256"
      },
      {
        internalType: "bytes32",
        name: "nonce",
        type: "bytes32"
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
    name: "transferWithAuthorization",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  }
] as const

export const bytecode =
  "0x6101a0806040523461046c57612024803803809161001d8285610470565b8339810160808282031261046c5781516001600160401b03811161046c5781610047918401610493565b602083015190916001600160401b03821161046c57610067918401610493565b9160408101519060ff8216820361046c576060015191821515830361046c576040938451916100968684610470565b60018352603160f81b6020840190815281519092906001600160401b03811161037157600354600181811c91168015610462575b602082101461035357601f81116103f4575b50806020601f8211600114610390575f91610385575b508160011b915f199060031b1c1916176003555b8051906001600160401b0382116103715760045490600182811c92168015610367575b60208310146103535781601f8493116102dd575b50602090601f8311600114610277575f9261026c575b50508160011b915f199060031b1c1916176004555b610171816104e8565b6101205261017e836104e8565b6101405260208151910120918260e05251902080610100524660a05284519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f84528683015260608201524660808201523060a082015260a081526101e960c082610470565b5190206080523060c052610160526101805251611ad090816105548239608051816114e3015260a051816115a0015260c051816114b4015260e0518161153201526101005181611558015261012051816105dd0152610140518161060601526101605181610a0f01526101805181818161042101528181610eb401526111b90152f35b015190505f80610153565b60045f9081528281209350601f198516905b8181106102c557509084600195949392106102ad575b505050811b01600455610168565b01515f1960f88460031b161c191690555f808061029f565b92936020600181928786015181550195019301610289565b8281111561013d5760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b6020851061034b575b849392601f0160051c82900391015f5b82811061033b57505061013d565b5f8183015585945060010161032d565b5f915061031d565b634e487b7160e01b5f52602260045260245ffd5b91607f1691610129565b634e487b7160e01b5f52604160045260245ffd5b90508301515f6100f2565b60035f9081528181209250601f198416905b8181106103dc575090836001949392106103c4575b5050811b01600355610106565b8501515f1960f88460031b161c191690555f806103b7565b9192602060018192868a0151815501940192016103a2565b818111156100dc5760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b6020841061045a575b81601f9101920160051c03905f5b82811061044d5750506100dc565b5f8282015560010161043f565b5f9150610431565b90607f16906100ca565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761037157604052565b81601f8201121561046c578051906001600160401b03821161037157604051926104c7601f8401601f191660200185610470565b8284526020838301011161046c57815f9260208093018386015e8301015290565b601f815111610513576020815191015160208210610504571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde0314610c4657508063095ea7b314610c0257806318160ddd14610bc757806323b872dd14610a33578063313ce567146109d85780633644e5151461099857806340c10f19146108995780635a049a701461079e57806370a082311461073c5780637ecebe00146106d957806384b0196e146105a757806395d89b41146104465780639b4b1c3a146103ec578063a9059cbb1461039d578063d505accf14610337578063dd62ed3e146102ab578063e3ee160e14610187578063e94a0102146101135763ef55bec6146100ed575f80fd5b3461010f5761010d6100fe36610da5565b979690969591959492946111a7565b005b5f80fd5b3461010f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5773ffffffffffffffffffffffffffffffffffffffff61015f610d5f565b165f52600860205260405f206024355f52602052602060ff60405f2054166040519015158152f35b3461010f5761026673ffffffffffffffffffffffffffffffffffffffff61026b6102746101b336610da5565b91889c87998998869e989c979d968e8e604051938c8060208701977f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a22678952169e8f6040880152166060860152608085015260a084015260c083015260e082015260e0815261022361010082610e3b565b51902061022e61149d565b604291604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b61181d565b909291926118b7565b16036102835761010d956116be565b7f77c207f4000000000000000000000000000000000000000000000000000000005f5260045ffd5b3461010f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576102e2610d5f565b73ffffffffffffffffffffffffffffffffffffffff6102ff610d82565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b3461010f5760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5761036e610d5f565b610376610d82565b6084359160ff8316830361010f5761010d9260c4359260a435926064359160443591610ea9565b3461010f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576103e16103d7610d5f565b60243590336113a7565b602060405160018152f35b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5760206040517f000000000000000000000000000000000000000000000000000000000000000015158152f35b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576040515f6004548060011c9060018116801561059d575b6020831081146105705782855290811561052e57506001146104d0575b6104cc836104b881850382610e3b565b604051918291602083526020830190610d1c565b0390f35b91905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b915f905b808210610514575090915081016020016104b86104a8565b9192600181602092548385880101520191019092916104fc565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b840190910191506104b890506104a8565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f169161048b565b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5761067d6106017f0000000000000000000000000000000000000000000000000000000000000000611a31565b61062a7f0000000000000000000000000000000000000000000000000000000000000000611a31565b602061068b6040519261063d8385610e3b565b5f84525f3681376040519586957f0f00000000000000000000000000000000000000000000000000000000000000875260e08588015260e0870190610d1c565b908582036040870152610d1c565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b8281106106c257505050500390f35b8351855286955093810193928101926001016106b3565b3461010f5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5773ffffffffffffffffffffffffffffffffffffffff610725610d5f565b165f526007602052602060405f2054604051908152f35b3461010f5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5773ffffffffffffffffffffffffffffffffffffffff610788610d5f565b165f525f602052602060405f2054604051908152f35b3461010f5760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576107d5610d5f565b602435906044359060ff8216820361010f5773ffffffffffffffffffffffffffffffffffffffff61086261026b60405160208101907f158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a15974298252848616968760408301528860608301526060825261084c608083610e3b565b610266608435936064359351902061022e61149d565b16820361028357826108739161198f565b7f1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d815f80a3005b3461010f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576108d0610d5f565b73ffffffffffffffffffffffffffffffffffffffff16602435811561096c576002549080820180921161093f5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f5760206109d061149d565b604051908152f35b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f57602060405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b3461010f5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f57610a6a610d5f565b610a72610d82565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110610aee575b506103e193506113a7565b838110610b93578415610b67573315610b3b576103e1945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f209103905584610ae3565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576020600254604051908152f35b3461010f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f576103e1610c3c610d5f565b60243590336117a0565b3461010f575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261010f575f6003548060011c90600181168015610d12575b6020831081146105705782855290811561052e5750600114610cb4576104cc836104b881850382610e3b565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610cf8575090915081016020016104b86104a8565b919260018160209254838588010152019101909291610ce0565b91607f1691610c88565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361010f57565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361010f57565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc61012091011261010f5760043573ffffffffffffffffffffffffffffffffffffffff8116810361010f579060243573ffffffffffffffffffffffffffffffffffffffff8116810361010f579060443590606435906084359060a4359060c43560ff8116810361010f579060e435906101043590565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610e7c57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b9695929491949390937f000000000000000000000000000000000000000000000000000000000000000015801561119e575b61104c57804211611021579087610fca949392610fc1610f228373ffffffffffffffffffffffffffffffffffffffff165f52600760205260405f2080549060018201905590565b610f956040519384928c8c602086019889919273ffffffffffffffffffffffffffffffffffffffff60a09497969592978160c08601997f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98752166020860152166040840152606083015260808201520152565b037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08101835282610e3b565b519020886115c6565b15610fdb57610fd992936117a0565b565b73ffffffffffffffffffffffffffffffffffffffff847f4b800e46000000000000000000000000000000000000000000000000000000005f525f6004521660245260445ffd5b7f62791302000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b96929190874211611172579061110c9291610266858861022389610f956111159e61109e8673ffffffffffffffffffffffffffffffffffffffff165f52600760205260405f2080549060018201905590565b604051958694602086019889919273ffffffffffffffffffffffffffffffffffffffff60a09497969592978160c08601997f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98752166020860152166040840152606083015260808201520152565b909691966118b7565b73ffffffffffffffffffffffffffffffffffffffff80821695168581036111425750610fd99394506117a0565b85907f4b800e46000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b877f62791302000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b50873b15610edb565b989790929496959193958985858a8a8a7f000000000000000000000000000000000000000000000000000000000000000015801561139e575b6112cd575050505050926112729360405161126981610f958d8d8d8d8d60208701998a9273ffffffffffffffffffffffffffffffffffffffff60c09592989796938160e087019a7fd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de888521660208701521660408501526060840152608083015260a08201520152565b5190208b6115c6565b156102835773ffffffffffffffffffffffffffffffffffffffff8116963388036112a157610fd99697506116be565b877fec442f05000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b604080517fd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de86020820190815273ffffffffffffffffffffffffffffffffffffffff988916928201929092529487166060860152608085019590955260a084015260c083015260e082015291946113579461026b949093909261026691610223816101008101610f95565b1673ffffffffffffffffffffffffffffffffffffffff8816036102835773ffffffffffffffffffffffffffffffffffffffff8116963388036112a157610fd99697506116be565b50853b156111e0565b73ffffffffffffffffffffffffffffffffffffffff169081156114715773ffffffffffffffffffffffffffffffffffffffff1691821561096c57815f525f60205260405f205481811061143f57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b827fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630148061159d575b15611505577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a0815261159760c082610e3b565b51902090565b507f000000000000000000000000000000000000000000000000000000000000000046146114dc565b917fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f5f957fff0000000000000000000000000000000000000000000000000000000000000060649461161f60209a9761022e61149d565b96604051938b850152604084015260f81b16606082015260418152611645606182610e3b565b805190604051957f1626ba7e00000000000000000000000000000000000000000000000000000000875260048701526040602487015288820190604487015e86848287010152011601915afa7f1626ba7e000000000000000000000000000000000000000000000000000000005f5114601f3d11161690565b919395949092658000000000008782161680155f1461178b5765ffffffffffff6116e742611a88565b169019908183168111918261177f575b50501561174f5750610fd994955061170f818361198f565b73ffffffffffffffffffffffffffffffffffffffff82167f98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a55f80a36113a7565b86907f4a931c17000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b89161190505f806116f7565b65ffffffffffff61179b43611a88565b6116e7565b73ffffffffffffffffffffffffffffffffffffffff16908115610b675773ffffffffffffffffffffffffffffffffffffffff16918215610b3b5760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084116118ac579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa156118a1575f5173ffffffffffffffffffffffffffffffffffffffff81161561189757905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b600481101561196257806118c9575050565b600181036118f9577ff645eedf000000000000000000000000000000000000000000000000000000005f5260045ffd5b6002810361192d57507ffce698f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6003146119375750565b7fd78bce0c000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff16805f52600860205260405f20825f5260205260ff60405f205416611a03575f52600860205260405f20905f5260205260405f2060017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00825416179055565b7f8f7808c1000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b60ff811690601f8211611a605760405191611a4d604084610e3b565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b65ffffffffffff8111611aa05765ffffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52603060045260245260445ffd"
