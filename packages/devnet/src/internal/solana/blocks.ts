/** The chain's blocks, and the blockhashes that are still valid. */

/** The number of blocks for which a blockhash is valid. */
export const maxAge = 150
const slotHashesKept = 512
const blocksKept = 100_000

/** A block. The last block on the chain is still in progress. */
export interface Block {
  readonly slot: number
  readonly parent: number
  readonly height: number
  /** The latest blockhash that transactions in this block can use. */
  readonly blockhash: string
  /** The time of the block, in Unix seconds. */
  readonly time: number
}

/** The blocks on the current fork, starting with the first. */
export const blockhashes = (first: { readonly slot: number; readonly blockhash: string; readonly time: number }) => {
  let blocks: Array<Block> = [{ ...first, parent: first.slot, height: 0 }]
  let heights = new Map<string, number>([[first.blockhash, 0]])
  /** The last slot number used. Slot numbers from abandoned forks are not reused. */
  let lastSlot = first.slot

  const head = (): Block => blocks.at(-1) ?? { ...first, parent: first.slot, height: 0 }
  const back = (depth: number): Block => blocks[Math.max(0, blocks.length - 1 - depth)] ?? head()
  const push = (blockhash: string, time: number) => {
    const { height, slot: parent } = head()
    lastSlot += 1
    blocks.push({ slot: lastSlot, parent, height: height + 1, blockhash, time })
    heights.set(blockhash, height + 1)
    if (blocks.length > 2 * blocksKept) blocks = blocks.slice(-blocksKept)
    for (const [old, since] of heights) {
      // Blocks that are not final yet may still need this blockhash. No commitment level lags by more than twice
      // `maxAge` blocks.
      if (since >= height - 2 * maxAge) break
      heights.delete(old)
    }
  }
  return {
    head,
    /** The block that is this many blocks before the last one, or the first block if there are not enough blocks. */
    back,
    push,
    /** Abandons the given number of blocks at the end of the chain, and continues from the block before them. */
    fork: (depth: number, blockhash: string, time: number) => {
      const base = back(depth)
      blocks = blocks.filter(({ slot }) => slot <= base.slot)
      heights = new Map([...heights].filter(([, height]) => height <= base.height))
      push(blockhash, time)
    },
    blockOf: (slot: number): Block | undefined => blocks.findLast((block) => block.slot === slot),
    /** The blocks from a slot onward, as far back as blocks are kept. */
    from: (slot: number): ReadonlyArray<Block> => blocks.filter((block) => block.slot >= slot),
    recent: (count: number): ReadonlyArray<Block> => blocks.slice(-count),
    isValid: (blockhash: string, { height }: Block): boolean => {
      const since = heights.get(blockhash)
      return since !== undefined && since <= height && height - since <= maxAge
    },
    /** The blocks before the one in progress, newest first, for the slot hashes sysvar. */
    slotHashes: () =>
      blocks
        .slice(-slotHashesKept - 1)
        .flatMap(({ slot }, index, recent) => {
          const next = recent[index + 1]
          return next === undefined ? [] : [{ slot: BigInt(slot), hash: next.blockhash }]
        })
        .toReversed()
  }
}
