/** Generated from contracts/test/ReentrantToken.sol by `pnpm compile`. Do not edit. */
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
    name: "attack",
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
  "0x610180604052348015610010575f5ffd5b50604051806040016040528060098152602001681499595b9d1c985b9d60ba1b8152506040518060400160405280600381526020016252454560e81b81525060128280604051806040016040528060018152602001603160f81b8152508585816003908161007e9190610238565b50600461008b8282610238565b50505061009d8261014f60201b60201c565b610120526100aa8161014f565b61014052815160208084019190912060e052815190820120610100524660a05261013660e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0525060ff16610160525061034e9050565b5f5f829050601f81511115610182578260405163305a27a960e01b815260040161017991906102f6565b60405180910390fd5b805161018d8261032b565b179392505050565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806101bd57607f821691505b6020821081036101db57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610233578282111561023357805f5260205f20601f840160051c602085101561020c57505f5b90810190601f840160051c035f5b8181101561022f575f8382015560010161021a565b5050505b505050565b81516001600160401b0381111561025157610251610195565b6102658161025f84546101a9565b846101e1565b6020601f821160018114610297575f83156102805750848201515b5f19600385901b1c1916600184901b1784556102ef565b5f84815260208120601f198516915b828110156102c657878501518255602094850194600190920191016102a6565b50848210156102e357868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b805160208083015191908110156101db575f1960209190910360031b1b16919050565b60805160a05160c05160e0516101005161012051610140516101605161172e6103a95f395f61016101525f6109a001525f61097501525f6108c401525f61089c01525f6107f701525f61082101525f61084b015261172e5ff3fe608060405234801561000f575f5ffd5b50600436106100f0575f3560e01c806370a0823111610093578063a9059cbb11610063578063a9059cbb14610213578063add69cdb14610226578063d505accf14610239578063dd62ed3e1461024c575f5ffd5b806370a08231146101a85780637ecebe00146101dd57806384b0196e146101f057806395d89b411461020b575f5ffd5b806323b872dd116100ce57806323b872dd14610147578063313ce5671461015a5780633644e5151461018b57806340c10f1914610193575f5ffd5b806306fdde03146100f4578063095ea7b31461011257806318160ddd14610135575b5f5ffd5b6100fc610291565b604051610109919061117f565b60405180910390f35b6101256101203660046111c0565b610321565b6040519015158152602001610109565b6002545b604051908152602001610109565b6101256101553660046111e8565b61033a565b60405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152602001610109565b61013961035d565b6101a66101a13660046111c0565b61036b565b005b6101396101b6366004611222565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b6101396101eb366004611222565b610379565b6101f86103a3565b604051610109979695949392919061123b565b6100fc610401565b6101256102213660046111c0565b610410565b6101a66102343660046112fa565b61041d565b6101a661024736600461138f565b6104a7565b61013961025a3660046113fc565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b6060600380546102a09061142d565b80601f01602080910402602001604051908101604052809291908181526020018280546102cc9061142d565b80156103175780601f106102ee57610100808354040283529160200191610317565b820191905f5260205f20905b8154815290600101906020018083116102fa57829003601f168201915b5050505050905090565b5f3361032e818585610655565b60019150505b92915050565b5f33610347858285610667565b610352858585610735565b506001949350505050565b5f6103666107de565b905090565b6103758282610914565b5050565b73ffffffffffffffffffffffffffffffffffffffff81165f90815260076020526040812054610334565b5f6060805f5f5f60606103b461096e565b6103bc610999565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6060600480546102a09061142d565b5f3361032e818585610735565b600a80547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00168215151790558383838360085f600961045d858783611501565b508591906101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff1602179055505050505050505050565b834211156104e9576040517f62791302000000000000000000000000000000000000000000000000000000008152600481018590526024015b60405180910390fd5b5f7f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98888886105418c73ffffffffffffffffffffffffffffffffffffffff165f90815260076020526040902080546001810190915590565b60408051602081019690965273ffffffffffffffffffffffffffffffffffffffff94851690860152929091166060840152608083015260a082015260c0810186905260e0016040516020818303038152906040528051906020012090505f6105a8826109c4565b90505f6105b782878787610a0b565b90508973ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff161461063e576040517f4b800e4600000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff80831660048301528b1660248201526044016104e0565b6106498a8a8a610655565b50505050505050505050565b6106628383836001610a37565b505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81101561072f5781811015610721576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260248101829052604481018390526064016104e0565b61072f84848484035f610a37565b50505050565b73ffffffffffffffffffffffffffffffffffffffff8316610784576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f60048201526024016104e0565b73ffffffffffffffffffffffffffffffffffffffff82166107d3576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016104e0565b610662838383610b7c565b5f3073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001614801561084357507f000000000000000000000000000000000000000000000000000000000000000046145b1561086d57507f000000000000000000000000000000000000000000000000000000000000000090565b610366604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b73ffffffffffffffffffffffffffffffffffffffff8216610963576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016104e0565b6103755f8383610b7c565b60606103667f0000000000000000000000000000000000000000000000000000000000000000610cbb565b60606103667f0000000000000000000000000000000000000000000000000000000000000000610cbb565b5f6103346109d06107de565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f5f610a1b88888888610cf8565b925092509250610a2b8282610deb565b50909695505050505050565b73ffffffffffffffffffffffffffffffffffffffff8416610a86576040517fe602df050000000000000000000000000000000000000000000000000000000081525f60048201526024016104e0565b73ffffffffffffffffffffffffffffffffffffffff8316610ad5576040517f94280d620000000000000000000000000000000000000000000000000000000081525f60048201526024016104e0565b73ffffffffffffffffffffffffffffffffffffffff8085165f908152600160209081526040808320938716835292905220829055801561072f578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92584604051610b6e91815260200190565b60405180910390a350505050565b610b87838383610eee565b60085473ffffffffffffffffffffffffffffffffffffffff16801580610bc1575073ffffffffffffffffffffffffffffffffffffffff8416155b15610bcc5750505050565b600880547fffffffffffffffffffffffff00000000000000000000000000000000000000001690556040515f90819073ffffffffffffffffffffffffffffffffffffffff841690610c1f90600990611618565b5f604051808303815f865af19150503d805f8114610c58576040519150601f19603f3d011682016040523d82523d5f602084013e610c5d565b606091505b50600a54919350915060ff1615610c7a57610c788282611095565b505b7f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c8282604051610cab9291906116a7565b60405180910390a1505050505050565b60605f610cc7836110eb565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115610d3157505f91506003905082610de1565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015610d82573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0015191505073ffffffffffffffffffffffffffffffffffffffff8116610dd857505f925060019150829050610de1565b92505f91508190505b9450945094915050565b5f826003811115610dfe57610dfe6116c9565b03610e07575050565b6001826003811115610e1b57610e1b6116c9565b03610e52576040517ff645eedf00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6002826003811115610e6657610e666116c9565b03610ea0576040517ffce698f7000000000000000000000000000000000000000000000000000000008152600481018290526024016104e0565b6003826003811115610eb457610eb46116c9565b03610375576040517fd78bce0c000000000000000000000000000000000000000000000000000000008152600481018290526024016104e0565b73ffffffffffffffffffffffffffffffffffffffff8316610f25578060025f828254610f1a91906116f6565b90915550610fd59050565b73ffffffffffffffffffffffffffffffffffffffff83165f9081526020819052604090205481811015610faa576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260248101829052604481018390526064016104e0565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff8216610ffe57600280548290039055611029565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161108891815260200190565b60405180910390a3505050565b606082156110a4575080610334565b8151156110b9576110b48261112b565b610334565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f60ff8216601f811115610334576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b805160208201fd5b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f6111916020830184611133565b9392505050565b803573ffffffffffffffffffffffffffffffffffffffff811681146111bb575f5ffd5b919050565b5f5f604083850312156111d1575f5ffd5b6111da83611198565b946020939093013593505050565b5f5f5f606084860312156111fa575f5ffd5b61120384611198565b925061121160208501611198565b929592945050506040919091013590565b5f60208284031215611232575f5ffd5b61119182611198565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61127560e0830189611133565b82810360408401526112878189611133565b6060840188905273ffffffffffffffffffffffffffffffffffffffff8716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156112e95783518352602093840193909201916001016112cb565b50909b9a5050505050505050505050565b5f5f5f5f6060858703121561130d575f5ffd5b61131685611198565b9350602085013567ffffffffffffffff811115611331575f5ffd5b8501601f81018713611341575f5ffd5b803567ffffffffffffffff811115611357575f5ffd5b876020828401011115611368575f5ffd5b6020919091019350915060408501358015158114611384575f5ffd5b939692955090935050565b5f5f5f5f5f5f5f60e0888a0312156113a5575f5ffd5b6113ae88611198565b96506113bc60208901611198565b95506040880135945060608801359350608088013560ff811681146113df575f5ffd5b9699959850939692959460a0840135945060c09093013592915050565b5f5f6040838503121561140d575f5ffd5b61141683611198565b915061142460208401611198565b90509250929050565b600181811c9082168061144157607f821691505b602082108103611478577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b601f821115610662578282111561066257805f5260205f20601f840160051c60208510156114d657505f5b90810190601f840160051c035f5b818110156114f9575f838201556001016114e4565b505050505050565b67ffffffffffffffff8311156115195761151961147e565b61152d83611527835461142d565b836114ab565b5f601f84116001811461157d575f85156115475750838201355b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600387901b1c1916600186901b178355611611565b5f838152602081207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08716915b828110156115ca57868501358255602094850194600190920191016115aa565b5086821015611605577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88860031b161c19848701351681555b505060018560011b0183555b5050505050565b5f5f83546116258161142d565b60018216801561163c576001811461166f5761169c565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff008316865281151582028601935061169c565b865f5260205f205f5b8381101561169457815488820152600190910190602001611678565b505081860193505b509195945050505050565b8215158152604060208201525f6116c16040830184611133565b949350505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b80820180821115610334577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd"
