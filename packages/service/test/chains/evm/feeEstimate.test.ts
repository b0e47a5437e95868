import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  estimate,
  type FeeEstimate,
  type FeeHistory,
  historyBlocks,
  leastTip,
  usualTip
} from "../../../src/chains/evm/fees/feeEstimate.js"

const gwei = 1_000_000_000n
type Block = FeeHistory["blocks"][number]
const paid = (reward: bigint): Block => ({ used: 0.5, reward })
const empty: Block = { used: 0, reward: 0n }
const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

const history = (blocks: ReadonlyArray<Block>, baseFee = gwei, newest = 100n): FeeHistory => ({
  newest,
  baseFee,
  blocks
})
const busy = (tip: bigint, baseFee = gwei, newest = 100n) => history(times(historyBlocks, paid(tip)), baseFee, newest)
const past = (tip: bigint, baseFee = gwei, newest = 99n): FeeEstimate => ({
  newest,
  at: 0,
  baseFee,
  reportedBaseFee: baseFee,
  tip
})
const tipOf = (histories: ReadonlyArray<FeeHistory>, previous?: FeeEstimate) => estimate(histories, previous, 0).tip
const priceOf = ({ baseFee, tip }: FeeEstimate) => baseFee + tip
/** How much more one price is than another, in percent. */
const percentAbove = (higher: bigint, lower: bigint) => Number(((higher - lower) * 10_000n) / lower) / 100

const Wei = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 1_000n * gwei }))
const Anything = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
const Blocks = Schema.Array(Schema.Struct({ used: Schema.Literals([0, 0.000_1, 0.5, 1]), reward: Wei })).check(
  Schema.isMaxLength(historyBlocks)
)

describe("the estimated tip", () => {
  it("is the median of what was paid in the blocks", () => {
    const blocks = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n].map((tip) => paid(tip * 10_000_000n))
    assert.strictEqual(tipOf([history(blocks)]), 50_000_000n)
    assert.strictEqual(tipOf([history(blocks.toReversed())]), 50_000_000n)
  })

  it("ignores a hundredfold tip in half of the blocks", () => {
    const blocks = [...times(5, paid(gwei / 2n)), ...times(5, paid(50n * gwei))]
    assert.strictEqual(tipOf([history(blocks)]), gwei / 2n)
  })

  it("follows the base fee if all blocks are empty, between the minimum and 1 gwei", () => {
    const blocks = times(historyBlocks, empty)
    assert.strictEqual(tipOf([history(blocks, 0n)]), leastTip)
    assert.strictEqual(tipOf([history(blocks, 252n)]), leastTip)
    assert.strictEqual(tipOf([history(blocks, gwei / 50n)]), gwei / 50n)
    assert.strictEqual(tipOf([history(blocks, 40n * gwei)]), usualTip)
    assert.strictEqual(tipOf([history([], 40n * gwei)]), usualTip)
  })

  it("ignores two transactions with high tips on an otherwise empty chain", () => {
    const few = [paid(20n * gwei), paid(20n * gwei)]
    assert.strictEqual(tipOf([history(few, 40n * gwei)]), usualTip)
    assert.strictEqual(tipOf([history([...few, ...times(8, empty)], 40n * gwei)]), usualTip)
  })

  it("ignores tips that a node reports for empty blocks", () => {
    const invented = times(historyBlocks, { used: 0, reward: 100n * gwei })
    assert.strictEqual(tipOf([history(invented)]), tipOf([history(times(historyBlocks, empty))]))
  })

  it("at most doubles the price without a previous estimate, and is at most 1 gwei without a base fee", () => {
    assert.strictEqual(tipOf([busy(100n * gwei, 3n * gwei)]), 3n * gwei)
    assert.strictEqual(tipOf([busy(100n * gwei, 252n)]), leastTip)
    assert.strictEqual(tipOf([busy(gwei / 20n, 0n)]), gwei / 20n)
    assert.strictEqual(tipOf([busy(100n * gwei, 0n)]), usualTip)
  })

  it.prop("is never below the minimum", [Blocks, Wei, Wei, Wei], ([blocks, baseFee, tip, base]) => {
    assert.isTrue(tipOf([history(blocks, baseFee)]) >= leastTip)
    assert.isTrue(tipOf([history(blocks, baseFee)], past(tip, base)) >= leastTip)
  })

  it.prop("never falls if more is paid in the blocks", [Blocks, Wei, Wei, Wei], ([blocks, more, baseFee, tip]) => {
    const higher = blocks.map(({ reward, used }) => ({ used, reward: reward + more }))
    for (const previous of [undefined, past(tip)]) {
      assert.isTrue(tipOf([history(higher, baseFee)], previous) >= tipOf([history(blocks, baseFee)], previous))
    }
  })
})

