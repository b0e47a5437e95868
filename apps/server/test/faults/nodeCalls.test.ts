import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type { PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import { type Calls, countedChains, difference, minedDevnetLayer } from "../stack/countedNodes.js"
import * as evm from "../stack/evm.js"
import { eachChain, elapse, make, startSwap, timeout } from "../stack/fixture.js"
import { type Running, serve } from "../stack/stack.js"

const usdc = 1_000_000n

/** The time between blocks and between polls. */
const paceMillis = 400

const total = (calls: Calls): number => Object.values(calls).reduce((sum, count) => sum + count, 0)

/** Mines a block on both chains at a steady pace until the swaps have ended. Returns the number of blocks. */
const mineUntil = async ({ evmA, evmB }: Devnet.Devnet, ended: Promise<unknown>): Promise<number> => {
  const end = { reached: false }
  const over = ended.finally(() => (end.reached = true))
  let blocks = 0
  for (; !end.reached; blocks++) {
    await Promise.all([make(evmA.mine()), make(evmB.mine())])
    await elapse(paceMillis)
  }
  await over
  return blocks
}

/** Runs swaps at once, each from another wallet to another recipient. */
const settle = async (devnet: Devnet.Devnet, running: Running, wallets: ReadonlyArray<PrivateKeyAccount>) => {
  const started = await Promise.all(wallets.map((wallet) => startSwap({ devnet, running }, wallet)))
  const ended = Promise.all(started.map((one) => one.ended))
  const blocks = await mineUntil(devnet, ended)
  for (const { status } of await ended) expect(status).toBe("settled")
  return blocks
}

describe("calls to nodes", () => {
  layer(minedDevnetLayer(12), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "stay within the budget of a swap, with two nodes per chain and ten swaps at once",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          const { behind, calls: callsByChain } = yield* countedChains(devnet)
          const wallets = yield* Effect.promise(async () => {
            const made: Array<PrivateKeyAccount> = []
            for (let n = 0; n < 12; n++) made.push(await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc }))
            return made
          })
          yield* evmA.hold
          yield* evmB.hold
          const running = yield* serve(
            devnet,
            eachChain((chain) => ({
              ...chain,
              pollMillis: paceMillis,
              ...(chain.kind === "evm" && { finality: [{ after: { blocks: 12 } }] as const }),
              ...behind(chain)
            })),
            // The number of calls depends on the pauses between them.
            { isHurried: false }
          )
          const callsNow = Effect.map(callsByChain, ([a, b]): Calls => {
            const sum: Record<string, number> = { ...a }
            for (const [method, count] of Object.entries(b)) sum[method] = (sum[method] ?? 0) + count
            return sum
          })
          const spend = Effect.fnUntraced(function* (payers: ReadonlyArray<PrivateKeyAccount>) {
            const before = yield* callsNow
            const blocks = yield* Effect.promise(() => settle(devnet, running, payers))
            const { heads = 0, ...calls } = difference(yield* callsNow, before)
            return { blocks, heads, calls }
          })
          // The first swap also reads what later ones share.
          yield* spend(wallets.slice(0, 1))
          const one = yield* spend(wallets.slice(1, 2))
          const ten = yield* spend(wallets.slice(2, 12))
          // Every call beside the heads, and how they grow with the number of swaps.
          expect(total(one.calls)).toBeLessThanOrEqual(75)
          const further = (total(ten.calls) - total(one.calls)) / 9
          expect(further).toBeLessThanOrEqual(15)
          // On a slow machine, more polls find no new block, but their number does not depend on the number of swaps.
          expect(ten.heads / ten.blocks).toBeLessThanOrEqual(2 * (one.heads / one.blocks) + 1)
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
      timeout
    )
  })
})
