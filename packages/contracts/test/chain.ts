/** A test chain, which sends transactions with explicit nonces, gas and fees, and decodes errors. */
import {
  type Abi,
  type Address,
  BaseError,
  type CallParameters,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  createTestClient,
  decodeErrorResult,
  defineChain,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseAbi,
  type PrivateKeyAccount,
  publicActions,
  type ReadContractParameters,
  RpcRequestError,
  type SignedAuthorizationList,
  toFunctionSelector,
  type TransactionReceipt,
  TransactionReceiptNotFoundError
} from "viem"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as PausableToken from "../src/generated/PausableToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import { type Anvil, start } from "./anvil.ts"
import * as Permits from "./generated/Permits.ts"
import * as Recipient from "./generated/Recipient.ts"

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

const clientOf = (url: string, id: number) =>
  createTestClient({
    mode: "anvil",
    cacheTime: 0,
    pollingInterval: 20,
    // Concurrent calls go into one request. There is no timeout, because machines may be slow.
    transport: http(url, { retryCount: 0, batch: true, timeout: 100_000 }),
    chain: defineChain({
      id,
      name: `anvil ${id}`,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [url] } }
    })
  }).extend(publicActions)

export class Chain {
  readonly id: number
  #anvil: Anvil | undefined
  #client: ReturnType<typeof clientOf> | undefined

  constructor(id: number) {
    this.id = id
  }

  get client(): ReturnType<typeof clientOf> {
    if (this.#client === undefined) throw new Error("The chain has not been started.")
    return this.#client
  }

  /** Starts the chain. Each block is one second later than the last, however slow the machine is. */
  async start(): Promise<void> {
    this.#anvil = await start(this.id)
    this.#client = clientOf(this.#anvil.url, this.id)
    await this.#client.setBlockTimestampInterval({ interval: 1 })
  }

  async stop(): Promise<void> {
    await this.#anvil?.stop()
  }

  /** Signs and sends a transaction, which the chain mines unless mining is off. */
  async submit(from: PrivateKeyAccount, transaction: Transaction): Promise<Hex> {
    const nonce = transaction.nonce ?? (await this.client.getTransactionCount({ address: from.address }))
    const fields = {
      gas: 1_000_000n,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...transaction,
      chainId: this.id,
      nonce
    }
    const { authorizationList, ...rest } = fields
    const serialized = await (authorizationList === undefined
      ? from.signTransaction({ ...rest, type: "eip1559" })
      : from.signTransaction({ ...rest, authorizationList, type: "eip7702" }))
    return this.client.sendRawTransaction({ serializedTransaction: serialized })
  }

  /** The outcome of a mined transaction. A failed one is simulated again at its block to get the error. */
  async outcomeOf(hash: Hex): Promise<Outcome> {
    const receipt = await this.#receiptOf(hash)
    if (receipt.status === "success") return { receipt, result: "done" }
    const { blockNumber } = receipt
    const [{ from, gas, input, to, value }, { timestamp }] = await Promise.all([
      this.client.getTransaction({ hash }),
      this.client.getBlock({ blockNumber })
    ])
    const call = {
      account: from,
      to,
      data: input,
      gas,
      value,
      blockNumber,
      blockOverrides: { time: timestamp }
    }
    const result = await this.#resultOf(call)
    if (result === "done") throw new Error("The transaction failed, but its simulation succeeded.")
    return { receipt, result }
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
  simulate(from: Address, to: Address, data: Hex): Promise<string> {
    return this.#resultOf({ account: from, to, data, gas: 1_000_000n })
  }

  async #resultOf(call: CallParameters): Promise<string> {
    try {
      await this.client.call(call)
      return "done"
    } catch (error) {
      const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : null
      if (!(cause instanceof RpcRequestError)) throw error
      return errorNameOf(typeof cause.data === "string" ? (cause.data as Hex) : "0x")
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

  /**
   * Restores a snapshot. Anvil removes a mined transaction from its pool a moment after the receipt exists. Until then, it
   * would refuse the next transaction with that nonce as an underpriced replacement.
   */
  async revert(id: Hex): Promise<void> {
    const end = Date.now() + 100_000
    while ((await this.client.getTxpoolStatus()).pending > 0 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5))
    await this.client.revert({ id })
  }

  /** Polls for the receipt, since anvil mines in the background. */
  async #receiptOf(hash: Hex): Promise<TransactionReceipt> {
    const end = Date.now() + 100_000
    for (;;) {
      try {
        return await this.client.getTransactionReceipt({ hash })
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > end) throw error
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
}
