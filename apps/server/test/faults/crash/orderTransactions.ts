/** Reads from the chains which transactions moved tokens for each order. */
import { GeoVault } from "@geoswap/contracts"
import type { Devnet } from "@geoswap/devnet"
import { createSolanaRpc, type Signature } from "@solana/kit"
import { type Address, parseEventLogs } from "viem"
import * as evm from "../../stack/evm.js"
import * as solana from "../../stack/solana.js"

/** The transactions of an order by kind. */
interface Moves {
  readonly collected: ReadonlyArray<string>
  readonly delivered: ReadonlyArray<string>
  readonly refunded: ReadonlyArray<string>
}

type What = keyof Moves
type Move = readonly [orderId: string, what: What, hash: string]

const whatOf = { Collected: "collected", Delivered: "delivered", Refunded: "refunded" } as const

/** The events of a vault since the last read. */
const readEvm = ({ contracts, ...chain }: Devnet.EvmChain) => {
  const reader = evm.reader(chain)
  let fromBlock = 0n
  return async (): Promise<ReadonlyArray<Move>> => {
    const toBlock = await reader.getBlockNumber()
    if (toBlock < fromBlock) return []
    const logs = await reader.getLogs({ address: contracts.vault as Address, fromBlock, toBlock })
    fromBlock = toBlock + 1n
    const events = parseEventLogs({ abi: GeoVault.abi, logs, eventName: ["Collected", "Delivered", "Refunded"] })
    return events.map(({ args, eventName, transactionHash }) => [
      "orderId" in args ? args.orderId : args.swapId,
      whatOf[eventName],
      transactionHash
    ])
  }
}

/** The memos of the relayer's transactions, several in a batch. The memo of a collect contains its terms; the others contain a word. */
const readSolana = (devnet: Devnet.Devnet) => {
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  let until: Signature | undefined
  return async (): Promise<ReadonlyArray<Move>> => {
    const { address } = await solana.operator(devnet, "relayer")
    const commitment = "finalized"
    const landed = await rpc.getSignaturesForAddress(address, { commitment, ...(until && { until }) }).send()
    if (landed.length === 1000) throw new Error("There may be more transactions than one page.")
    until = landed[0]?.signature ?? until
    return landed.flatMap(({ err, memo, signature }): ReadonlyArray<Move> => {
      if (err !== null) return []
      return [...(memo ?? "").matchAll(/geoswap:(0x[0-9a-f]{64}):(\w+)/g)].map(([, orderId = "", rest]): Move => [
        orderId,
        rest === "delivered" || rest === "refunded" ? rest : "collected",
        signature
      ])
    })
  }
}

/** Reads everything that happened so far. */
export type Facts = () => Promise<(orderId: string) => Moves>

export const makeFacts = (devnet: Devnet.Devnet): Facts => {
  const readers = [readEvm(devnet.evmA), readEvm(devnet.evmB), readSolana(devnet)]
  const moves: Array<Move> = []
  return async () => {
    for (const read of readers) moves.push(...(await read()))
    return (orderId) => {
      const hashes = (what: What) =>
        moves.flatMap(([id, each, hash]) => (id === orderId && each === what ? [hash] : []))
      return { collected: hashes("collected"), delivered: hashes("delivered"), refunded: hashes("refunded") }
    }
  }
}
