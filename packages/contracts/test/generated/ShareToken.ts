/** Generated from contracts/test/ShareToken.sol by `pnpm compile`. Do not edit. */
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
    name: "pool",
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
        internalType: "uint256",
        name: "pool_",
        type: "uint256"
      }
    ],
    name: "rebase",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [],
    name: "shares",
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
        name: "amount",
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
  }
] as const

export const bytecode =
  "0x6080604052348015600e575f5ffd5b5061035b8061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c806370a082311161004d57806370a08231146100ad578063a9059cbb146100c0578063bc4f2d6d146100e3575f5ffd5b806303314efa1461007357806316f0115b1461008f57806340c10f1914610098575b5f5ffd5b61007c60015481565b6040519081526020015b60405180910390f35b61007c60025481565b6100ab6100a636600461025a565b6100f6565b005b61007c6100bb366004610282565b610163565b6100d36100ce36600461025a565b6101aa565b6040519015158152602001610086565b6100ab6100f13660046102a2565b600255565b73ffffffffffffffffffffffffffffffffffffffff82165f908152602081905260408120805483929061012a9084906102e6565b925050819055508060015f82825461014291906102e6565b925050819055508060025f82825461015a91906102e6565b90915550505050565b60015460025473ffffffffffffffffffffffffffffffffffffffff83165f9081526020819052604081205490929161019a916102f9565b6101a49190610310565b92915050565b5f5f600254600154846101bd91906102f9565b6101c79190610310565b335f908152602081905260408120805492935083929091906101ea908490610348565b909155505073ffffffffffffffffffffffffffffffffffffffff84165f90815260208190526040812080548392906102239084906102e6565b90915550600195945050505050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610255575f5ffd5b919050565b5f5f6040838503121561026b575f5ffd5b61027483610232565b946020939093013593505050565b5f60208284031215610292575f5ffd5b61029b82610232565b9392505050565b5f602082840312156102b2575f5ffd5b5035919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b808201808211156101a4576101a46102b9565b80820281158282048414176101a4576101a46102b9565b5f82610343577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b818103818111156101a4576101a46102b956"
