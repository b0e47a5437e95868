/** EDR, the EVM of Hardhat, as a provider that mines only on request. */
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OSAKA
} from "@nomicfoundation/edr"
import { RpcError } from "../rpcError.js"
import { opAccounts } from "./opStack.js"
import type { Profile } from "./profiles.js"

/** Options for a provider. */
export interface Options {
  readonly chainId: number
  /** The time of the first block, in Unix seconds. */
  readonly genesisTime: number
  readonly profile: Pick<Profile, "baseFeeChange" | "leastBaseFee" | "rollup">
  /** Called with the events of subscriptions. */
  readonly onEvent: (subscription: string, result: unknown) => void
}

/** A provider. */
export interface EdrProvider {
  /** Sends a call. Returns the response without `id`, as JSON: `{"result":…}` or `{"error":…}`. */
  readonly send: (method: string, params: ReadonlyArray<unknown>) => Promise<string>
  /** Sends a call and returns its result. Rejects with an `RpcError`. */
  readonly call: (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>
}

/** The gas limit of every block, as in anvil. */
const blockGas = 30_000_000n

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"))

/** The proxy that deploys contracts with CREATE2 at the same address on every chain. Anvil has it, too. */
const create2Proxy = {
  address: bytes("4e59b44847b379578588920ca78fbf26c0b4956c"),
  balance: 0n,
  nonce: 1n,
  code: bytes(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
  )
}

let context: Promise<EdrContext> | undefined

/** EDR allows only one context per process. */
const sharedContext = (): Promise<EdrContext> =>
  (context ??= (async () => {
    const made = new EdrContext()
    await made.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
    return made
  })())

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const makeProvider = async ({ chainId, genesisTime, onEvent, profile }: Options): Promise<EdrProvider> => {
  const accounts = [
    ...l1GenesisState(l1HardforkFromString(OSAKA)),
    create2Proxy,
    ...(profile.rollup === "op" ? opAccounts() : [])
  ]
  const provider = await (
    await sharedContext()
  ).createProvider(
    L1_CHAIN_TYPE,
    {
      // With several blocks per second, the chain's clock must not run ahead of the machine's.
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      baseFeeConfig: [
        {
          activation: { blockNumber: 0n },
          maxChangeDenominator: profile.baseFeeChange.denominator,
          elasticityMultiplier: profile.baseFeeChange.elasticity
        }
      ],
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      // The most that a transaction may use (EIP-7825).
      defaultTransactionGasLimit: 16_777_216n,
      genesisState: accounts,
      hardfork: OSAKA,
      initialBaseFeePerGas: profile.leastBaseFee,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: blockGas, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlockGasLimit: blockGas, genesisBlockTime: BigInt(genesisTime) },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: []
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    {
      subscriptionCallback: ({ filterId, result }) => {
        const subscription = `0x${filterId.toString(16)}`
        for (const one of [result].flat()) if (one !== undefined) onEvent(subscription, one)
      }
    },
    new ContractDecoder()
  )
  const send: EdrProvider["send"] = async (method, params) => {
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const response = await provider.handleRequest(request)
    // A large response is an object.
    const data = response.data as unknown
    return typeof data === "string" ? data : JSON.stringify(data)
  }
  const call: EdrProvider["call"] = async (method, ...params) => {
    const { error, result } = JSON.parse(await send(method, params)) as Answer
    if (error !== undefined) throw new RpcError(error.code, error.message, error.data)
    return result
  }
  return { send, call }
}
