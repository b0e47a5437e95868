/** Whether an order was delivered or refunded, by whomever: the vault knows, and its event says what. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import type { Hex } from "viem"
import type { ChainUnavailable, Elsewhere, SendJob } from "../../Chains.js"
import type * as Config from "../../Config.js"
import { finalOf } from "./finality.js"
import { addressOf } from "./jobs.js"
import type { Reads } from "./reads.js"
import * as Search from "./search.js"
import type { Testimony, Witnesses } from "./witnesses.js"

const unclear = (message: string): Elsewhere => ({ _tag: "Unclear", message })

/** One "used" is enough to wait; everything else has to be the same for every node that answers. */
const agree = (heard: ReadonlyArray<Testimony<Elsewhere>>): Elsewhere => {
  const answers = heard.map(({ answer }) => answer)
  const gistOf = (answer: Elsewhere) =>
    answer._tag === "Done" ? `${answer.hash} in block ${answer.block}` : answer._tag
  const [first] = answers
  if (first !== undefined && new Set(answers.map(gistOf)).size === 1) return first
  const words = heard.map(({ answer, host }) => `${host} says ${gistOf(answer)}`).join(", ")
  return unclear(`The nodes do not say the same of the order: ${words}.`)
}

export const make = ({ hear }: Witnesses, config: Config.EvmChain, range = Search.usualRange) => {
  const vault = addressOf(config.vault)
  const search = Search.make(config, range)

  const look = Effect.fnUntraced(function* (reads: Reads, job: SendJob): Effect.fn.Return<Elsewhere, ChainUnavailable> {
    const isUsed = { abi: GeoVault.abi, address: vault, functionName: "isUsed", args: [job.orderId as Hex] } as const
    if (!(yield* reads.read(isUsed))) return { _tag: "Unused" }
    // The height comes after it: the event is not above it.
    const latest = yield* reads.height
    const event = yield* search(reads, job, latest, -Infinity)
    if (event === undefined) {
      return unclear(
        `The vault has sent something for order ${job.orderId}, and no event shows that it was exactly this ${job.kind}.`
      )
    }
    return event.blockNumber > finalOf(config, latest)
      ? unclear(`The ${job.kind} of order ${job.orderId} is in ${event.hash}, which is not final yet.`)
      : { _tag: "Done", hash: event.hash, block: event.blockNumber }
  })

  return (job: SendJob): Effect.Effect<Elsewhere, ChainUnavailable> =>
    Effect.map(
      hear((reads) => look(reads, job)),
      agree
    )
}
