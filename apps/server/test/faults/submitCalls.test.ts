/** The calls to nodes of one submit, until the store decides. They must not grow with what is checked. */
import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { expect } from "vitest"
import { build, call, ended, ok, requestOf, submissionOf } from "../money/payments/client.js"
import { amount, approve, payer, tokenOf } from "../money/payments/wallets.js"
import { gateAt } from "../stack/checkpointGate.js"
import { countedChains, difference, minedDevnetLayer } from "../stack/countedNodes.js"
import * as evm from "../stack/evm.js"
import { eachChain, elapse, timeout } from "../stack/fixture.js"
import { serve } from "../stack/stack.js"

const pollMillis = 200

/**
 * Waits until no check of the nodes is due soon. At each full minute, the server compares the nodes of each chain, which
 * takes calls that do not belong to a submit.
 */
const quietMinute = async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 20_000) await elapse(left + 5_000)
}

/** The limits of all claims at one block of each chain, and the fees of the origin chain. */
const ofClaims = { "eth_call A": 1, "eth_call B": 1, "eth_feeHistory A": 2 }
/** The simulation of the delivery, and what its relayer has. */
const ofDelivery = { "eth_estimateGas B": 1, "eth_feeHistory B": 2, "eth_getBalance B": 1 }

describe("a submit", () => {
  layer(minedDevnetLayer(2), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "makes a fixed number of calls to nodes after a new block",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          const { behind, calls: callsByChain } = yield* countedChains(devnet)
          const gate = gateAt("before accepted")
          const running = yield* serve(
            devnet,
            eachChain((chain) => ({ ...chain, pollMillis, ...behind(chain) })),
            { isHurried: false, mark: gate.mark }
          )
          const callsNow = Effect.map(callsByChain, ([a, b]) =>
            Object.fromEntries([
              ...Object.entries(a).map(([method, count]) => [`${method} A`, count] as const),
              ...Object.entries(b).map(([method, count]) => [`${method} B`, count] as const)
            ])
          )
          const token = tokenOf(evmA, "USDC")
          const paid = yield* Effect.promise(async () => {
            const account = await payer(devnet)
            await approve(devnet, account, token, 10n * amount)
            return account
          })
          const delegated = yield* Effect.promise(() => evm.newDelegated(devnet, evmA, { USDC: 10n * amount }))
          const spend = Effect.fnUntraced(function* (method: "delegation" | "permit2") {
            const account = method === "permit2" ? paid : delegated
            const request = requestOf(devnet, account.address, token)
            const submission = yield* Effect.promise(async () => {
              const built = ok(await build(running, request, method))
              return submissionOf(account, built)
            })
            yield* Effect.promise(quietMinute)
            yield* Effect.all([evmA.mine(), evmB.mine()])
            yield* Effect.promise(() => elapse(3 * pollMillis))
            yield* Effect.promise(gate.close)
            const before = yield* callsNow
            const answer = call(running, "/swap/submit", submission)
            yield* Effect.promise(gate.reached)
            const calls = difference(yield* callsNow, before)
            yield* Effect.promise(gate.open)
            const { swapId } = ok(yield* Effect.promise(() => answer))
            const over = { reached: false }
            const end = ended(running, swapId).finally(() => (over.reached = true))
            while (!over.reached) {
              yield* Effect.all([evmA.mine(), evmB.mine()])
              yield* Effect.promise(() => elapse(pollMillis))
            }
            expect((yield* Effect.promise(() => end)).status).toBe("settled")
            return Object.fromEntries(Object.entries(calls).filter(([name]) => !name.startsWith("heads")))
          })
          // The first swap also reads what later ones share. Both nodes of a chain are asked for its fees.
          yield* spend("delegation")
          expect(yield* spend("delegation")).toEqual({ ...ofClaims, ...ofDelivery, "eth_getCode A": 1 })
          const simulation = { "eth_estimateGas A": 1, "eth_getBalance A": 1, "eth_getTransactionCount A": 1 }
          expect(yield* spend("permit2")).toEqual({ ...ofClaims, ...ofDelivery, ...simulation, "eth_getCode A": 1 })
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
      timeout
    )
  })
})
