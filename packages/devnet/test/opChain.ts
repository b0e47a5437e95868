/** A chain on EDR's own OP stack, with which our fees are compared. */
import {
  ContractDecoder,
  EdrContext,
  ISTHMUS,
  MineOrdering,
  OP_CHAIN_TYPE,
  opGenesisState,
  opHardforkFromString,
  opProviderFactory,
  type StorageSlot
} from "@nomicfoundation/edr"

const l1Block = "4200000000000000000000000000000000000015"

/** Starts the chain with this storage of `L1Block`. Returns a function that makes a call. EDR allows one per process. */
export const opChain = async (storage: Array<StorageSlot>) => {
  const context = new EdrContext()
  await context.registerProviderFactory(OP_CHAIN_TYPE, opProviderFactory())
  const provider = await context.createProvider(
    OP_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: 31_337n,
      networkId: 31_337n,
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 16_777_216n,
      genesisState: opGenesisState(opHardforkFromString(ISTHMUS)).map((account) =>
        Buffer.from(account.address).toString("hex") === l1Block ? { ...account, storage } : account
      ),
      hardfork: ISTHMUS,
      initialBaseFeePerGas: 1_000_000_000n,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: 30_000_000n, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlockGasLimit: 30_000_000n, genesisBlockTime: 1_800_000_000n },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: []
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder()
  )
  return async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> => {
    const response = await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
    const data = response.data as unknown
    const answer = (typeof data === "string" ? JSON.parse(data) : data) as {
      readonly result?: unknown
      readonly error?: { readonly message: string }
    }
    if (answer.error !== undefined) throw new Error(answer.error.message)
    return answer.result
  }
}