describe("an estimate with a node that reports hundredfold fees", () => {
  const honest = busy(gwei / 2n)
  const liar = busy(50n * gwei, 100n * gwei)

  it("does not change with one such node of two or three, in any order", () => {
    for (const previous of [undefined, past(gwei / 2n)]) {
      const expected = estimate([honest], previous, 0)
      for (const nodes of [
        [honest, liar],
        [liar, honest],
        [liar, honest, honest],
        [honest, liar, honest],
        [honest, honest, liar]
      ]) {
        assert.deepStrictEqual(estimate(nodes, previous, 0), expected)
      }
    }
  })

  it("does not change with one node of three that reports no fees at all", () => {
    const low = busy(0n, 0n)
    assert.deepStrictEqual(estimate([low, honest, honest], undefined, 0), estimate([honest], undefined, 0))
  })

  it.prop(
    "rises by at most 5% because of the tips of a single node",
    [Wei, Wei, Wei, Anything],
    ([baseFee, before, tip, lie]) => {
      const previous = past(before < leastTip ? leastTip : before, baseFee)
      const told = estimate(
        [busy(tip), busy(lie)].slice(1).map((one) => ({ ...one, baseFee })),
        previous,
        0
      )
      assert.isTrue(percentAbove(priceOf(told), priceOf(previous)) <= 5)
    }
  )

  it.prop(
    "moves the base fee by at most 1/8 per block because of a single node",
    [Wei, Anything, Schema.Literals([1, 2, 8, 1_000])],
    ([baseFee, lie, blocks]) => {
      const { baseFee: told } = estimate([busy(gwei, lie, 99n + BigInt(blocks))], past(gwei, baseFee), 0)
      const steps = BigInt(Math.min(blocks, 8))
      assert.isTrue(told <= (baseFee * 9n ** steps) / 8n ** steps + leastTip / 20n)
      assert.isTrue(told >= (baseFee * 7n ** BigInt(blocks)) / 8n ** BigInt(blocks))
    }
  )

  it("does not change before the next block, and recovers within two blocks", () => {
    const before = estimate([honest], undefined, 0)
    assert.deepStrictEqual(estimate([liar], before, 1_000), before)
    const misled = estimate([{ ...liar, newest: 101n }], before, 2_000)
    assert.isTrue(priceOf(misled) > priceOf(before))
    const honestAgain = [102n, 103n].reduce(
      (current, newest) => estimate([busy(gwei / 2n, gwei, newest)], current, 3_000),
      misled
    )
    assert.strictEqual(priceOf(honestAgain), priceOf(before))
  })
})

describe("an estimate in a market that moves", () => {
  /** How many blocks it takes until the estimate reaches a tip that every new block pays. */
  const blocksUntil = (from: bigint, to: bigint, baseFee: bigint) => {
    let current = estimate([busy(from, baseFee)], undefined, 0)
    for (let count = 1; count <= 1_000; count++) {
      const fresh = Math.min(count, historyBlocks)
      const blocks = [...times(historyBlocks - fresh, paid(from)), ...times(fresh, paid(to))]
      current = estimate([history(blocks, baseFee, 100n + BigInt(count))], current, count * 2_000)
      if (current.tip === to) return count
    }
    return Infinity
  }

  it("follows a tenfold rise of tips within 40 blocks if they are half of the price, sooner if less", () => {
    assert.strictEqual(blocksUntil(gwei, 10n * gwei, gwei), 40)
    assert.strictEqual(blocksUntil(gwei, 10n * gwei, 10n * gwei), 18)
    assert.strictEqual(blocksUntil(gwei / 10n, gwei, 10n * gwei), 7)
  })

  it("follows a fall of tips to a tenth within 22 blocks", () => {
    assert.strictEqual(blocksUntil(gwei, gwei / 10n, gwei), 22)
  })

  it("follows the base fee at once, as fast as EIP-1559 lets it rise and fall", () => {
    for (const [by, of] of [
      [9n, 8n],
      [7n, 8n]
    ] as const) {
      let current = estimate([busy(gwei)], undefined, 0)
      for (let block = 101n; block < 140n; block++) {
        const baseFee = (current.baseFee * by) / of
        current = estimate([busy(gwei, baseFee, block)], current, 0)
        assert.strictEqual(current.baseFee, baseFee)
      }
    }
  })

  it("ignores a previous estimate that is older than ten minutes", () => {
    const risen = busy(8n * gwei, 20n * gwei, 150n)
    assert.deepStrictEqual(estimate([risen], past(gwei / 10n), 600_001), estimate([risen], undefined, 600_001))
    assert.isTrue(estimate([risen], past(gwei / 10n), 600_000).tip < gwei)
  })
})

describe("an estimate from blocks with only the service's own transactions", () => {
  const Block = Schema.Literals(["empty", "ours"])

  it.prop(
    "never rises above the first tip and the tip for empty blocks, even if one in three was replaced for 12.5% more",
    [Schema.Array(Block).check(Schema.isMinLength(50), Schema.isMaxLength(300)), Wei, Wei],
    ([pattern, start, baseFee]) => {
      const first = estimate([busy(start, baseFee)], undefined, 0)
      const highest = [first.tip, tipOf([history([], baseFee)])].reduce((a, b) => (a > b ? a : b))
      let current = first
      let blocks = [...times(historyBlocks, paid(first.tip))]
      let sent = 0
      for (const [index, block] of pattern.entries()) {
        const tip = block === "ours" && sent++ % 3 === 0 ? (current.tip * 1125n) / 1000n + 1n : current.tip
        blocks = [...blocks.slice(1), block === "empty" ? empty : paid(tip)]
        current = estimate([history(blocks, baseFee, 101n + BigInt(index))], current, index * 2_000)
        assert.isTrue(current.tip <= highest)
      }
    }
  )
})
