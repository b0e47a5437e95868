/** Wallet and vault balances, including balances at a fixed block, which are used to accept swaps. */
import { GeoVault, Permit2 } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Address, erc20Abi } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Holding } from "../../../domain/Claim.js"
import { ChainUnavailable } from "../../ChainError.js"
import { addressOf } from "../transactions/vaultCalls.js"
import type { NodeQuorum } from "./nodeQuorum.js"
import type { At, Reads } from "./reads.js"

export const make = ({ askAny, first, recent }: NodeQuorum, config: Config.EvmChain) => {
  /** Quotes always use the first vault. */
  const vault = addressOf(config.vaults[0].address)

  const capOf = (token: string, address = vault, reads = first, at: At = "latest") =>
    reads.read({ abi: GeoVault.abi, address, functionName: "capOf", args: [addressOf(token)] }, at)

  /**
   * The largest refund that relayers may issue from a vault in an hour. If a vault has no separate refund cap, refunds
   * count toward its general cap.
   */
  const largestRefund = Effect.fnUntraced(function* (token: string, address: Address) {
    const refundCapOf = {
      abi: GeoVault.abi,
      address,
      functionName: "refundCapOf",
      args: [addressOf(token)]
    } as const
    const [cap, refundCap] = yield* Effect.all([capOf(token, address), first.askContract(refundCapOf)], {
      concurrency: "unbounded"
    })
    return refundCap !== undefined && refundCap < cap ? refundCap : cap
  })

  /** What is left of a cap in this hour. */
  const left = (cap: bigint, used: bigint): bigint => (cap > used ? cap - used : 0n)

  const deliverable = Effect.fnUntraced(function* (token: string, reads: Reads, at: At) {
    const sentThisHour = {
      abi: GeoVault.abi,
      address: vault,
      functionName: "sentThisHour",
      args: [addressOf(token)]
    } as const
    const [cap, sent] = yield* Effect.all([capOf(token, vault, reads, at), reads.read(sentThisHour, at)], {
      concurrency: "unbounded"
    })
    return left(cap, sent)
  })

  const refundable = Effect.fnUntraced(function* (token: string, address: Address, reads: Reads, at: At) {
    const args = [addressOf(token)] as const
    const [cap, refunded] = yield* Effect.all(
      [
        reads.read({ abi: GeoVault.abi, address, functionName: "refundCapOf", args }, at),
        reads.read({ abi: GeoVault.abi, address, functionName: "refundedThisHour", args }, at)
      ],
      { concurrency: "unbounded" }
    )
    return left(cap, refunded)
  })

  const inventory = Effect.fnUntraced(function* (token: string) {
    const [balance, most] = yield* Effect.all([first.balanceOf(token, vault), deliverable(token, first, "latest")], {
      concurrency: "unbounded"
    })
    return balance < most ? balance : most
  })

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
  ): Effect.fn.Return<Holding, ChainUnavailable> {
    const [node, { number }] = yield* recent
    if (number >= since) {
      const amount = yield* Effect.result(node.feed.perHead(`${key} at ${number}`, read(node, number)))
      if (Result.isSuccess(amount)) return { amount: amount.success, block: number }
    }
    return yield* askAny(
      Effect.fnUntraced(function* (reads) {
        const { number: height } = yield* reads.feed.refresh
        return height < since ? yield* behind(height, since) : { amount: yield* read(reads, height), block: height }
      })
    )
  })

  /** How much of a token Permit2 may spend for a wallet. */
  const allowance = (token: string, wallet: string, reads = first, at: At = "latest") =>
    reads.read(
      {
        abi: erc20Abi,
        address: addressOf(token),
        functionName: "allowance",
        args: [addressOf(wallet), addressOf(Permit2.address)]
      },
      at
    )

  const balanceAt = (token: string, owner: string, since: bigint) =>
    pinned(`balance ${addressOf(token)} ${addressOf(owner)}`, since, (reads, at) => reads.balanceOf(token, owner, at))

  return {
    allowanceOf: (token: string, wallet: string) => allowance(token, wallet),
    allowanceAt: (token: string, wallet: string, since: bigint) =>
      pinned(`allowance ${addressOf(token)} ${addressOf(wallet)}`, since, (reads, at) =>
        allowance(token, wallet, reads, at)
      ),
    largestRefund,
    inventoryOf: inventory,
    deliverableAt: (token: string, since: bigint) =>
      pinned(`deliverable ${addressOf(token)}`, since, (reads, at) => deliverable(token, reads, at)),
    refundableAt: (token: string, since: bigint, from: string) =>
      pinned(`refundable ${addressOf(token)} ${addressOf(from)}`, since, (reads, at) =>
        refundable(token, addressOf(from), reads, at)
      ),
    heldAt: (token: string, since: bigint) => balanceAt(token, vault, since),
    balanceAt
  }
}
