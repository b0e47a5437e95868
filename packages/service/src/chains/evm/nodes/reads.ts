/** Reads from an EVM chain. A malformed response is an error. */
import * as Effect from "effect/Effect"
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type DecodeFunctionResultParameters,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  erc20Abi,
  type Hash,
  isHex,
  numberToHex
} from "viem"
import type { ChainUnavailable } from "../../ChainError.js"
import { unavailable } from "../../quorum.js"
import { type FeeHistory, historyBlocks, rewardPercentile } from "../fees/feeEstimate.js"
import { addressOf, type Event, isNative } from "../transactions/vaultCalls.js"
import * as Lens from "./lens.js"
import { bytes, hash, invalid, optionalQuantity, quantity } from "./parse.js"
import type { Ask } from "./rpcNodes.js"

/** The block to read at: a height, the latest block, or the pending state. */
export type At = bigint | "latest" | "pending" | "safe" | "finalized"

type View = "view" | "pure"

/** The receipt fields that the service uses. */
export interface Receipt {
  readonly hash: Hash
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly logs: ReadonlyArray<Event>
  /** Whether these are all logs of the transaction, as in the node's receipt, and not only the vault's. */
  readonly isWhole?: boolean
  /** The gas that the transaction used and the price that it paid for it, if the node reports them. */
  readonly gasUsed?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  /** What the chain charged in addition for the transaction's data, on rollups that report it. */
  readonly dataFee?: bigint | undefined
  /** Whether the chain may have charged a fee for the operator. `undefined` if the receipt does not say. */
  readonly hasOperatorFee?: boolean | undefined
  /** The part of `gasUsed` that paid for the transaction's data, on rollups that report it. */
  readonly dataGas?: bigint | undefined
}

/** A log, and the transaction and block that contain it. */
export interface Log extends Event {
  readonly hash: Hash
  readonly blockHash: Hash | undefined
  readonly blockNumber: bigint
}

/** The block fields that the service uses. */
export interface Block {
  readonly number: bigint
  readonly hash: Hash
  /** The hash of the previous block, if the node reports it. */
  readonly parentHash: Hash | undefined
  readonly timestamp: number
  readonly baseFeePerGas: bigint
  /** The maximum gas of all transactions in the block, if the node reports it. */
  readonly gasLimit?: bigint | undefined
}

const logOf = ({ address, data, topics }: { readonly [Key in keyof Event]: unknown }): Event => {
  if (!Array.isArray(topics)) throw invalid("a log")
  return { address: bytes(address), data: bytes(data), topics: topics.map(hash) }
}

/** Parses a fee history. `baseFeePerGas` has an extra entry for the next block. Rewards in empty blocks are ignored. */
const feeHistoryOf = (value: {
  readonly [Key in "baseFeePerGas" | "gasUsedRatio" | "oldestBlock" | "reward"]?: unknown
}): FeeHistory => {
  const { baseFeePerGas: baseFees, gasUsedRatio: ratios, oldestBlock, reward } = value
  if (!Array.isArray(baseFees) || !Array.isArray(ratios)) throw invalid("a fee history")
  const count = ratios.length
  if (count === 0 || count > historyBlocks || baseFees.length !== count + 1) throw invalid("a fee history")
  const rewards: ReadonlyArray<unknown> = Array.isArray(reward) ? reward : []
  const blocks = ratios.map((used: unknown, index) => {
    if (typeof used !== "number" || !(used >= 0)) throw invalid("a gas usage ratio")
    if (used === 0) return { used, reward: 0n }
    const paid = rewards[index]
    return { used, reward: quantity(Array.isArray(paid) ? paid[0] : undefined) }
  })
  return { newest: quantity(oldestBlock) + BigInt(count) - 1n, baseFee: baseFees.map(quantity)[count] ?? 0n, blocks }
}

/** Parses what rollups add to receipts: `l1Fee` and the operator's fee of the OP stack, and Arbitrum's `gasUsedForL1`. */
const rollupFees = (receipt: Readonly<Record<string, unknown>>) => {
  const operator = [receipt["operatorFeeScalar"], receipt["operatorFeeConstant"]].map(optionalQuantity)
  return {
    dataFee: optionalQuantity(receipt["l1Fee"]),
    ...(operator.every((value) => value !== undefined) && { hasOperatorFee: operator.some((value) => value !== 0n) }),
    dataGas: optionalQuantity(receipt["gasUsedForL1"])
  }
}

const tag = (at: At) => (typeof at === "string" ? at : numberToHex(at))

