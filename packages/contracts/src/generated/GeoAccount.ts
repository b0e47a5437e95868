/** Generated from contracts/GeoAccount.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [
      {
        internalType: "address",
        name: "vault_",
        type: "address"
      }
    ],
    stateMutability: "nonpayable",
    type: "constructor"
  },
  {
    inputs: [],
    name: "Expired",
    type: "error"
  },
  {
    inputs: [],
    name: "InvalidSignature",
    type: "error"
  },
  {
    inputs: [],
    name: "NonceUsed",
    type: "error"
  },
  {
    inputs: [],
    name: "NotVault",
    type: "error"
  },
  {
    inputs: [],
    name: "NotWallet",
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
    name: "delegate",
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
      }
    ],
    name: "digestOf",
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
        internalType: "uint256",
        name: "nonce",
        type: "uint256"
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
    inputs: [
      {
        internalType: "bytes32",
        name: "hash",
        type: "bytes32"
      },
      {
        internalType: "bytes",
        name: "signature",
        type: "bytes"
      }
    ],
    name: "isValidSignature",
    outputs: [
      {
        internalType: "bytes4",
        name: "",
        type: "bytes4"
      }
    ],
    stateMutability: "view",
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
        internalType: "uint256[]",
        name: "",
        type: "uint256[]"
      },
      {
        internalType: "uint256[]",
        name: "",
        type: "uint256[]"
      },
      {
        internalType: "bytes",
        name: "",
        type: "bytes"
      }
    ],
    name: "onERC1155BatchReceived",
    outputs: [
      {
        internalType: "bytes4",
        name: "",
        type: "bytes4"
      }
    ],
    stateMutability: "view",
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
        internalType: "bytes",
        name: "",
        type: "bytes"
      }
    ],
    name: "onERC1155Received",
    outputs: [
      {
        internalType: "bytes4",
        name: "",
        type: "bytes4"
      }
    ],
    stateMutability: "view",
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
        internalType: "bytes",
        name: "",
        type: "bytes"
      }
    ],
    name: "onERC721Received",
    outputs: [
      {
        internalType: "bytes4",
        name: "",
        type: "bytes4"
      }
    ],
    stateMutability: "view",
    type: "function"
  },
  {
    inputs: [
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
    name: "pay",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bytes4",
        name: "id",
        type: "bytes4"
      }
    ],
    name: "supportsInterface",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool"
      }
    ],
    stateMutability: "pure",
    type: "function"
  },
  {
    inputs: [],
    name: "vault",
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
    stateMutability: "payable",
    type: "receive"
  }
] as const

export const bytecode =
  "0x60c0346100a757601f610ed438819003918201601f19168301916001600160401b038311848410176100ab578084926020946040528339810103126100a757516001600160a01b03811681036100a7573060a052608052604051610e1490816100c08239608051818181610145015281816104460152610ceb015260a0518181816031015281816101e7015281816102c2015281816103a4015281816109700152610c3f0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109c057508063150b7a02146108f65780631626ba7e14610788578063336ccba5146107155780639753a958146103f4578063bc197c81146102e6578063c89e436114610278578063cd05eedf14610237578063f23a6e611461016d5763fbfa77cf146100fb575f61000f565b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576101a4610ade565b506101ad610b01565b5060843567ffffffffffffffff8111610169576101ce903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101695760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610169576020610270610bf1565b604051908152f35b34610169575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101695760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761031d610ade565b50610326610b01565b5060443567ffffffffffffffff811161016957610347903690600401610b52565b505060643567ffffffffffffffff811161016957610369903690600401610b52565b505060843567ffffffffffffffff81116101695761038b903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610169577ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360161010081126101695760c0136101695760e43573ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106ed5760a43542116106c5576104e290610481610bf1565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20907f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81169160ff601b60c43593821c011690610d7a565b506004811015610698571590811591610677575b5061064f57608435600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216610627575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205560043573ffffffffffffffffffffffffffffffffffffffff81169081810361016957506040517fa9059cbb000000000000000000000000000000000000000000000000000000005f523360045260243560245260205f60448180865af19060015f5114821615610607575b50156105dc57005b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b600182151661061f5750813b15153d151616826105d4565b3d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff163014159050816104f6565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101695760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695760243567ffffffffffffffff8111610169576107d7903690600401610b24565b806041146108de576040146108a457506107f65f80805b600435610d7a565b50600481101561069857159081610884575b501561085c5760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610832565b73ffffffffffffffffffffffffffffffffffffffff163014905081610808565b8060206107f69201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107ee565b50806107f69135604060208301359201355f1a6107ee565b346101695760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101695761092d610ade565b50610936610b01565b5060643567ffffffffffffffff811161016957610957903690600401610b24565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101695760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261016957600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361016957817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ab4575b8115610a8a575b8115610a60575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a59565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a52565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a4b565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020838186019501011161016957565b9181601f840112156101695782359167ffffffffffffffff8311610169576020808501948460051b01011161016957565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bc457604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160208101907f71062c282d40422f744945d587dbf4ecfd4f9cfad1d35d62c944373009d96162825246604082015230606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260808152610c7360a082610b83565b5190206004359073ffffffffffffffffffffffffffffffffffffffff8216808303610169576042925060405160208101917fef06d18ab21f200540ca1d6b08110a3797a276e374c47d5ab311375cb5c053a883526040820152602435606082015273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016608082015260443560a082015260643560c082015260843560e082015260a4356101008201526101008152610d4261012082610b83565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610e09579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610dfe575f5173ffffffffffffffffffffffffffffffffffffffff811615610df457905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f916003919056"
