/** A test chain, which sends transactions with explicit nonces, gas and fees, and decodes errors. */
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  createTestClient,
  custom,
  decodeErrorResult,
  defineChain,
  encodeFunctionData,
  formatTransactionRequest,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  type PrivateKeyAccount,
  publicActions,
  type ReadContractParameters,
  type SignedAuthorizationList,
  toFunctionSelector,
  type TransactionReceipt
} from "viem"
import { type EdrChain, makeEdrChain } from "../../devnet/src/internal/evm/edrChain.js"
import { RpcError } from "../../devnet/src/internal/rpcError.js"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as PausableToken from "../src/generated/PausableToken.ts"
import * as Recipient from "../src/generated/Recipient.ts"
import * as Permit2 from "../src/Permit2.ts"
import * as Permits from "./generated/Permits.ts"

const errors: Abi = [GeoVault, GeoAccount, PausableToken, AuthorizedToken, Permit2, Permits, Recipient].flatMap(
  ({ abi }) => (abi as Abi).filter(({ type }) => type === "error")
)

/** The errors of the language. */
const standardErrors = parseAbi(["error Error(string)", "error Panic(uint256)"])

/** The name of a thrown contract error. */
export const errorNameOf = (data: Hex): string => {
  if (data === "0x") return "without a reason"
  try {
    return decodeErrorResult({ abi: errors, data }).errorName
  } catch {
    return `unknown: ${data.slice(0, 200)}`
  }
}

/** The same, from the first 4 bytes. */
export const errorNameBySelector = (selector: Hex): string => {
  if (selector === "0x00000000") return "without a reason"
  const error = [...errors, ...standardErrors].find(
    (item) =>
      item.type === "error" &&
      toFunctionSelector(`${item.name}(${item.inputs.map(({ type }) => type).join()})`) === selector
  )
  return error?.type === "error" ? error.name : `unknown: ${selector}`
}

/** The outcome of a transaction: "done", or the name of the error that reverted it. */
export interface Outcome {
  readonly result: string
  readonly receipt: TransactionReceipt
}

export interface Transaction {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly nonce?: number
  /** The transaction with the higher fee comes first in a block. */
  readonly maxPriorityFeePerGas?: bigint
  readonly authorizationList?: SignedAuthorizationList
}

type Write = "nonpayable" | "payable"
type Read = "pure" | "view"

/** Encodes the data of a call. */
export const encode = <const abi extends Abi, name extends ContractFunctionName<abi, Write>>(
  { abi }: { readonly abi: abi },
  functionName: name,
  args: ContractFunctionArgs<abi, Write, name>
): Hex => encodeFunctionData<Abi, string>({ abi, functionName, args: args as ReadonlyArray<unknown> })

/** The first block's time: a full hour, 2026-01-01T00:00:00Z. */
export const genesis = 1_767_225_600n

type Request = EdrChain["request"]

/** An EVM in this process. Each block is one second later than the last, however slow the machine is. */
const startEngine = async (chainId: number): Promise<EdrChain> => {
  const engine = await makeEdrChain({ chainId, genesisTime: Number(genesis), reorgs: false })
  await engine.request("anvil_setBlockTimestampInterval", [1])
  return engine
}

const makeClient = (id: number, request: Request) =>
  createTestClient({
    mode: "anvil",
    cacheTime: 0,
    transport: custom(
      { request: ({ method, params }: { method: string; params?: ReadonlyArray<unknown> }) => request(method, params) },
      { retryCount: 0 }
    ),
    chain: defineChain({
      id,
      name: `chain ${id}`,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [] } }
    })
  }).extend(publicActions)

/** A chain, which starts with the first request and mines a block for each transaction. */
export class Chain {
  readonly id: number
  readonly client: ReturnType<typeof makeClient>
  readonly #senders = new Set<Address>()
  #engine: Promise<EdrChain> | undefined

  constructor(id: number) {
    this.id = id
    this.client = makeClient(id, (method, params) => this.#request(method, params))
  }

  async #request(method: string, params?: ReadonlyArray<unknown>): Promise<unknown> {
    return (await (this.#engine ??= startEngine(this.id))).request(method, params)
  }

  /**
   * Sends a transaction, which the chain mines unless mining is off. Its own signature is not checked, because that would
   * take most of the time.
   */
  async submit({ address }: PrivateKeyAccount, transaction: Transaction): Promise<Hex> {
    if (!this.#senders.has(address)) await this.client.impersonateAccount({ address })
    this.#senders.add(address)
    const fields = formatTransactionRequest({
      from: address,
      gas: 1_000_000n,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      nonce: await this.client.getTransactionCount({ address }),
      ...transaction
    })
    return (await this.#request("eth_sendTransaction", [fields])) as Hex
  }

  /** The outcome of a mined transaction. A failed one is traced to get the error. */
  async outcomeOf(hash: Hex): Promise<Outcome> {
    const receipt = await this.client.getTransactionReceipt({ hash })
    if (receipt.status === "success") return { receipt, result: "done" }
    const options = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } }
    const { output = "0x" } = (await this.#request("debug_traceTransaction", [hash, options])) as { output?: Hex }
    return { receipt, result: errorNameOf(output) }
  }

  async send(from: PrivateKeyAccount, transaction: Transaction): Promise<Outcome> {
    return this.outcomeOf(await this.submit(from, transaction))
  }

  /** Calls a function of a contract in a transaction. */
  write<const abi extends Abi, name extends ContractFunctionName<abi, Write>>(
    from: PrivateKeyAccount,
    to: Address,
    contract: { readonly abi: abi },
    name: name,
    args: ContractFunctionArgs<abi, Write, name>,
    options: Transaction = {}
  ): Promise<Outcome> {
    return this.send(from, { ...options, to, data: encode(contract, name, args) })
  }

  /** Simulates a call: returns "done", or the name of the error. */
  async simulate(from: Address, to: Address, data: Hex): Promise<string> {
    try {
      await this.#request("eth_call", [{ from, to, data, gas: numberToHex(1_000_000) }, "latest"])
      return "done"
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return errorNameOf(typeof error.data === "string" ? (error.data as Hex) : "0x")
    }
  }

  /** Deploys a contract. */
  async deploy(from: PrivateKeyAccount, bytecode: Hex): Promise<Address> {
    const { receipt, result } = await this.send(from, { data: bytecode, gas: 8_000_000n })
    const address = receipt.contractAddress ?? undefined
    if (address === undefined) throw new Error(`The contract was not deployed: ${result}`)
    return getAddress(address)
  }

  /** The code that a deployment would leave at an address, from a simulation of the constructor. */
  async codeAt(address: Address, creation: Hex): Promise<Hex> {
    const { data = "0x" } = await this.client.call({
      to: address,
      stateOverride: [{ address, code: creation }]
    })
    return data
  }

  /** Reads from a contract. */
  async read<
    const abi extends Abi,
    name extends ContractFunctionName<abi, Read>,
    const args extends ContractFunctionArgs<abi, Read, name>
  >(
    address: Address,
    { abi }: { readonly abi: abi },
    functionName: name,
    args: args
  ): Promise<ContractFunctionReturnType<abi, Read, name, args>> {
    const call = { address, abi, functionName, args } as ReadContractParameters<abi, name, args>
    return this.client.readContract(call)
  }

  /** Sets the time of the next block. */
  async at(timestamp: bigint): Promise<void> {
    await this.client.setNextBlockTimestamp({ timestamp })
  }

  /** Restores a snapshot. */
  async revert(id: Hex): Promise<void> {
    if ((await this.#request("evm_revert", [id])) !== true) throw new Error(`There is no snapshot ${id}.`)
  }
}
