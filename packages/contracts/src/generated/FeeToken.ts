/** Generated from contracts/testing/FeeToken.sol by `pnpm compile`. Do not edit. */
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
  "0x6101806040523461041f57604051610018604082610423565b600f8152602081016e2332b29037b7103a3930b739b332b960891b815260405190610044604083610423565b600382526246454560e81b602083015260405192610063604085610423565b60018452603160f81b6020850190815281519093906001600160401b03811161032457600354600181811c91168015610415575b602082101461030657601f81116103a7575b50806020601f8211600114610343575f91610338575b508160011b915f199060031b1c1916176003555b8051906001600160401b0382116103245760045490600182811c9216801561031a575b60208310146103065781601f849311610290575b50602090601f831160011461022a575f9261021f575b50508160011b915f199060031b1c1916176004555b61013e81610446565b6101205261014b84610446565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a081526101b460c082610423565b5190206080523060c05260126101605260405161124e90816104b2823960805181610dfc015260a05181610eb9015260c05181610dcd015260e05181610e4b01526101005181610e71015261012051816104db01526101405181610505015261016051816107a80152f35b015190505f80610120565b60045f9081528281209350601f198516905b8181106102785750908460019594939210610260575b505050811b01600455610135565b01515f1960f88460031b161c191690555f8080610252565b9293602060018192878601518155019501930161023c565b8281111561010a5760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b602085106102fe575b849392601f0160051c82900391015f5b8281106102ee57505061010a565b5f818301558594506001016102e0565b5f91506102d0565b634e487b7160e01b5f52602260045260245ffd5b91607f16916100f6565b634e487b7160e01b5f52604160045260245ffd5b90508301515f6100bf565b60035f9081528181209250601f198416905b81811061038f57509083600194939210610377575b5050811b016003556100d3565b8501515f1960f88460031b161c191690555f8061036a565b9192602060018192868a015181550194019201610355565b818111156100a95760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b6020841061040d575b81601f9101920160051c03905f5b8281106104005750506100a9565b5f828201556001016103f2565b5f91506103e4565b90607f1690610097565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761032457604052565b601f815111610471576020815191015160208210610462571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f905f3560e01c90816306fdde03146109df57508063095ea7b31461099b57806318160ddd1461096057806323b872dd146107cc578063313ce567146107715780633644e5151461073157806340c10f191461069e57806370a082311461063c5780637ecebe00146105d957806384b0196e146104a357806395d89b411461033d578063a9059cbb146102ed578063d505accf146101335763dd62ed3e146100b8575f80fd5b346101305760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101305773ffffffffffffffffffffffffffffffffffffffff6040610106610b68565b9282610110610b8b565b9416815260016020522091165f52602052602060405f2054604051908152f35b80fd5b50346101305760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101305761016b610b68565b90610174610b8b565b604435906064359360843560ff811681036102e9578542116102bd5761027561026c73ffffffffffffffffffffffffffffffffffffffff9283851698898952600760205260408920908154916001830190556040519060208201927f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c984528c6040840152878a1660608401528a608084015260a083015260c082015260c0815261021f60e082610bae565b51902061022a610db6565b90604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015260c43591604260a4359220610fb3565b9092919261104d565b169480860361028d575061028a939450610edf565b80f35b84604491877f4b800e46000000000000000000000000000000000000000000000000000000008352600452602452fd5b602485877f62791302000000000000000000000000000000000000000000000000000000008252600452fd5b8480fd5b50346101305760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261013057610332610328610b68565b6024359033610c1c565b602060405160018152f35b503461013057807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610130576040519080600454908160011c91600181168015610499575b60208410811461046c5783865290811561042757506001146103ca575b6103c6846103b281860382610bae565b604051918291602083526020830190610b25565b0390f35b600481527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b939250905b80821061040d575090915081016020016103b2826103a2565b9192600181602092548385880101520191019092916103f4565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208087019190915292151560051b850190920192506103b291508390506103a2565b6024837f4e487b710000000000000000000000000000000000000000000000000000000081526022600452fd5b92607f1692610385565b503461013057807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101305761057d906104ff7f0000000000000000000000000000000000000000000000000000000000000000610f5c565b906105297f0000000000000000000000000000000000000000000000000000000000000000610f5c565b90602061058b6040519361053d8386610bae565b838552833681376040519687967f0f00000000000000000000000000000000000000000000000000000000000000885260e08589015260e0880190610b25565b908682036040880152610b25565b904660608601523060808601528260a086015284820360c08601528080855193848152019401925b8281106105c257505050500390f35b8351855286955093810193928101926001016105b3565b50346101305760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261013057604060209173ffffffffffffffffffffffffffffffffffffffff61062b610b68565b168152600783522054604051908152f35b50346101305760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261013057604060209173ffffffffffffffffffffffffffffffffffffffff61068e610b68565b1681528083522054604051908152f35b3461072d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d576106d5610b68565b73ffffffffffffffffffffffffffffffffffffffff811615610701576106ff90602435905f611125565b005b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b5f80fd5b3461072d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d576020610769610db6565b604051908152f35b3461072d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d57602060405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b3461072d5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d57610803610b68565b61080b610b8b565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110610887575b506103329350610c1c565b83811061092c5784156109005733156108d457610332945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f20910390558461087c565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b3461072d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d576020600254604051908152f35b3461072d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d576103326109d5610b68565b6024359033610edf565b3461072d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261072d575f6003548060011c90600181168015610b1b575b602083108114610aee57828552908115610aac5750600114610a4e575b6103c6836103b281850382610bae565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610a92575090915081016020016103b2610a3e565b919260018160209254838588010152019101909291610a7a565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b840190910191506103b29050610a3e565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691610a21565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361072d57565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361072d57565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bef57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b9073ffffffffffffffffffffffffffffffffffffffff821615610d8a5773ffffffffffffffffffffffffffffffffffffffff811615610701576064830492838103908111610cdb57610c6e9183611125565b81610c77575050565b73ffffffffffffffffffffffffffffffffffffffff1680610d085760025491808301809311610cdb5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f946002555b8060025403600255604051908152a3565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b805f939293525f60205260405f2054838110610d57576020845f94957fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef93858752868452036040862055610cca565b91507fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301480610eb6575b15610e1e577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152610eb060c082610bae565b51902090565b507f00000000000000000000000000000000000000000000000000000000000000004614610df5565b73ffffffffffffffffffffffffffffffffffffffff169081156109005773ffffffffffffffffffffffffffffffffffffffff169182156108d45760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b60ff811690601f8211610f8b5760405191610f78604084610bae565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411611042579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15611037575f5173ffffffffffffffffffffffffffffffffffffffff81161561102d57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b60048110156110f8578061105f575050565b6001810361108f577ff645eedf000000000000000000000000000000000000000000000000000000005f5260045ffd5b600281036110c357507ffce698f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6003146110cd5750565b7fd78bce0c000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff1690816111bb5760025490838201809211610cdb5773ffffffffffffffffffffffffffffffffffffffff6020917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef936002555b1693846111a65780600254036002555b604051908152a3565b845f525f825260405f2081815401905561119d565b815f525f60205260405f205483811061121a5773ffffffffffffffffffffffffffffffffffffffff7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9285602093865f525f85520360405f205561118d565b9190507fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd"