/** Creates the read functions for one chain. */
export const make = (ask: Ask, chainId: number) => {
  const readWord = Lens.make(ask)

  const codeOf = (address: Address, at: At = "latest") =>
    ask("eth_getCode", async ({ request }) =>
      bytes(await request({ method: "eth_getCode", params: [address, tag(at)] })).toLowerCase()
    )

  const nonceOf = (address: Address, at: At) =>
    ask("eth_getTransactionCount", async ({ request }) =>
      Number(quantity(await request({ method: "eth_getTransactionCount", params: [address, tag(at)] })))
    )

  const height = ask("eth_blockNumber", async ({ request }) => quantity(await request({ method: "eth_blockNumber" })))

  const blockAt = (at: At): Effect.Effect<Block, ChainUnavailable> =>
    ask("eth_getBlockByNumber", async ({ request }) => {
      const block = await request({ method: "eth_getBlockByNumber", params: [tag(at), false] })
      if (block === null || (typeof at === "bigint" && quantity(block.number) !== at)) throw invalid("that block")
      return {
        number: quantity(block.number),
        hash: hash(block.hash),
        parentHash: isHex(block.parentHash) ? hash(block.parentHash) : undefined,
        timestamp: Number(quantity(block.timestamp)),
        baseFeePerGas: quantity(block.baseFeePerGas),
        gasLimit: optionalQuantity(block.gasLimit)
      }
    })

  /**
   * Calls a view function that returns one word. Returns `undefined` if the contract does not exist or reverts. Calls
   * within `waitMillis` share one request.
   */
  const askContract = <
    const A extends Abi,
    N extends ContractFunctionName<A, View>,
    const Args extends ContractFunctionArgs<A, View, N>
  >(
    { address, ...question }: ContractFunctionParameters<A, View, N, Args>,
    at: At = "latest",
    waitMillis = 0
  ) =>
    Effect.suspend(() => {
      const data = encodeFunctionData(question as EncodeFunctionDataParameters)
      return Effect.map(readWord({ kind: "call", address, data }, tag(at), waitMillis), (result) => {
        if (result === undefined) return undefined
        try {
          const decoded = { ...question, data: result } as DecodeFunctionResultParameters
          return decodeFunctionResult(decoded) as ContractFunctionReturnType<A, View, N, Args>
        } catch {
          return undefined
        }
      })
    })

  /** Calls a contract. Fails if the contract does not exist or reverts. */
  const read = <
    const A extends Abi,
    N extends ContractFunctionName<A, View>,
    const Args extends ContractFunctionArgs<A, View, N>
  >(
    question: ContractFunctionParameters<A, View, N, Args>,
    at?: At,
    waitMillis?: number
  ) =>
    Effect.flatMap(askContract<A, N, Args>(question, at, waitMillis), (answer) =>
      answer === undefined || answer === null
        ? unavailable(
            { id: chainId },
            `${question.address} did not return a valid result for ${question.functionName}. Check that it is the right contract.`
          )
        : Effect.succeed(answer)
    )

  return {
    askContract,
    blockAt,
    codeOf,
    height,
    nonceOf,
    read,
    /** An owner's balance of a token or the native token. */
    balanceOf: (token: string, owner: string, at: At = "latest"): Effect.Effect<bigint, ChainUnavailable> =>
      isNative(token)
        ? Effect.map(readWord({ kind: "balance", address: addressOf(owner) }, tag(at)), (balance) =>
            BigInt(balance ?? 0)
          )
        : read({ abi: erc20Abi, address: addressOf(token), functionName: "balanceOf", args: [addressOf(owner)] }, at),
    /** The hash of an account's code. */
    codeHashOf: (owner: Address, at: At = "latest") =>
      Effect.map(readWord({ kind: "codeHash", address: owner }, tag(at)), (found = "0x") => found),
    /** A word in an account's storage. */
    storageAt: (owner: string, slot: Hash) =>
      ask("eth_getStorageAt", async ({ request }) =>
        quantity(await request({ method: "eth_getStorageAt", params: [addressOf(owner), slot, "latest"] }))
      ),
    /** Whether the node has a transaction, either pending or in a block. */
    isKnown: (wanted: string) =>
      ask("eth_getTransactionByHash", async ({ request }) => {
        const found = await request({ method: "eth_getTransactionByHash", params: [hash(wanted)] })
        if (found !== null && hash(found.hash) !== hash(wanted)) throw invalid("that transaction")
        return found !== null
      }),
    /** The hash of the genesis block, which identifies a chain more reliably than its id. */
    genesis: ask("eth_getBlockByNumber", async ({ request }) =>
      hash((await request({ method: "eth_getBlockByNumber", params: ["0x0", false] }))?.hash)
    ),
    chainId: ask("eth_chainId", async ({ request }) => quantity(await request({ method: "eth_chainId" }))),
    /** The base fees and tips in the latest blocks. */
    feeHistory: ask("eth_feeHistory", async ({ request }) =>
      feeHistoryOf(
        await request({
          method: "eth_feeHistory",
          params: [numberToHex(historyBlocks), "latest", [rewardPercentile]]
        })
      )
    ),
    /** The tip that the node suggests. */
    suggestedTip: ask("eth_maxPriorityFeePerGas", async ({ request }) =>
      quantity(await request({ method: "eth_maxPriorityFeePerGas" }))
    ),
    receiptOf: (wanted: string): Effect.Effect<Receipt | undefined, ChainUnavailable> =>
      ask("eth_getTransactionReceipt", async ({ request }) => {
        const receipt = await request({ method: "eth_getTransactionReceipt", params: [hash(wanted)] })
        if (receipt === null) return undefined
        if (hash(receipt.transactionHash) !== hash(wanted)) throw invalid("that receipt")
        return {
          hash: hash(wanted),
          blockHash: hash(receipt.blockHash),
          blockNumber: quantity(receipt.blockNumber),
          logs: receipt.logs.map(logOf),
          isWhole: true,
          gasUsed: optionalQuantity(receipt.gasUsed),
          gasPrice: optionalQuantity(receipt.effectiveGasPrice),
          ...rollupFees({ ...receipt })
        }
      }),
    /** The logs in a block range that have an event's address and topics. */
    logsOf: (
      { address, topics }: Event,
      from: bigint,
      to: bigint
    ): Effect.Effect<ReadonlyArray<Log>, ChainUnavailable> =>
      ask("eth_getLogs", async ({ request }) => {
        const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
        const logs = await request({ method: "eth_getLogs", params: [{ address, topics: [...topics], ...range }] })
        return logs
          .filter(({ removed }) => !removed)
          .map((log) => ({
            ...logOf(log),
            hash: hash(log.transactionHash),
            blockHash: isHex(log.blockHash) ? hash(log.blockHash) : undefined,
            blockNumber: quantity(log.blockNumber)
          }))
      })
  }
}

export type Reads = ReturnType<typeof make>
