/**
 * What a chain charges for the data of a transaction, which differs between kinds of chains. `l1` and `polygon` charge
 * nothing. `op-stack` charges a fee in addition to the gas. `arbitrum` adds gas.
 */
import * as Effect from "effect/Effect"
import { encodeFunctionData, type Hex, parseAbi, size, slice } from "viem"
import { together } from "../../../concurrency/together.js"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Node, NodeQuorum } from "../nodes/nodeQuorum.js"
import { bytes } from "../nodes/parse.js"
import type { Receipt } from "../nodes/reads.js"
import type { SignedAttempt } from "../transactions/attemptSigner.js"
import { unsignedOf } from "../transactions/transactions.js"
import { addressOf, type Call } from "../transactions/vaultCalls.js"
import type { Sample } from "./sampleTransactions.js"

type OnChain<A> = Effect.Effect<A, ChainUnavailable>

/** The gas that pays for data, and how much more of it a node's estimate contains. */
interface DataGas {
  readonly gas: bigint
  readonly margin: bigint
}

export interface FeeModel {
  /** Returns what a transaction like the sample pays in addition to its gas, in wei. Read once per block. */
  readonly dataFee: (sample: Sample, gas: bigint) => OnChain<bigint>
  /** Returns the part of its gas that a transaction like the sample pays for its data. Read once per block. */
  readonly dataGas: (sample: Sample) => OnChain<DataGas>
  /** Returns the gas that an estimate of a call contains for its data. */
  readonly estimatedDataGas: (call: Pick<Call, "to" | "data">) => OnChain<bigint>
  /** Returns what a transaction paid in addition to its gas, in wei. */
  readonly spent: (node: Node, receipt: Receipt, attempt: SignedAttempt) => Effect.Effect<bigint>
}

/** Gas is all that a transaction pays. If a receipt nevertheless names a fee for data, it is included. */
const l1: FeeModel = {
  dataFee: () => Effect.succeed(0n),
  dataGas: () => Effect.succeed({ gas: 0n, margin: 0n }),
  estimatedDataGas: () => Effect.succeed(0n),
  spent: (_, { dataFee = 0n }) => Effect.succeed(dataFee)
}

/** The predeployed contract of the OP stack that knows the fees. The functions of later forks may be missing. */
export const oracleAddress = "0x420000000000000000000000000000000000000f"
const oracle = {
  address: oracleAddress,
  abi: parseAbi([
    "function getL1Fee(bytes) view returns (uint256)",
    "function getL1FeeUpperBound(uint256) view returns (uint256)",
    "function getOperatorFee(uint256) view returns (uint256)"
  ])
} as const

/** The fee for gas is read for multiples of this number, so that transactions with similar gas share the read. */
const gasStep = 1_000n

const operatorFee = (node: Node, gas: bigint, at?: bigint) =>
  Effect.map(node.askContract({ ...oracle, functionName: "getOperatorFee", args: [gas] }, at), (fee = 0n) => fee)

const l1Fee = Effect.fnUntraced(function* (node: Node, unsigned: Hex, at?: bigint) {
  const fee = yield* node.askContract({ ...oracle, functionName: "getL1Fee", args: [unsigned] }, at)
  if (fee !== undefined) return fee
  const args = [BigInt(size(unsigned))] as const
  return (yield* node.askContract({ ...oracle, functionName: "getL1FeeUpperBound", args }, at)) ?? 0n
})

const opStack = ({ id }: Config.EvmChain, { recent }: NodeQuorum): FeeModel => ({
  ...l1,
  dataFee: Effect.fnUntraced(function* ({ kind, unsigned }, gas) {
    const [node] = yield* recent
    const step = ((gas + gasStep - 1n) / gasStep) * gasStep
    const [data, operator] = yield* together([
      node.feed.perHead(`data fee of ${kind}`, l1Fee(node, unsigned)),
      node.feed.perHead(`operator fee of ${step}`, operatorFee(node, step))
    ])
    return data + operator
  }),
  spent: Effect.fnUntraced(function* (node, { blockNumber, dataFee, gasUsed = 0n, hasOperatorFee = true }, attempt) {
    const [data, operator] = yield* together([
      dataFee === undefined ? l1Fee(node, unsignedOf(attempt, id), blockNumber) : Effect.succeed(dataFee),
      hasOperatorFee ? operatorFee(node, gasUsed, blockNumber) : Effect.succeed(0n)
      // If the node no longer has the state of the block, the receipt is all that is known.
    ]).pipe(Effect.orElseSucceed(() => [dataFee ?? 0n, 0n] as const))
    return data + operator
  })
})

/** Arbitrum's contract that exists only for calls to nodes. */
const nodeInterface = {
  address: "0x00000000000000000000000000000000000000c8",
  abi: parseAbi(["function gasEstimateL1Component(address, bool, bytes) view returns (uint64)"])
} as const
/** Arbitrum's nodes add a tenth to the gas for data that they estimate, because its price may rise until the block. */
const paddedPercent = 110n

const arbitrum = ({ ask, recent }: NodeQuorum): FeeModel => {
  const estimatedDataGas = ({ data, to }: Pick<Call, "to" | "data">) =>
    ask("eth_call", async ({ request }) => {
      const { abi, address } = nodeInterface
      const call = encodeFunctionData({
        abi,
        functionName: "gasEstimateL1Component",
        args: [addressOf(to), false, data]
      })
      return BigInt(
        slice(bytes(await request({ method: "eth_call", params: [{ to: address, data: call }, "latest"] })), 0, 32)
      )
    })
  return {
    ...l1,
    estimatedDataGas,
    dataGas: ({ call, kind, rest }) =>
      Effect.flatMap(recent, ([{ feed }]) =>
        feed.perHead(
          `data gas of ${kind}`,
          Effect.map(estimatedDataGas({ to: call.to, data: `${call.data}${rest.slice(2)}` }), (estimated) => {
            const gas = (estimated * 100n) / paddedPercent
            return { gas, margin: estimated - gas }
          })
        )
      )
  }
}

/** Creates the model that a chain's configuration names. */
export const make = (config: Config.EvmChain, quorum: NodeQuorum): FeeModel => {
  switch (config.feeModel) {
    case "l1":
    case "polygon":
      return l1
    case "op-stack":
      return opStack(config, quorum)
    case "arbitrum":
      return arbitrum(quorum)
  }
}
