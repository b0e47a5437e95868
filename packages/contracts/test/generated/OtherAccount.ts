/** Generated from contracts/test/OtherAccount.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [],
    name: "counter",
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
    name: "touch",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "uint256",
        name: "key",
        type: "uint256"
      }
    ],
    name: "values",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256"
      }
    ],
    stateMutability: "view",
    type: "function"
  }
] as const

export const bytecode =
  "0x6080604052348015600e575f5ffd5b506101598061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061003f575f3560e01c80635e383d211461004357806361bc221a14610074578063a55526db1461007c575b5f5ffd5b6100626100513660046100e6565b60016020525f908152604090205481565b60405190815260200160405180910390f35b6100625f5481565b610084610086565b005b5f80549080610094836100fd565b90915550505f805260016020527fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7fa6eef7e35abe7026729641147f7915573c7e97b47efa546f5f6e3230263bcb4955565b5f602082840312156100f6575f5ffd5b5035919050565b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8203610152577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b506001019056"
