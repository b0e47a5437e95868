/** Generated from contracts/testing/Recipient.sol by `pnpm compile`. Do not edit. */
export const abi = [
  {
    inputs: [],
    name: "FailedCall",
    type: "error"
  },
  {
    inputs: [],
    name: "Refused",
    type: "error"
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
    name: "attack",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "to",
        type: "address"
      }
    ],
    name: "pass",
    outputs: [],
    stateMutability: "payable",
    type: "function"
  },
  {
    inputs: [
      {
        internalType: "bool",
        name: "refusing",
        type: "bool"
      }
    ],
    name: "refuse",
    outputs: [],
    stateMutability: "nonpayable",
    type: "function"
  },
  {
    stateMutability: "payable",
    type: "receive"
  }
] as const

export const bytecode =
  "0x608080604052346015576106a4908161001a8239f35b5f80fdfe60806040526004361015610022575b3615610018575f80fd5b610020610476565b005b5f3560e01c806310773d14146102fa57806382c4b3b2146102af57638c5a2ac80361000e57346102ab5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ab5761007e610367565b6024359067ffffffffffffffff82116102ab57366023830112156102ab5781600401359167ffffffffffffffff83116102ab5736602484830101116102ab576100c8600154610425565b601f8111610241575b505f90601f841160011461016b5773ffffffffffffffffffffffffffffffffffffffff93915f918361015d575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c1916176001555b167fffffffffffffffffffffffff00000000000000000000000000000000000000005f5416175f555f80f35b602492500101355f806100fe565b7fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6917fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe085165f5b818110610226575091600193918673ffffffffffffffffffffffffffffffffffffffff9794106101eb575b505050811b01600155610131565b01602401357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600384901b60f8161c191690555f80806101dd565b919360206001819260248888010135815501950192016101b2565b838111156100d157601f840160051c90602085106102a3575b601f82910160051c03905f5b8281106102745750506100d1565b5f8282017fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf60155600101610266565b5f915061025a565b5f80fd5b60207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ab576100205f8080806102e8610367565b349082f16102f461038a565b90610665565b346102ab5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ab576004358015158091036102ab5760ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00600254169116176002555f80f35b6004359073ffffffffffffffffffffffffffffffffffffffff821682036102ab57565b3d15610420573d9067ffffffffffffffff82116103f357604051917fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0603f81601f8401160116830183811067ffffffffffffffff8211176103f35760405282523d5f602084013e565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b606090565b90600182811c9216801561046c575b602083101461043f57565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691610434565b60ff6002541661063d575f5473ffffffffffffffffffffffffffffffffffffffff8116908115610639577fffffffffffffffffffffffff0000000000000000000000000000000000000000165f556040515f6001546104d481610425565b90600181169081156105e65750600114610577575b507f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c92825f8094819403925af1606061052061038a565b917fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f6020604051958694151585526040828601528051918291826040880152018686015e5f85828601015201168101030190a1565b905060015f527fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf65f905b8282106105d257505081017f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c6104e9565b6001816020925484870152019101906105a1565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001684525080151502820190507f85cbacf8f422a541772e13127e76d92356b61818e21495c252b257429f3f438c6104e9565b5050565b7f8ac5ff0b000000000000000000000000000000000000000000000000000000005f5260045ffd5b1561066d5790565b80511561067c57602081519101fd5b7fd6bda275000000000000000000000000000000000000000000000000000000005f5260045ffd"
