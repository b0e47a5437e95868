/** Generated from contracts/test/StrangeAccount.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [
      {
        internalType: "address",
        name: "vault_",
        type: "address"
      },
      {
        internalType: "bool",
        name: "swallowing_",
        type: "bool"
      }
    ],
    stateMutability: "nonpayable",
    type: "constructor"
  },
  {
    stateMutability: "nonpayable",
    type: "fallback"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "token",
        type: "address"
      },
      {
        internalType: "uint256",
        name: "amount",
        type: "uint256"
      }
    ],
    name: "pay",
    outputs: [],
    stateMutability: "pure",
    type: "function"
  },
  {
    inputs: [],
    name: "swallowing",
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
  }
] as const

export const bytecode =
  "0x60c060405234801561000f575f5ffd5b506040516101f83803806101f883398101604081905261002e91610046565b6001600160a01b03909116608052151560a05261008d565b5f5f60408385031215610057575f5ffd5b82516001600160a01b038116811461006d575f5ffd5b60208401519092508015158114610082575f5ffd5b809150509250929050565b60805160a0516101466100b25f395f818160410152608101525f60bd01526101465ff3fe608060405234801561000f575f5ffd5b506004361061003f575f3560e01c8063c40768761461006a578063c6c5a4301461007c578063fbfa77cf146100b8575b7f0000000000000000000000000000000000000000000000000000000000000000610068575f5ffd5b005b610068610078366004610104565b5050565b6100a37f000000000000000000000000000000000000000000000000000000000000000081565b60405190151581526020015b60405180910390f35b6100df7f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016100af565b5f5f60408385031215610115575f5ffd5b823573ffffffffffffffffffffffffffffffffffffffff81168114610138575f5ffd5b94602093909301359350505056"
