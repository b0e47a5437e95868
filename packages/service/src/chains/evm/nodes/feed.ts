/**
 * Follows one node of a chain. Everything that watches the chain shares the feed: the latest block is read once per
 * block, and values that are read at a block are kept until the next one. A feed sends requests only if it is used.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as SingleFlight from "../../../concurrency/singleFlight.js"
import * as WarmReads from "../../../concurrency/warmReads.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { NewHeads } from "./newHeads.js"
import type { Block, Reads, Receipt } from "./reads.js"

/** The largest interval between polls, as a multiple of the configured interval. */
const slowest = 15
/** The number of block times after which a block is read even if none was announced. The longest time is used. */
const safetyBlocks = 3
/** How many announcements in a row may be wrong, and how many may follow one another without a read. */
const mostWrong = 8
const mostAnnouncements = 1_000
/** How many of the latest blocks are used to estimate the block time. The shortest time is used. */
const samples = 4
/** How many of the blocks that were seen are remembered. There is at most one per second, so this is half an hour. */
const mostSeen = 1_800
/** The maximum number of values, and of receipts. */
export const capacity = 20_000

/** The height of a block and its time, in Unix seconds. */
type SeenBlock = Pick<Block, "number" | "timestamp">

/** The latest block. Timers change the flags, so that a clock that is set back does not stop the feed. */
interface State {
  readonly block: Block
  /** When the block was first seen, and when it was last read. */
  readonly seenAt: number
  readonly readAt: number
  /** Whether the block was read less than a poll interval ago. */
  isRecent: boolean
  /** Whether the next block is due. */
  isDue: boolean
  /** Whether the next block is due even if it was not announced. */
  isOverdue: boolean
  /** How many other blocks were announced since the block was read. */
  announcements: number
  /** When the next block is due, and the longest time to wait for it. */
  dueAt: number
  readonly dueMillis: number
  /** The longest time to wait for an announcement. */
  readonly safetyMillis: number
}

/**
 * Creates a node's feed. If there is a subscription to the node's new blocks, watching transactions reads a block when
 * it is announced instead of polling. A wrong announcement costs at most one read per poll interval. A missing
 * announcement delays the next block by at most a few block times.
 */
