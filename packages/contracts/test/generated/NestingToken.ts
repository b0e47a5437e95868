/** Generated from contracts/test/NestingToken.sol by `pnpm compile`. Do not edit. */
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
        name: "target",
        type: "address"
      },
      {
        internalType: "bytes",
        name: "data",
        type: "bytes"
      }
    ],
    name: "nest",
    outputs: [],
    stateMutability: "nonpayable",
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
        name: "",
        type: "address"
      },
      {
        internalType: "address",
        name: "",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      },
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      },
      {
        internalType: "bytes32",
        name: "",
        type: "bytes32"
      },
      {
        internalType: "uint8",
        name: "",
        type: "uint8"
      },
      {
        internalType: "bytes32",
        name: "",
        type: "bytes32"
      },
      {
        internalType: "bytes32",
        name: "",
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
  }
] as const

export const bytecode =
  "0x610180604052348015610010575f5ffd5b50604051806040016040528060088152602001672aa9a21021b7b4b760c11b81525060405180604001604052806004815260200163139154d560e21b81525060068280604051806040016040528060018152602001603160f81b8152508585816003908161007e9190610238565b50600461008b8282610238565b50505061009d8261014f60201b60201c565b610120526100aa8161014f565b61014052815160208084019190912060e052815190820120610100524660a05261013660e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0525060ff16610160525061034e9050565b5f5f829050601f81511115610182578260405163305a27a960e01b815260040161017991906102f6565b60405180910390fd5b805161018d8261032b565b179392505050565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806101bd57607f821691505b6020821081036101db57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610233578282111561023357805f5260205f20601f840160051c602085101561020c57505f5b90810190601f840160051c035f5b8181101561022f575f8382015560010161021a565b5050505b505050565b81516001600160401b0381111561025157610251610195565b6102658161025f84546101a9565b846101e1565b6020601f821160018114610297575f83156102805750848201515b5f19600385901b1c1916600184901b1784556102ef565b5f84815260208120601f198516915b828110156102c657878501518255602094850194600190920191016102a6565b50848210156102e357868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b805160208083015191908110156101db575f1960209190910360031b1b16919050565b60805160a05160c05160e051610100516101205161014051610160516116576103a95f395f61016c01525f610a1b01525f6109f001525f61093f01525f61091701525f61087201525f61089c01525f6108c601526116575ff3fe608060405234801561000f575f5ffd5b50600436106100fb575f3560e01c80637ecebe0011610093578063a9059cbb11610063578063a9059cbb14610231578063d505accf14610244578063dd62ed3e14610257578063ef55bec61461029c575f5ffd5b80637ecebe00146101e857806384b0196e146101fb57806395d89b41146102165780639701d62e1461021e575f5ffd5b8063313ce567116100ce578063313ce567146101655780633644e5151461019657806340c10f191461019e57806370a08231146101b3575f5ffd5b806306fdde03146100ff578063095ea7b31461011d57806318160ddd1461014057806323b872dd14610152575b5f5ffd5b6101076102af565b604051610114919061105d565b60405180910390f35b61013061012b36600461109e565b61033f565b6040519015158152602001610114565b6002545b604051908152602001610114565b6101306101603660046110c6565b610358565b60405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152602001610114565b61014461037b565b6101b16101ac36600461109e565b610389565b005b6101446101c1366004611100565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b6101446101f6366004611100565b610397565b6102036103c1565b6040516101149796959493929190611119565b61010761041f565b6101b161022c3660046111d8565b61042e565b61013061023f36600461109e565b610489565b6101b1610252366004611266565b610496565b6101446102653660046112cc565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b6101b16102aa3660046112fd565b610644565b6060600380546102be90611378565b80601f01602080910402602001604051908101604052809291908181526020018280546102ea90611378565b80156103355780601f1061030c57610100808354040283529160200191610335565b820191905f5260205f20905b81548152906001019060200180831161031857829003601f168201915b5050505050905090565b5f3361034c8185856106d0565b60019150505b92915050565b5f336103658582856106e2565b6103708585856107b0565b506001949350505050565b5f610384610859565b905090565b610393828261098f565b5050565b73ffffffffffffffffffffffffffffffffffffffff81165f90815260076020526040812054610352565b5f6060805f5f5f60606103d26109e9565b6103da610a14565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6060600480546102be90611378565b82828260085f600961044184868361144c565b508491906101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff160217905550505050505050565b5f3361034c8185856107b0565b834211156104d8576040517f62791302000000000000000000000000000000000000000000000000000000008152600481018590526024015b60405180910390fd5b5f7f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98888886105308c73ffffffffffffffffffffffffffffffffffffffff165f90815260076020526040902080546001810190915590565b60408051602081019690965273ffffffffffffffffffffffffffffffffffffffff94851690860152929091166060840152608083015260a082015260c0810186905260e0016040516020818303038152906040528051906020012090505f61059782610a3f565b90505f6105a682878787610a86565b90508973ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff161461062d576040517f4b800e4600000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff80831660048301528b1660248201526044016104cf565b6106388a8a8a6106d0565b50505050505050505050565b6008546040515f91829173ffffffffffffffffffffffffffffffffffffffff9091169061067390600990611563565b5f604051808303815f865af19150503d805f81146106ac576040519150601f19603f3d011682016040523d82523d5f602084013e6106b1565b606091505b5091509150816106c357805160208201fd5b5050505050505050505050565b6106dd8383836001610ab2565b505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110156107aa578181101561079c576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260248101829052604481018390526064016104cf565b6107aa84848484035f610ab2565b50505050565b73ffffffffffffffffffffffffffffffffffffffff83166107ff576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f60048201526024016104cf565b73ffffffffffffffffffffffffffffffffffffffff821661084e576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016104cf565b6106dd838383610bf7565b5f3073ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000161480156108be57507f000000000000000000000000000000000000000000000000000000000000000046145b156108e857507f000000000000000000000000000000000000000000000000000000000000000090565b610384604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b73ffffffffffffffffffffffffffffffffffffffff82166109de576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016104cf565b6103935f8383610bf7565b60606103847f0000000000000000000000000000000000000000000000000000000000000000610d9e565b60606103847f0000000000000000000000000000000000000000000000000000000000000000610d9e565b5f610352610a4b610859565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f5f610a9688888888610ddb565b925092509250610aa68282610ece565b50909695505050505050565b73ffffffffffffffffffffffffffffffffffffffff8416610b01576040517fe602df050000000000000000000000000000000000000000000000000000000081525f60048201526024016104cf565b73ffffffffffffffffffffffffffffffffffffffff8316610b50576040517f94280d620000000000000000000000000000000000000000000000000000000081525f60048201526024016104cf565b73ffffffffffffffffffffffffffffffffffffffff8085165f90815260016020908152604080832093871683529290522082905580156107aa578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92584604051610be991815260200190565b60405180910390a350505050565b73ffffffffffffffffffffffffffffffffffffffff8316610c2e578060025f828254610c2391906115f2565b90915550610cde9050565b73ffffffffffffffffffffffffffffffffffffffff83165f9081526020819052604090205481811015610cb3576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260248101829052604481018390526064016104cf565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff8216610d0757600280548290039055610d32565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef83604051610d9191815260200190565b60405180910390a3505050565b60605f610daa83610fd1565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115610e1457505f91506003905082610ec4565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015610e65573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0015191505073ffffffffffffffffffffffffffffffffffffffff8116610ebb57505f925060019150829050610ec4565b92505f91508190505b9450945094915050565b5f826003811115610ee157610ee161162a565b03610eea575050565b6001826003811115610efe57610efe61162a565b03610f35576040517ff645eedf00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6002826003811115610f4957610f4961162a565b03610f83576040517ffce698f7000000000000000000000000000000000000000000000000000000008152600481018290526024016104cf565b6003826003811115610f9757610f9761162a565b03610393576040517fd78bce0c000000000000000000000000000000000000000000000000000000008152600481018290526024016104cf565b5f60ff8216601f811115610352576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f61106f6020830184611011565b9392505050565b803573ffffffffffffffffffffffffffffffffffffffff81168114611099575f5ffd5b919050565b5f5f604083850312156110af575f5ffd5b6110b883611076565b946020939093013593505050565b5f5f5f606084860312156110d8575f5ffd5b6110e184611076565b92506110ef60208501611076565b929592945050506040919091013590565b5f60208284031215611110575f5ffd5b61106f82611076565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61115360e0830189611011565b82810360408401526111658189611011565b6060840188905273ffffffffffffffffffffffffffffffffffffffff8716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156111c75783518352602093840193909201916001016111a9565b50909b9a5050505050505050505050565b5f5f5f604084860312156111ea575f5ffd5b6111f384611076565b9250602084013567ffffffffffffffff81111561120e575f5ffd5b8401601f8101861361121e575f5ffd5b803567ffffffffffffffff811115611234575f5ffd5b866020828401011115611245575f5ffd5b939660209190910195509293505050565b803560ff81168114611099575f5ffd5b5f5f5f5f5f5f5f60e0888a03121561127c575f5ffd5b61128588611076565b965061129360208901611076565b955060408801359450606088013593506112af60808901611256565b9699959850939692959460a0840135945060c09093013592915050565b5f5f604083850312156112dd575f5ffd5b6112e683611076565b91506112f460208401611076565b90509250929050565b5f5f5f5f5f5f5f5f5f6101208a8c031215611316575f5ffd5b61131f8a611076565b985061132d60208b01611076565b975060408a0135965060608a0135955060808a0135945060a08a0135935061135760c08b01611256565b989b979a50959894979396929550929360e081013593506101000135919050565b600181811c9082168061138c57607f821691505b6020821081036113c3577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b601f8211156106dd57828211156106dd57805f5260205f20601f840160051c602085101561142157505f5b90810190601f840160051c035f5b81811015611444575f8382015560010161142f565b505050505050565b67ffffffffffffffff831115611464576114646113c9565b611478836114728354611378565b836113f6565b5f601f8411600181146114c8575f85156114925750838201355b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600387901b1c1916600186901b17835561155c565b5f838152602081207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08716915b8281101561151557868501358255602094850194600190920191016114f5565b5086821015611550577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88860031b161c19848701351681555b505060018560011b0183555b5050505050565b5f5f835461157081611378565b60018216801561158757600181146115ba576115e7565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00831686528115158202860193506115e7565b865f5260205f205f5b838110156115df578154888201526001909101906020016115c3565b505081860193505b509195945050505050565b80820180821115610352577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd"
