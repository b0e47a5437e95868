/** Part of the store contract: only accepted swaps and used indices move a wallet to the next word of its bitmap. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { NonceSpace } from "../../store/acceptance/NonceWord.js"
import type { Store } from "../../store/Store.js"
import { holds, matches } from "../contractAssertions.js"
import { accept, aMinute, me, plenty, to, wallet } from "./fixture.js"
import { allBut, withIndex } from "./operationIndices.js"
import { type Case, group, property } from "./storeCase.js"

const chainId = 31_337

const below = (end: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: end - 1 }))

/** Something that happens to the wallet. `which` selects an index that was handed out, or a swap. */
const Action = Schema.Struct({
  kind: Schema.Literals(["take", "take from a node that is behind", "accept", "fail", "use"]),
  which: below(1_000)
})

/**
 * The indices that are free at first in a word: few, so that words become full, and often at an end of the word, where
 * the turn starts again.
 */
const Free = Schema.Array(Schema.Union([Schema.Literals([0, 1, 253, 254, 255]), below(256)])).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(4)
)

const Life = Schema.Struct({
  space: Schema.Literals(["account", "permit2"]),
  words: Schema.Tuple([Free, Free, Free]),
  /** The actions in a round happen at the same time. */
  rounds: Schema.Array(Schema.Array(Action).check(Schema.isMinLength(1), Schema.isMaxLength(8))).check(
    Schema.isMinLength(5),
    Schema.isMaxLength(12)
  )
})

/** A wallet and what happened to it. */
interface World {
  readonly store: Store
  readonly space: NonceSpace
  /** The words of the bitmap, at first and now. All later words are empty. */
  readonly first: ReadonlyArray<bigint>
  readonly words: Array<bigint>
  /** The indices that have been handed out. */
  readonly handedOut: Array<bigint>
  /** The indices that a swap has had at any time. */
  readonly accepted: Set<bigint>
  /** The swaps that have not failed, by index. */
  readonly swaps: Map<bigint, string>
}

/** Whether an index has been used on the chain, or has been a swap's. */
const isJustified = ({ accepted, words }: World, index: bigint): boolean =>
  accepted.has(index) || (((words[Number(index >> 8n)] ?? 0n) >> (index & 0xffn)) & 1n) === 1n

/** Builds: takes an index as a build does. */
const build = Effect.fnUntraced(function* (world: World, words: ReadonlyArray<bigint>) {
  const { handedOut, space, store, swaps } = world
  let word = yield* store.operationWord(chainId, wallet, space)
  for (;;) {
    const heldBefore = new Map(swaps)
    const used = words[Number(word)] ?? 0n
    const taking = yield* store.takeOperationNonce(chainId, wallet, { word, used }, space)
    if (taking._tag === "Taken") {
      const { index } = taking
      handedOut.push(index)
      holds(index >> 8n === word && ((used >> (index & 0xffn)) & 1n) === 0n, `expected ${index} to be free in ${word}.`)
      const holder = heldBefore.get(index)
      const isHeld = holder !== undefined && swaps.get(index) === holder
      holds(!isHeld, `expected ${index} not to be handed out, because a swap has it.`)
      return index
    }
    word = taking.word
  }
})

const perform = Effect.fnUntraced(function* (world: World, { kind, which }: typeof Action.Type, number: number) {
  const { accepted, first, handedOut, space, store, swaps, words } = world
  const index = handedOut[which % Math.max(1, handedOut.length)]
  switch (kind) {
    case "take":
      return yield* build(world, words)
    case "take from a node that is behind":
      return yield* build(world, first)
    case "accept": {
      if (index === undefined) return undefined
      const met = yield* accept(store, withIndex(number, index, space), plenty)
      if (met._tag !== "Inserted") return matches(met, { _tag: "NonceUsed" })
      accepted.add(index)
      swaps.set(index, met.swap.id)
      return undefined
    }
    case "fail": {
      const [held, id] = [...swaps][which % Math.max(1, swaps.size)] ?? []
      if (held === undefined || id === undefined) return undefined
      swaps.delete(held)
      const claimed = yield* store.claimOne({ id, owner: me, leaseMillis: aMinute })
      if (claimed._tag === "Some") yield* store.change(to(claimed.value, "failed"))
      return undefined
    }
    case "use": {
      const word = index === undefined ? undefined : Number(index >> 8n)
      if (index !== undefined && word !== undefined) words[word] = (words[word] ?? 0n) | (1n << (index & 0xffn))
      return undefined
    }
  }
})

export const operationWordsCases: ReadonlyArray<Case> = group("operation indices", [
  property("never leave a word that accepted swaps have not filled", Life, (store, { rounds, space, words }) =>
    Effect.gen(function* () {
      const first = words.map((free) => allBut(...free.map(BigInt)))
      const world: World = {
        store,
        space,
        first,
        words: [...first],
        handedOut: [],
        accepted: new Set(),
        swaps: new Map()
      }
      for (const [round, actions] of rounds.entries()) {
        yield* Effect.forEach(actions, (action, at) => perform(world, action, round * 10 + at), {
          concurrency: "unbounded"
        })
        const word = yield* store.operationWord(chainId, wallet, space)
        for (let index = 0n; index < word << 8n; index++) {
          holds(isJustified(world, index), `expected the word not to be ${word} while ${index} has not been used.`)
        }
      }
    })
  )
])
