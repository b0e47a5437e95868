/** Generated from contracts/GeoAccountV2.sol by `pnpm compile`. Do not edit. */
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
    name: "payTyped",
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
  "0x60c0346100bc57601f61120838819003918201601f19168301916001600160401b038311848410176100c0578084926020946040528339810103126100bc57516001600160a01b03811681036100bc573060a05260805260405161113390816100d58239608051818181610150015281816103b9015281816105ef0152818161079f0152610e67015260a0518181816031015281816101f201528181610305015281816104980152818161057a01528181610a3d0152610db50152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a714610a8d57508063150b7a02146109c35780631626ba7e14610855578063336ccba5146107e2578063919ca6691461077a5780639753a958146105ca578063bc197c81146104bc578063c89e43611461044e578063cd05eedf14610242578063f23a6e61146101785763fbfa77cf14610106575f61000f565b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576101af610bab565b506101b8610bce565b5060843567ffffffffffffffff8111610174576101d9903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101745760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a0815261033960c082610cb0565b51902060043573ffffffffffffffffffffffffffffffffffffffff8116918282036101745760209260429250604051848101917fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65883523060408301526060820152602435608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260443560c082015260643560e082015260843561010082015260a435610120820152610120815261041161014082610cb0565b519020604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015220604051908152f35b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576104f3610bab565b506104fc610bce565b5060443567ffffffffffffffff81116101745761051d903690600401610c5e565b505060643567ffffffffffffffff81116101745761053f903690600401610c5e565b505060843567ffffffffffffffff811161017457610561903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610174576105d836610c1f565b73ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036107525760a0830135421161072a5761065c9161062d84610d1e565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f20610f95565b5060048110156106fd5715908115916106dc575b506106b4578061068660806106b2930135610fd4565b602073ffffffffffffffffffffffffffffffffffffffff6106a683610c8f565b16910135903390611069565b005b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff16301415905082610670565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101745761078836610c1f565b73ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036107525760a0830135421161072a5761065c916107dd84610d1e565b610f95565b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101745760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760243567ffffffffffffffff8111610174576108a4903690600401610bf1565b806041146109ab5760401461097157506108c35f80805b600435610efb565b5060048110156106fd57159081610951575b50156109295760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff000000000000000000000000000000000000000000000000000000006108ff565b73ffffffffffffffffffffffffffffffffffffffff1630149050816108d5565b8060206108c39201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016108bb565b50806108c39135604060208301359201355f1a6108bb565b346101745760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576109fa610bab565b50610a03610bce565b5060643567ffffffffffffffff811161017457610a24903690600401610bf1565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361017457817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610b81575b8115610b57575b8115610b2d575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610b26565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610b1f565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610b18565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b9181601f840112156101745782359167ffffffffffffffff8311610174576020838186019501011161017457565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0161010081126101745760c0136101745760049060c4359060e43590565b9181601f840112156101745782359167ffffffffffffffff8311610174576020808501948460051b01011161017457565b3573ffffffffffffffffffffffffffffffffffffffff811681036101745790565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610cf157604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60429060405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a08152610de960c082610cb0565b51902090610df681610c8f565b9060a06040519173ffffffffffffffffffffffffffffffffffffffff60208401947fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65886523060408601521660608401526020810135608084015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001682840152604081013560c0840152606081013560e0840152608081013561010084015201356101208201526101208152610ec361014082610cb0565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610f8a579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610f7f575f5173ffffffffffffffffffffffffffffffffffffffff811615610f7557905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b90610fcd929160ff601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff851694821c011690610efb565b9192909190565b600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f205490828216611041575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f2055565b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b9173ffffffffffffffffffffffffffffffffffffffff604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f521660045260245260205f60448180865af19060015f5114821615611112575b604052156110d05750565b73ffffffffffffffffffffffffffffffffffffffff907f5274afe7000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b90600181151661112a57823b15153d151616906110c5565b503d5f823e3d90fd"
