/** Generated from contracts/testing/HookToken.sol by `pnpm compile`. Do not edit. */
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
    inputs: [],
    name: "FailedCall",
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
    inputs: [
      {
        indexed: false,
        internalType: "bool",
        name: "ok",
        type: "bool"
      },
      {
        indexed: false,
        internalType: "bytes",
        name: "answer",
        type: "bytes"
      }
    ],
    name: "Called",
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
        name: "sender",
        type: "address"
      },
      {
        internalType: "address",
        name: "target",
        type: "address"
      },
      {
        internalType: "bytes",
        name: "data",
        type: "bytes"
      },
      {
        internalType: "bool",
        name: "strict",
        type: "bool"
      }
    ],
    name: "hook",
    outputs: [],
    stateMutability: "nonpayable",
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
  "0x6101806040523461041557604051610018604082610419565b600481526020810163486f6f6b60e01b815260405190610039604083610419565b6004825263484f4f4b60e01b602083015260405192610059604085610419565b60018452603160f81b6020850190815281519093906001600160401b03811161031a57600354600181811c9116801561040b575b60208210146102fc57601f811161039d575b50806020601f8211600114610339575f9161032e575b508160011b915f199060031b1c1916176003555b8051906001600160401b03821161031a5760045490600182811c92168015610310575b60208310146102fc5781601f849311610286575b50602090601f8311600114610220575f92610215575b50508160011b915f199060031b1c1916176004555b6101348161043c565b610120526101418461043c565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a081526101aa60c082610419565b5190206080523060c05260126101605260405161185290816104a88239608051816114ea015260a051816115a7015260c051816114bb015260e051816115390152610100518161155f015261012051816104a5015261014051816104ce01526101605181610cc40152f35b015190505f80610116565b60045f9081528281209350601f198516905b81811061026e5750908460019594939210610256575b505050811b0160045561012b565b01515f1960f88460031b161c191690555f8080610248565b92936020600181928786015181550195019301610232565b828111156101005760045f52909150601f830160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b602085106102f4575b849392601f0160051c82900391015f5b8281106102e4575050610100565b5f818301558594506001016102d6565b5f91506102c6565b634e487b7160e01b5f52602260045260245ffd5b91607f16916100ec565b634e487b7160e01b5f52604160045260245ffd5b90508301515f6100b5565b60035f9081528181209250601f198416905b8181106103855750908360019493921061036d575b5050811b016003556100c9565b8501515f1960f88460031b161c191690555f80610360565b9192602060018192868a01518155019401920161034b565b8181111561009f5760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610403575b81601f9101920160051c03905f5b8281106103f657505061009f565b5f828201556001016103e8565b5f91506103da565b90607f169061008d565b5f80fd5b601f909101601f19168101906001600160401b0382119082101761031a57604052565b601f815111610467576020815191015160208210610458571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde0314610efb57508063095ea7b314610eb757806318160ddd14610e7c57806323b872dd14610ce8578063313ce56714610c8d5780633644e51514610c4d57806340c10f19146109645780634cb15c1a1461066657806370a08231146106045780637ecebe00146105a157806384b0196e1461046f57806395d89b4114610351578063a9059cbb14610302578063d505accf146101515763dd62ed3e146100c1575f80fd5b3461014d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d576100f8610ffe565b73ffffffffffffffffffffffffffffffffffffffff610115611021565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b5f80fd5b3461014d5760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d57610188610ffe565b610190611021565b604435906064359260843560ff8116810361014d578442116102d65761029161028873ffffffffffffffffffffffffffffffffffffffff9283851697885f52600760205260405f20908154916001830190556040519060208201927f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c984528b6040840152878a1660608401528a608084015260a083015260c082015260c0815261023b60e082611151565b5190206102466114a4565b90604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015260c43591604260a43592206116a1565b9092919261173b565b168481036102a657506102a493506115cd565b005b84907f4b800e46000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847f62791302000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b3461014d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d5761034661033c610ffe565b60243590336111e7565b602060405160018152f35b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d576040515f60045461038f81611044565b808452906001811690811561042d57506001146103cf575b6103cb836103b781850382611151565b604051918291602083526020830190610fbb565b0390f35b60045f9081527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b939250905b808210610413575090915081016020016103b76103a7565b9192600181602092548385880101520191019092916103fb565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b840190910191506103b790506103a7565b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d576105456104c97f000000000000000000000000000000000000000000000000000000000000000061164a565b6104f27f000000000000000000000000000000000000000000000000000000000000000061164a565b6020610553604051926105058385611151565b5f84525f3681376040519586957f0f00000000000000000000000000000000000000000000000000000000000000875260e08588015260e0870190610fbb565b908582036040870152610fbb565b4660608501523060808501525f60a085015283810360c08501528180845192838152019301915f5b82811061058a57505050500390f35b83518552869550938101939281019260010161057b565b3461014d5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d5773ffffffffffffffffffffffffffffffffffffffff6105ed610ffe565b165f526007602052602060405f2054604051908152f35b3461014d5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d5773ffffffffffffffffffffffffffffffffffffffff610650610ffe565b165f525f602052602060405f2054604051908152f35b3461014d5760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d5761069d610ffe565b6106a5611021565b906044359167ffffffffffffffff831161014d573660238401121561014d57826004013567ffffffffffffffff811161014d57366024828601011161014d576064359283151580940361014d575f602073ffffffffffffffffffffffffffffffffffffffff93846040519661071988611135565b16865280602461072882611192565b996107366040519b8c611151565b828b5201838a0137870101526020830194855260408301938452165f52600860205273ffffffffffffffffffffffffffffffffffffffff60405f209151167fffffffffffffffffffffffff000000000000000000000000000000000000000082541617815560018101925192835167ffffffffffffffff8111610937576107bd8254611044565b601f81116108f4575b506020601f8211600114610852578190600295965f92610847575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c19161790555b019051151560ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691161790555f80f35b0151905086806107e1565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0821695835f52815f20965f5b8181106108dc57509160029697918460019594106108a5575b505050811b019055610813565b01517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88460031b161c19169055868080610898565b8383015189556001909801976020938401930161087f565b818111156107c65761092990835f5260205f2090601f840160051c906020851061092f575b601f82910160051c0391016111cc565b856107c6565b5f9150610919565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b3461014d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d5761099b610ffe565b73ffffffffffffffffffffffffffffffffffffffff166024358115610c21575f805260086020526040517f5eff886ea0ce6ca488a3d6e336d6c0f75f46d19b42c06ce5ee98e42c96d256c76109ef82611135565b73ffffffffffffffffffffffffffffffffffffffff815416825260ff600260405192610a2984610a228160018501611095565b0385611151565b602085019384520154169060408301911515825273ffffffffffffffffffffffffffffffffffffffff835116610ada575b50505060025490808201809211610aad5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f809173ffffffffffffffffffffffffffffffffffffffff7f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c9583805260086020528360026040822082815560018101610b348154611044565b9081610bbe575b50500155511690519082602083519301915af13d15610bb6573d91610b5f83611192565b92610b6d6040519485611151565b83523d5f602085013e5b51610ba6575b610b9b60405192839215158352604060208401526040830190610fbb565b0390a1828080610a5a565b610bb08282611813565b50610b7d565b606091610b77565b81601f869311600114610bd55750555b8c80610b3b565b81835260208320610c1191601f0160051c7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff01906001016111cc565b8082528160208120915555610bce565b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d576020610c856114a4565b604051908152f35b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d57602060405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b3461014d5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d57610d1f610ffe565b610d27611021565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110610da3575b5061034693506111e7565b838110610e48578415610e1c573315610df057610346945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f209103905584610d98565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d576020600254604051908152f35b3461014d5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d57610346610ef1610ffe565b60243590336115cd565b3461014d575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014d575f600354610f3681611044565b808452906001811690811561042d5750600114610f5d576103cb836103b781850382611151565b60035f9081527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b939250905b808210610fa1575090915081016020016103b76103a7565b919260018160209254838588010152019101909291610f89565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361014d57565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361014d57565b90600182811c9216801561108b575b602083101461105e57565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691611053565b5f92918154916110a483611044565b80835292600181169081156110f957506001146110c057505050565b5f9081526020812093945091925b8383106110df575060209250010190565b6001816020929493945483858701015201910191906110ce565b905060209495507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0091509291921683830152151560051b010190565b6060810190811067ffffffffffffffff82111761093757604052565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761093757604052565b67ffffffffffffffff811161093757601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe01660200190565b5f5b8281106111da57505050565b5f828201556001016111ce565b73ffffffffffffffffffffffffffffffffffffffff169081156114785773ffffffffffffffffffffffffffffffffffffffff16918215610c2157815f52600860205260405f206040519061123a82611135565b73ffffffffffffffffffffffffffffffffffffffff815416825260ff60026040519261126d84610a228160018501611095565b602085019384520154169060408301911515825273ffffffffffffffffffffffffffffffffffffffff835116611331575b505050815f525f60205260405f20548181106112ff57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b827fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b5f809173ffffffffffffffffffffffffffffffffffffffff7f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c958884526008602052836002604082208281556001810161138b8154611044565b9081611415575b50500155511690519082602083519301915af13d1561140d573d916113b683611192565b926113c46040519485611151565b83523d5f602085013e5b516113fd575b6113f260405192839215158352604060208401526040830190610fbb565b0390a15f808061129e565b6114078282611813565b506113d4565b6060916113ce565b81601f86931160011461142c5750555b5f80611392565b8183526020832061146891601f0160051c7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff01906001016111cc565b8082528160208120915555611425565b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163014806115a4575b1561150c577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a0815261159e60c082611151565b51902090565b507f000000000000000000000000000000000000000000000000000000000000000046146114e3565b73ffffffffffffffffffffffffffffffffffffffff16908115610e1c5773ffffffffffffffffffffffffffffffffffffffff16918215610df05760207f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591835f526001825260405f20855f5282528060405f2055604051908152a3565b60ff811690601f82116116795760405191611666604084611151565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411611730579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15611725575f5173ffffffffffffffffffffffffffffffffffffffff81161561171b57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b60048110156117e6578061174d575050565b6001810361177d577ff645eedf000000000000000000000000000000000000000000000000000000005f5260045ffd5b600281036117b157507ffce698f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6003146117bb5750565b7fd78bce0c000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b1561181b5790565b80511561182a57602081519101fd5b7fd6bda275000000000000000000000000000000000000000000000000000000005f5260045ffd"
