/** Wallet and vault balances, including balances at a fixed block, which are used to accept swaps. */
import { GeoVault, Permit2 } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { erc20Abi } from "viem"
import { together } from "../../../concurrency/together.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { EvmContext } from "../context.js"
import { addressOf } from "../transactions/vaultCalls.js"
import type { At, Reads } from "./reads.js"

type Limit = "capOf" | "refundCapOf" | "sentThisHour" | "refundedThisHour"

/** Reads a limit of a vault for a token, or how much of it is used. */
const limitOf = (reads: Reads, functionName: Limit, token: string, vault: string, at?: At) =>
  reads.read({ abi: GeoVault.abi, address: addressOf(vault), functionName, args: [addressOf(token)] }, at)

/** What is left of a cap in this hour. */
const left = (cap: Limit, used: Limit, token: string, vault: string) => (reads: Reads, at: At) =>
  Effect.map(
    together([limitOf(reads, cap, token, vault, at), limitOf(reads, used, token, vault, at)]),
    ([most, sent]) => (most > sent ? most - sent : 0n)
  )

/** How much of a token Permit2 may spend for a wallet. */
const allowance = (token: string, wallet: string) => (reads: Reads, at?: At) =>
  reads.read(
    {
      abi: erc20Abi,
      address: addressOf(token),
      functionName: "allowance",
      args: [addressOf(wallet), addressOf(Permit2.address)]
    },
    at
  )

export const make = ({ config, quorum: { askAny, first, recent } }: Pick<EvmContext, "config" | "quorum">) => {
  /** Quotes always use the first vault. */
  const [{ address: vault }] = config.vaults

  const behind = (block: bigint, since: bigint) =>
    new ChainUnavailable({
      chainId: config.id,
      message: `A node is at block ${block}, but block ${since} is required.`,
      timeout: false,
      behind: true
    })

  /**
   * Reads an amount at a block number instead of at the latest block. Several nodes may share one URL, so the node that
   * responds may be behind the node that returned the block number. In that case, the read fails because the node does
   * not have the block. It never returns the amount at an older block. The amounts at a block are read only once.
   */
  const pinned = Effect.fnUntraced(function* (
    key: string,
    since: bigint,
    read: (reads: Reads, at: bigint) => Effect.Effect<bigint, ChainUnavailable>
  ) {
    const [node, { number }] = yield* recent
    if (number >= since) {
      const amount = yield* Effect.result(node.feed.perHead(`${key} at ${number}`.toLowerCase(), read(node, number)))
      if (Result.isSuccess(amount)) return { amount: amount.success, block: number }
    }
    return yield* askAny(
      Effect.fnUntraced(function* (reads) {
        const { number: height } = yield* reads.feed.refresh
        return height < since ? yield* behind(height, since) : { amount: yield* read(reads, height), block: height }
      })
    )
  })

  const balanceAt = (token: string, owner: string, since: bigint) =>
    pinned(`balance ${token} ${owner}`, since, (reads, at) => reads.balanceOf(token, owner, at))
  const heldAt = (token: string, since: bigint) => balanceAt(token, vault, since)
  const deliverableAt = (token: string, since: bigint) =>
    pinned(`deliverable ${token}`, since, left("capOf", "sentThisHour", token, vault))

  return {
    allowanceOf: (token: string, wallet: string) => allowance(token, wallet)(first),
    allowanceAt: (token: string, wallet: string, since: bigint) =>
      pinned(`allowance ${token} ${wallet}`, since, allowance(token, wallet)),
    /** The largest refund that relayers may issue from a vault in an hour. */
    largestRefund: (token: string, from: string) => limitOf(first, "refundCapOf", token, from),
    /** What the first vault can deliver. The two reads are shared with submissions. */
    inventoryOf: (token: string) =>
      Effect.map(together([heldAt(token, 0n), deliverableAt(token, 0n)]), ([held, most]) =>
        held.amount < most.amount ? held.amount : most.amount
      ),
    deliverableAt,
    refundableAt: (token: string, since: bigint, from: string) =>
      pinned(`refundable ${token} ${from}`, since, left("refundCapOf", "refundedThisHour", token, from)),
    heldAt,
    balanceAt
  }
}
