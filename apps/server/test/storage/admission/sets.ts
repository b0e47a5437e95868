/**
 * Random sets of accepted swaps, executed in any order against a model of the chains. If wallets do nothing else, every
 * collection, every delivery and every refund must be possible whenever its turn comes.
 */
import type { ChainError, Chains, Claim, Store, StoreError, SwapRecord } from "@geoswap/service"
import { type Change, Claims, StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import type { SeededRandom } from "../../../../../tooling/testing/seededRandom.js"
import { make, mostCost, names, tokens, vault, wallets, type World } from "./world.js"

const { anyBlock, claimsOf, notBefore } = Claims
const { bytes, order } = StoreFixture

/** What was not possible, although it was accepted. */
export class Unpayable extends Error {
  override readonly name = "Unpayable"
}

export interface Outcome {
  readonly accepted: number
  /** Why swaps were refused: the kinds of the claims. */
  readonly refused: ReadonlyArray<string>
}

type StepError = ChainError.ChainUnavailable | StoreError.Conflict | StoreError.StoreUnavailable

interface Running {
  readonly record: SwapRecord.SwapRecord
  readonly origin: World
  readonly destination: World
  /** What each of its transactions costs the relayer. */
  readonly gasCost: bigint
  /** The block of a transaction that the store does not know to be final. */
  readonly block?: bigint
}

const owner = "worker"
const methods: ReadonlyArray<SwapRecord.CollectMethod> = ["message", "message", "permit2", "permit2", "erc2612"]

const swapOf = (
  id: string,
  number: number,
  worlds: readonly [World, World],
  random: SeededRandom
): SwapRecord.Accepted => {
  const [from, to] = random.shuffle(worlds)
  if (from === undefined || to === undefined) throw new TypeError("There are two worlds.")
  const method = random.pick(methods)
  const swap = order(number)
  return {
    ...swap,
    id,
    orderId: `${id}-order`,
    operationHash: bytes(number),
    originChain: from.chain.id,
    destinationChain: to.chain.id,
    inputToken: random.pick(tokens),
    outputToken: random.pick(tokens),
    wallet: random.pick(wallets),
    amount: 1n + BigInt(random.below(20)),
    output: 1n + BigInt(random.below(20)),
    operation: {
      _tag: "evm",
      delegate: "0x0",
      deadline: 2_000_000_000,
      signature: "0x",
      nonce: method === "message" ? `${number}` : `permit2:${number}`,
      vault,
      method
    }
  }
}

/** Moves a swap's money in a block, if all amounts are there. The relayer pays for the transaction. */
const move = (
  what: string,
  { gasCost, record }: Running,
  world: World,
  money: Readonly<Record<string, bigint>>
): bigint => {
  const changes = { ...money, [names.gas]: -gasCost }
  for (const [name, change] of Object.entries(changes)) {
    if (world.amount(name) + change < 0n) {
      throw new Unpayable(`${record.id}: the ${what} needs ${-change} of ${name}, and there is ${world.amount(name)}.`)
    }
  }
  return world.mine(changes)
}

const collect = (running: Running): bigint => {
  const { amount, inputToken, operation, wallet } = running.record
  const method = operation._tag === "evm" ? operation.method : undefined
  const { origin } = running
  const approved = origin.amount(names.allowance(inputToken, wallet))
  return move("collection", running, origin, {
    [names.balance(inputToken, wallet)]: -amount,
    [names.balance(inputToken, vault)]: amount,
    ...(method === "permit2" && { [names.allowance(inputToken, wallet)]: -amount }),
    // The permit sets the allowance to the amount, and the payment uses it.
    ...(method === "erc2612" && { [names.allowance(inputToken, wallet)]: -approved })
  })
}

const deliver = (running: Running): bigint => {
  const { output, outputToken } = running.record
  return move("delivery", running, running.destination, {
    [names.balance(outputToken, vault)]: -output,
    [names.deliverable(outputToken)]: -output
  })
}

const refund = (running: Running): bigint => {
  const { amount, inputToken, wallet } = running.record
  return move("refund", running, running.origin, {
    [names.balance(inputToken, vault)]: -amount,
    [names.balance(inputToken, wallet)]: amount,
    [names.refundable(inputToken)]: -amount
  })
}

/** Runs one set. `change` can drop claims, to show that the others do not cover for them. */
export const runSet = Effect.fnUntraced(function* (
  store: Store.Store,
  name: string,
  first: number,
  random: SeededRandom,
  change: (claims: ReadonlyArray<Claim.Claim>) => ReadonlyArray<Claim.Claim> = (claims) => claims
): Effect.fn.Return<Outcome, StepError> {
  // Sets that share a database use different chains.
  const worlds = [make(2 * first + 1, random), make(2 * first + 2, random)] as const
  const running = new Map<string, Running>()
  const refused: Array<string> = []
  let accepted = 0

  const submit = Effect.fnUntraced(function* (number: number) {
    const swap = swapOf(`${name}-${number}`, number, worlds, random)
    const [origin, destination] = swap.originChain === worlds[0].chain.id ? worlds : [worlds[1], worlds[0]]
    const execution = {
      swap,
      origin: origin.chain,
      destination: destination.chain,
      relayersOf: ({ relayers }: Chains.Chain) => Effect.succeed(relayers)
    }
    let oldest = anyBlock
    for (let round = 0; round < 5; round++) {
      const result = yield* store.accept(swap, { claims: change(yield* claimsOf(execution, oldest)) })
      if (result._tag === "Outdated") {
        oldest = notBefore(result.since)
        continue
      }
      if (result._tag === "Exceeded") refused.push(result.claim.kind)
      if (result._tag !== "Inserted") return
      accepted += 1
      const [record] = yield* store.claim({ owner, leaseMillis: 600_000, limit: 1 })
      if (record === undefined) return yield* Effect.die(new Error("The swap was not claimed."))
      const gasCost = 1n + BigInt(random.below(Number(mostCost)))
      running.set(record.id, { record, origin, destination, gasCost })
      return
    }
  })

  const write = Effect.fnUntraced(function* (one: Running, over: Pick<Change, "to"> & Partial<Change>) {
    const { block: _block, ...rest } = one
    return { ...rest, record: yield* store.change({ swap: one.record, owner, detail: over.to, ...over }) }
  })

  /** One step of a swap: something happens on a chain, or the store learns what has happened. */
  const step = Effect.fnUntraced(function* (one: Running): Effect.fn.Return<Running | undefined, StepError> {
    const { block, record } = one
    switch (record.state) {
      case "accepted":
      case "origin_sent": {
        if (block === undefined) {
          if (random.below(8) === 0) {
            yield* write(one, { to: "failed" })
            return undefined
          }
          return { ...one, block: collect(one) }
        }
        if (record.originBlock === undefined && random.below(2) === 0) {
          return { ...(yield* write(one, { to: "origin_sent", originBlock: block })), block }
        }
        return yield* write(one, { to: "origin_final", block })
      }
      case "origin_final": {
        if (block !== undefined) {
          yield* write(one, { to: "settled", block })
          return undefined
        }
        return random.below(3) === 0 ? yield* write(one, { to: "refund_prepared" }) : { ...one, block: deliver(one) }
      }
      default: {
        if (block === undefined) return { ...one, block: refund(one) }
        yield* write(one, { to: "refunded", block })
        return undefined
      }
    }
  })

  const stepAny = Effect.fnUntraced(function* () {
    const one = random.pick([...running.values()])
    const next = yield* step(one)
    if (next === undefined) running.delete(one.record.id)
    else running.set(one.record.id, next)
  })

  const swaps = 4 + random.below(12)
  for (let number = 0; number < swaps; number++) {
    yield* submit(first * 100 + number)
    for (let steps = random.below(4); steps > 0 && running.size > 0; steps--) yield* stepAny()
  }
  while (running.size > 0) yield* stepAny()
  return { accepted, refused }
})
