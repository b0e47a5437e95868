/** Generated from contracts/test/SwallowingToken.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [],
    stateMutability: "nonpayable",
    type: "constructor"
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
    stateMutability: "nonpayable",
    type: "fallback"
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
  "0x608060405234801561000f575f5ffd5b506040518060400160405280600781526020016615dc985c1c195960ca1b815250604051806040016040528060048152602001630575241560e41b815250816003908161005c9190610114565b5060046100698282610114565b5050506101d2565b634e487b7160e01b5f52604160045260245ffd5b600181811c9082168061009957607f821691505b6020821081036100b757634e487b7160e01b5f52602260045260245ffd5b50919050565b601f82111561010f578282111561010f57805f5260205f20601f840160051c60208510156100e857505f5b90810190601f840160051c035f5b8181101561010b575f838201556001016100f6565b5050505b505050565b81516001600160401b0381111561012d5761012d610071565b6101418161013b8454610085565b846100bd565b6020601f821160018114610173575f831561015c5750848201515b5f19600385901b1c1916600184901b1784556101cb565b5f84815260208120601f198516915b828110156101a25787850151825560209485019460019092019101610182565b50848210156101bf57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b610963806101df5f395ff3fe608060405234801561000f575f5ffd5b50600436106100bc575f3560e01c806340c10f191161007457806395d89b411161005957806395d89b4114610182578063a9059cbb1461018a578063dd62ed3e1461019d576100bc565b806340c10f191461013857806370a082311461014d576100bc565b806318160ddd116100a557806318160ddd1461010457806323b872dd14610116578063313ce56714610129576100bc565b806306fdde03146100c3578063095ea7b3146100e1575b620186a05ff35b6100cb6101e2565b6040516100d891906107ac565b60405180910390f35b6100f46100ef366004610827565b610272565b60405190151581526020016100d8565b6002545b6040519081526020016100d8565b6100f461012436600461084f565b61028b565b604051601281526020016100d8565b61014b610146366004610827565b6102ae565b005b61010861015b366004610889565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b6100cb6102bc565b6100f4610198366004610827565b6102cb565b6101086101ab3660046108a9565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b6060600380546101f1906108da565b80601f016020809104026020016040519081016040528092919081815260200182805461021d906108da565b80156102685780601f1061023f57610100808354040283529160200191610268565b820191905f5260205f20905b81548152906001019060200180831161024b57829003601f168201915b5050505050905090565b5f3361027f8185856102d8565b60019150505b92915050565b5f336102988582856102ea565b6102a38585856103bd565b506001949350505050565b6102b88282610466565b5050565b6060600480546101f1906108da565b5f3361027f8185856103bd565b6102e583838360016104c0565b505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110156103b757818110156103a9576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260248101829052604481018390526064015b60405180910390fd5b6103b784848484035f6104c0565b50505050565b73ffffffffffffffffffffffffffffffffffffffff831661040c576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f60048201526024016103a0565b73ffffffffffffffffffffffffffffffffffffffff821661045b576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016103a0565b6102e5838383610605565b73ffffffffffffffffffffffffffffffffffffffff82166104b5576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016103a0565b6102b85f8383610605565b73ffffffffffffffffffffffffffffffffffffffff841661050f576040517fe602df050000000000000000000000000000000000000000000000000000000081525f60048201526024016103a0565b73ffffffffffffffffffffffffffffffffffffffff831661055e576040517f94280d620000000000000000000000000000000000000000000000000000000081525f60048201526024016103a0565b73ffffffffffffffffffffffffffffffffffffffff8085165f90815260016020908152604080832093871683529290522082905580156103b7578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925846040516105f791815260200190565b60405180910390a350505050565b73ffffffffffffffffffffffffffffffffffffffff831661063c578060025f828254610631919061092b565b909155506106ec9050565b73ffffffffffffffffffffffffffffffffffffffff83165f90815260208190526040902054818110156106c1576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260248101829052604481018390526064016103a0565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff821661071557600280548290039055610740565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161079f91815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f6040828501015260407fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011684010191505092915050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610822575f5ffd5b919050565b5f5f60408385031215610838575f5ffd5b610841836107ff565b946020939093013593505050565b5f5f5f60608486031215610861575f5ffd5b61086a846107ff565b9250610878602085016107ff565b929592945050506040919091013590565b5f60208284031215610899575f5ffd5b6108a2826107ff565b9392505050565b5f5f604083850312156108ba575f5ffd5b6108c3836107ff565b91506108d1602084016107ff565b90509250929050565b600181811c908216806108ee57607f821691505b602082108103610925577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b80820180821115610285577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd"
