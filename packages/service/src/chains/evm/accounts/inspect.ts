/** Inspects what swaps need besides a correct configuration: the vault's caps and inventory, and the nodes' history. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import { formatUnits, zeroAddress } from "viem"
import { together } from "../../../concurrency/together.js"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Inspection } from "../../Chains.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import { SearchRange } from "../nodes/searchLogs.js"
import { depthFor, finalHeight } from "../proof/finality.js"
import { addressOf } from "../transactions/vaultCalls.js"

/** Creates the inspection of a chain. */
export const make = ({ config, quorum: { first: reads, nodes } }: EvmContext) => {
  const where = `Chain ${config.id} (${config.name})`
  const [{ address: vault }] = config.vaults

  const token = Effect.fnUntraced(function* ({
    address,
    decimals,
    symbol
  }: Config.Token): Effect.fn.Return<Inspection, ChainUnavailable> {
    const capOf = (functionName: "capOf" | "refundCapOf") =>
      reads.read({ abi: GeoVault.abi, address: addressOf(vault), functionName, args: [addressOf(address)] })
    const [cap, refundCap, held] = yield* together([
      capOf("capOf"),
      capOf("refundCapOf"),
      reads.balanceOf(address, vault)
    ])
    const format = (amount: bigint) => `${formatUnits(amount, decimals)} ${symbol}`
    if (cap === 0n) {
      const problem = `${where}: the vault's cap for ${symbol} is 0, so it delivers none. The vault's owner can set it with setCap.`
      return { problems: [problem], warnings: [] }
    }
    const noRefunds = `${where}: the vault's refund cap for ${symbol} is 0, so no swap from it is accepted. The vault's owner can set it with setRefundCap.`
    return {
      problems: refundCap === 0n ? [noRefunds] : [],
      warnings: [
        ...(held > 0n ? [] : [`${where}: the vault has no ${symbol}, so swaps to it are refused.`]),
        ...(held <= cap
          ? []
          : [`${where}: the vault has ${format(held)}, but its cap is only ${format(cap)} per hour.`])
      ]
    }
  })

  /** What a node lacks. A node that does not answer lacks nothing, because it is reported as such. */
  const history = Effect.fnUntraced(function* (node: Node): Effect.fn.Return<Inspection, ChainUnavailable> {
    const { farthest, step } = yield* SearchRange
    const latest = yield* node.feed.recent
    const final = yield* finalHeight(node, depthFor(config), latest)
    const oldest = latest.number > farthest ? latest.number - farthest : 0n
    const newest = oldest + step > latest.number ? latest.number : oldest + step - 1n
    const lacks = (probe: Effect.Effect<unknown, ChainUnavailable>) =>
      Effect.match(probe, { onSuccess: () => false, onFailure: ({ unanswered }) => unanswered !== true })
    const [state, logs, blocks] = yield* together([
      lacks(node.balanceOf(zeroAddress, vault, final)),
      lacks(node.logsOf({ address: addressOf(vault), topics: [], data: "0x" }, oldest, newest)),
      lacks(node.blockAt(oldest))
    ])
    const from = `${where}: the node ${node.host} does not`
    return {
      problems: state
        ? [
            `${from} have the state of its final block, ${latest.number - final} blocks ago, which it needs to confirm results.`
          ]
        : [],
      warnings: [...(logs ? ["logs"] : []), ...(blocks ? ["blocks"] : [])].map(
        (what) =>
          `${from} return ${what} from ${latest.number - oldest} blocks ago, which recovery after an outage may need.`
      )
    }
  })
  const historyIfKnown = (node: Node) =>
    Effect.orElseSucceed(history(node), (): Inspection => ({ problems: [], warnings: [] }))

  return Effect.map(
    Effect.all([...config.tokens.map(token), ...nodes.map(historyIfKnown)], { concurrency: "unbounded" }),
    (found): Inspection => ({
      problems: found.flatMap(({ problems }) => problems),
      warnings: found.flatMap(({ warnings }) => warnings)
    })
  )
}