export const make = ({ blockAt }: Pick<Reads, "blockAt">, pollMillis: number, newHeads?: NewHeads) => {
  let state: State | undefined
  const share = SingleFlight.make<Block, ChainUnavailable>()
  let blockMillis: ReadonlyArray<number> = []
  let values: WarmReads.WarmReads<unknown, ChainUnavailable> | undefined
  let wrong = 0
  let changed = Deferred.makeUnsafe<void>()
  const receipts = new Map<string, Receipt>()
  const waiting = new Map<string, bigint>()
  /** The blocks that were seen, in their order, and at most one per second: the newest one. */
  let seen: ReadonlyArray<SeenBlock> = []

  /** Whether the new block follows the known block. A gap is checked only if a receipt depends on the result. */
  const follows = Effect.fnUntraced(function* (known: Block, next: Block) {
    if (next.number === known.number + 1n && next.parentHash !== undefined) return next.parentHash === known.hash
    if (next.number <= known.number) return false
    if (receipts.size === 0) return true
    const same = Effect.map(blockAt(known.number), ({ hash }) => hash === known.hash)
    // If the block cannot be read, the receipts are read again.
    return yield* Effect.orElseSucceed(same, () => false)
  })

  const after = (millis: number, run: () => void) =>
    Effect.forkDetach(Effect.andThen(Effect.sleep(millis), Effect.sync(run)))

  /** Whether the latest announced block is the latest block that was read, so that the next one will be announced. */
  const isAnnounced = ({ block }: State) => newHeads?.latest() === block.hash

  const isStale = (current: State) => {
    if (current.announcements > 0) return !current.isRecent
    return isAnnounced(current) ? current.isOverdue : current.isDue
  }

  /** Ends all pauses, so that waiting callers decide again how long to wait. */
  const wake = () => {
    const before = changed
    changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(before, Effect.void)
  }

  newHeads?.listen(() => {
    const current = state
    if (current === undefined || isAnnounced(current)) return
    if (newHeads.latest() === undefined) return wake()
    current.announcements += 1
    if (current.announcements > mostAnnouncements) return newHeads.distrust("unreadable")
    if (current.announcements > 1) return
    current.dueAt = Math.min(current.dueAt, current.readAt + pollMillis)
    wake()
  })

  /** Ends the subscription if it does not match the blocks that the node returns. */
  const compare = (before: State, next: Block) => {
    if (newHeads?.latest() === undefined) return
    if (newHeads.latest() === next.hash) newHeads.trust()
    const isSame = before.block.hash === next.hash
    wrong = isSame && before.announcements > 0 ? wrong + 1 : 0
    if (wrong >= mostWrong) newHeads.distrust("unreadable")
    // The block is new, it was not announced, and it is late.
    if (!isSame && before.isOverdue && isAnnounced(before)) newHeads.distrust("timeout")
  }

  const become = Effect.fnUntraced(function* (block: Block, readAt: number, seenAt: number, dueMillis: number) {
    const longest = Math.min(Math.max(pollMillis, ...blockMillis), slowest * pollMillis)
    const safetyMillis = safetyBlocks * longest
    const dueAt = readAt + dueMillis
    const flags = { isRecent: true, isDue: false, isOverdue: false, announcements: 0 }
    const next: State = { block, seenAt, readAt, ...flags, dueAt, dueMillis, safetyMillis }
    if (state !== undefined) compare(state, block)
    state = next
    yield* after(pollMillis, () => void (next.isRecent = false))
    yield* after(dueMillis, () => void (next.isDue = true))
    if (newHeads !== undefined) yield* after(safetyMillis, () => void (next.isOverdue = true))
    return block
  })

  /** The estimated time between blocks. 0 if it is not known yet. */
  const blockTime = () => (blockMillis.length < samples ? 0 : Math.min(...blockMillis, slowest * pollMillis))

  const see = (block: SeenBlock) => {
    const others = seen.filter(({ timestamp }) => timestamp !== block.timestamp)
    seen = [...others, block].toSorted((a, b) => a.timestamp - b.timestamp).slice(-mostSeen)
  }

  const read = Effect.gen(function* () {
    const block = yield* blockAt("latest")
    const readAt = yield* Clock.currentTimeMillis
    if (state?.block.hash === block.hash) return yield* become(block, readAt, state.seenAt, pollMillis)
    if (state !== undefined) {
      if (!(yield* follows(state.block, block))) {
        receipts.clear()
        seen = []
      }
      const blocks = Number(block.number - state.block.number)
      if (blocks > 0) blockMillis = [...blockMillis, (readAt - state.seenAt) / blocks].slice(-samples)
    }
    values = undefined
    see(block)
    return yield* become(block, readAt, readAt, Math.max(pollMillis, blockTime()))
  })

  /** Reads the latest block. Concurrent callers share one read, which continues if one of them is interrupted. */
  const refresh = share("head", read)

  const known = (): Block | undefined => (state?.isRecent === true ? state.block : undefined)
  const recent = Effect.suspend(() => {
    const block = known()
    return block === undefined ? refresh : Effect.succeed(block)
  })
  const head = Effect.suspend(() => (state !== undefined && !isStale(state) ? Effect.succeed(state.block) : refresh))

  /** Waits. Returns early, with `true`, if an announcement or the end of the subscription changes when a block is due. */
  const pause = (millis: number) =>
    newHeads === undefined
      ? Effect.as(Effect.sleep(millis), false)
      : Effect.map(Effect.timeoutOption(Deferred.await(changed), millis), Option.isSome)

  const nextHead = Effect.gen(function* () {
    if (newHeads !== undefined) yield* newHeads.use
    const known = state?.block.hash
    for (;;) {
      const before = state
      const now = yield* Clock.currentTimeMillis
      const announced = before !== undefined && isAnnounced(before)
      const [at, atMost] =
        before === undefined
          ? [now + pollMillis, pollMillis]
          : announced
            ? [before.readAt + before.safetyMillis, before.safetyMillis]
            : [before.dueAt, before.dueMillis]
      const isChanged = yield* pause(Math.max(Math.min(at - now, atMost), 1))
      // The block was announced after it was read, so the next one will be announced too.
      const isCalm = !announced && before !== undefined && isAnnounced(before) && !before.isOverdue
      if (state === before && (isChanged || isCalm)) continue
      // Unless the block was read in the meantime, the next one is due now.
      const exit = yield* Effect.exit(state === before ? refresh : head)
      if (Exit.isFailure(exit) || exit.value.hash !== known) return
    }
  })

  const perHead = <A>(key: string, value: Effect.Effect<A, ChainUnavailable>) =>
    Effect.flatMap(Clock.Clock, (clock) => {
      values ??= WarmReads.make(clock, { capacity, ttlMillis: slowest * pollMillis })
      return values(key, () => value) as typeof value
    })

  return {
    /** The latest block if it was read less than a poll interval ago. */
    known,
    /** The latest block, read again if it was read more than a poll interval ago. */
    recent,
    /** The latest block, read now. */
    refresh,
    /**
     * The latest block, read again if the next block is due. The interval follows the chain's block time. If the node
     * announces its blocks, the next block is due when it is announced, or when none was announced for a while.
     */
    head,
    /** Waits for the next block. Returns early if the node does not respond. */
    nextHead,
    /** Expects the next block within a poll interval, because a transaction was sent. */
    expectHead: Effect.suspend(() => {
      const current = state
      if (current === undefined) return Effect.void
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        current.dueAt = Math.min(current.dueAt, now + pollMillis)
        return Effect.asVoid(after(pollMillis, () => void (current.isDue = true)))
      })
    }),
    /**
     * Returns a value that was read since the latest block became known, or reads it. Concurrent readers share one read.
     * A value is read again if no block arrives for a while.
     */
    perHead,
    /** Remembers a block, until a block is replaced. */
    see,
    /** The newest block that was seen and is not after a time, in Unix seconds. */
    seenBefore: (time: number) => seen.findLast(({ timestamp }) => timestamp <= time)?.number,
    /** The receipts that the node has returned for pending transactions. They are dropped if blocks are replaced. */
    receipts,
    /** The transactions that were not in a block yet, and the latest block at that time. */
    waiting
  }
}

export type Feed = ReturnType<typeof make>

/** Forgets a transaction. */
export const forget = ({ receipts, waiting }: Feed, hash: string) => {
  receipts.delete(hash)
  waiting.delete(hash)
}
