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
  "0x60c0346100bc57601f6111c338819003918201601f19168301916001600160401b038311848410176100c0578084926020946040528339810103126100bc57516001600160a01b03811681036100bc573060a0526080526040516110ee90816100d58239608051818181610150015281816103b9015281816105f0015281816106d60152610dcc015260a0518181816031015281816101f201528181610305015281816104980152818161057a015281816109a20152610d1a0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610081575b50361561001a575f80fd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301461005957005b7fa5c94054000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c90816301ffc9a7146109f257508063150b7a02146109285780631626ba7e1461078d578063336ccba51461071a578063919ca669146106b05780639753a958146105ca578063bc197c81146104bc578063c89e43611461044e578063cd05eedf14610242578063f23a6e61146101785763fbfa77cf14610106575f61000f565b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5f80fd5b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576101af610b10565b506101b8610b33565b5060843567ffffffffffffffff8111610174576101d9903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517ff23a6e61000000000000000000000000000000000000000000000000000000008152f35b346101745760c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a0815261033960c082610bf4565b51902060043573ffffffffffffffffffffffffffffffffffffffff8116918282036101745760209260429250604051848101917fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65883523060408301526060820152602435608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260443560c082015260643560e082015260843561010082015260a435610120820152610120815261041161014082610bf4565b519020604051917f190100000000000000000000000000000000000000000000000000000000000083526002830152602282015220604051908152f35b34610174575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346101745760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610174576104f3610b10565b506104fc610b33565b5060443567ffffffffffffffff81116101745761051d903690600401610bc3565b505060643567ffffffffffffffff81116101745761053f903690600401610bc3565b505060843567ffffffffffffffff811161017457610561903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517fbc197c81000000000000000000000000000000000000000000000000000000008152f35b34610174576105d836610b84565b9073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106885760a08301354211610660578261062e61065e94610c83565b7f19457468657265756d205369676e6564204d6573736167653a0a3332000000005f52601c52603c5f2090610efa565b005b7f203d82d8000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f62df0545000000000000000000000000000000000000000000000000000000005f5260045ffd5b34610174576106be36610b84565b9073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001633036106885760a08301354211610660578261071461065e94610c83565b90610efa565b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760206004358060081c5f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000825260405f2054600160ff60405193161b1615158152f35b346101745760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745760243567ffffffffffffffff8111610174576107dc903690600401610b56565b80604114610910576040146108d657506107fb5f80805b600435610e60565b5060048110156108a957159081610889575b50156108615760207f1626ba7e000000000000000000000000000000000000000000000000000000005b7fffffffff0000000000000000000000000000000000000000000000000000000060405191168152f35b60207fffffffff00000000000000000000000000000000000000000000000000000000610837565b73ffffffffffffffffffffffffffffffffffffffff16301490508161080d565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b8060206107fb9201359035601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83169260ff1c016107f3565b50806107fb9135604060208301359201355f1a6107f3565b346101745760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101745761095f610b10565b50610968610b33565b5060643567ffffffffffffffff811161017457610989903690600401610b56565b505073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001630146100595760206040517f150b7a02000000000000000000000000000000000000000000000000000000008152f35b346101745760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261017457600435907fffffffff00000000000000000000000000000000000000000000000000000000821680920361017457817f01ffc9a70000000000000000000000000000000000000000000000000000000060209314908115610ae6575b8115610abc575b8115610a92575b5015158152f35b7f4e2312e00000000000000000000000000000000000000000000000000000000091501483610a8b565b7f150b7a020000000000000000000000000000000000000000000000000000000081149150610a84565b7f1626ba7e0000000000000000000000000000000000000000000000000000000081149150610a7d565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361017457565b9181601f840112156101745782359167ffffffffffffffff8311610174576020838186019501011161017457565b7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0161010081126101745760c0136101745760049060c4359060e43590565b9181601f840112156101745782359167ffffffffffffffff8311610174576020808501948460051b01011161017457565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610c3557604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b3573ffffffffffffffffffffffffffffffffffffffff811681036101745790565b60429060405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527fe06f03441e50419a219dde17e72efffe1677e2ad982f907e5a343acc980bc45e60408201527fc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6606082015246608082015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001660a082015260a08152610d4e60c082610bf4565b51902090610d5b81610c62565b9060a06040519173ffffffffffffffffffffffffffffffffffffffff60208401947fcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d65886523060408601521660608401526020810135608084015273ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001682840152604081013560c0840152606081013560e0840152608081013561010084015201356101208201526101208152610e2861014082610bf4565b519020604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411610eef579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610ee4575f5173ffffffffffffffffffffffffffffffffffffffff811615610eda57905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f9160039190565b929091610f339260ff601b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff851694821c011690610e60565b5060048110156108a95715908115916110cd575b506110a5576080810135600160ff82161b9060081c805f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca700060205260405f20549082821661107d575f527f863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca70006020521760405f205573ffffffffffffffffffffffffffffffffffffffff610fda82610c62565b16906020604051917fa9059cbb000000000000000000000000000000000000000000000000000000005f5233600452013560245260205f60448180865af19060015f511482161561105c575b604052156110315750565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b90600181151661107457823b15153d15161690611026565b503d5f823e3d90fd5b7f1f6d5aef000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f8baa579f000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff1630141590505f610f4756"
