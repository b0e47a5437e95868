/** Generated from contracts/test/SilentToken.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [
      {
        internalType: "address",
        name: "holder",
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
    name: "lying",
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
    inputs: [
      {
        internalType: "bool",
        name: "refusing_",
        type: "bool"
      },
      {
        internalType: "bool",
        name: "lying_",
        type: "bool"
      }
    ],
    name: "misbehave",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "refusing",
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
        name: "to",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "transfer",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  }
] as const

export const bytecode =
  "0x6080604052348015600e575f5ffd5b506103398061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c8063a54b28521161004d578063a54b2852146100dc578063a9059cbb146100e9578063b5e382fd146100fc575f5ffd5b806340c10f191461007357806370a08231146100885780638e01ae3d146100ba575b5f5ffd5b610086610081366004610258565b610168565b005b6100a7610096366004610280565b5f6020819052908152604090205481565b6040519081526020015b60405180910390f35b6001546100cc90610100900460ff1681565b60405190151581526020016100b1565b6001546100cc9060ff1681565b6100866100f7366004610258565b6101a5565b61008661010a3660046102af565b600180547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0000169215157fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00ff169290921761010091151591909102179055565b73ffffffffffffffffffffffffffffffffffffffff82165f908152602081905260408120805483929061019c90849061030d565b90915550505050565b60015460ff161580156101c05750600154610100900460ff16155b1561021c57335f90815260208190526040812080548392906101e3908490610326565b909155505073ffffffffffffffffffffffffffffffffffffffff82165f908152602081905260408120805483929061019c90849061030d565b600154610100900460ff165f818152602090f35b803573ffffffffffffffffffffffffffffffffffffffff81168114610253575f5ffd5b919050565b5f5f60408385031215610269575f5ffd5b61027283610230565b946020939093013593505050565b5f60208284031215610290575f5ffd5b61029982610230565b9392505050565b80358015158114610253575f5ffd5b5f5f604083850312156102c0575f5ffd5b6102c9836102a0565b91506102d7602084016102a0565b90509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b80820180821115610320576103206102e0565b92915050565b81810381811115610320576103206102e056"
