/** A model of two chains: what wallets, vaults and relayers hold at each block. Money moves only in blocks. */
import { ChainError, type Chains, type Claim } from "@geoswap/service"
import { plainChain } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import type { SeededRandom } from "../../../../../tooling/testing/seededRandom.js"

export const tokens = ["0xaa", "0xbb"] as const
export const wallets = ["0x01", "0x02", "0x03"] as const
export const vault = "0xff"
const relayers = ["0xe1"] as const

/** The most that a transaction costs its relayer. */
export const mostCost = 3n

/** Amounts by what they are, for example `balance 0xaa 0x01`. */
type Amounts = ReadonlyMap<string, bigint>

export const names = {
  balance: (token: string, owner: string) => `balance ${token} ${owner}`,
  allowance: (token: string, owner: string) => `allowance ${token} ${owner}`,
  /** What the vault may still deliver and refund in this hour. */
  deliverable: (token: string) => `deliverable ${token}`,
  refundable: (token: string) => `refundable ${token}`,
  gas: "gas"
}

export interface World {
  readonly chain: Chains.EvmChain
  /** The amount at the latest block. */
  readonly amount: (name: string) => bigint
  /** Adds a block in which amounts change. Returns its number. */
  readonly mine: (changes: Readonly<Record<string, bigint>>) => bigint
}

/** A world in which little is left of everything, so that most sets of swaps use something up. */
export const make = (id: number, random: SeededRandom): World => {
  const few = (most: number) => BigInt(random.below(most))
  const first = new Map<string, bigint>()
  for (const token of tokens) {
    for (const owner of wallets) {
      first.set(names.balance(token, owner), few(60))
      first.set(names.allowance(token, owner), few(60))
    }
    first.set(names.balance(token, vault), few(60))
    first.set(names.deliverable(token), 20n + few(80))
    first.set(names.refundable(token), 20n + few(80))
  }
  first.set(names.gas, 20n + few(60))
  const blocks: Array<Amounts> = [first]
  const height = () => BigInt(blocks.length - 1)
  const at = (block: bigint, name: string) => blocks[Number(block)]?.get(name) ?? 0n

  /** Reads at the latest block, or at a node that is a few blocks behind. */
  const read = (name: string, since: bigint): Effect.Effect<Claim.Holding, ChainError.ChainUnavailable> =>
    Effect.suspend(() => {
      const behind = height() - BigInt(random.below(4))
      const block = behind < since ? since : behind
      return block > height()
        ? new ChainError.ChainUnavailable({
            chainId: id,
            message: "The block does not exist.",
            timeout: false,
            behind: true
          })
        : Effect.succeed({ amount: at(block, name), block })
    })

  const plain = plainChain({
    family: "evm",
    id,
    name: `chain-${id}`,
    tokens: [],
    costOf: () => Effect.succeed(1n),
    balanceOf: () => Effect.succeed(0n)
  })
  if (plain.family !== "evm") throw new TypeError("It is an EVM chain.")
  const most = 1_000_000
  return {
    amount: (name) => at(height(), name),
    mine: (changes) => {
      const next = new Map(blocks.at(-1))
      for (const [name, change] of Object.entries(changes)) next.set(name, (next.get(name) ?? 0n) + change)
      blocks.push(next)
      return height()
    },
    chain: {
      ...plain,
      vault,
      vaults: [vault],
      relayer: relayers[0],
      relayers,
      exposure: { gasPerWallet: most, gasPerVisitor: most, gasPerAccount: most, gasPerChain: most },
      payments: { ...plain.payments, allowanceAt: (token, owner, since) => read(names.allowance(token, owner), since) },
      balanceAt: (token, owner, since) => read(names.balance(token, owner), since),
      heldAt: (token, since) => read(names.balance(token, vault), since),
      deliverableAt: (token, since) => read(names.deliverable(token), since),
      refundableAt: (token, since) => read(names.refundable(token), since),
      mostCostOf: () => Effect.succeed(mostCost),
      fundsAt: (since) => read(names.gas, since)
    }
  }
}
