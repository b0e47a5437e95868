/** Payments whose server stops, whose transaction is replaced, or whose deadline passes. */
import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { make, play, separately, timeout, until } from "../../stack/fixture.js"
import { expectNothingLeft } from "../../stack/outcome.js"
import { ownDevnetLayer } from "../../stack/stack.js"
import { type Body, build, call, ok, pay, requestOf, submissionOf } from "./client.js"
import { withServers } from "./restart.js"
import { expectFailed, expectSettled, pooled } from "./setup.js"
import { amount, approve, payer, sendElsewhere, tokenOf } from "./wallets.js"

const methods = ["eip3009", "permit2", "erc2612"] as const

/** A sent transaction that is not stored as sent is what a restarted server could send twice. */
const step = "after broadcast collect"

const nothing = async () => ({ props: undefined })
/** Each swap reaches every step in a separate transaction. */
const alone = async () => ({ change: separately, props: undefined })

describe("a payment in progress", () => {
  layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      `is collected exactly once with every method if the server stops ${step}`,
      () =>
        withServers(alone, async (run, devnet) => {
          const token = tokenOf(devnet.evmA, "USDC")
          const swaps: Array<string> = []
          let stopped = 0
          await run(
            async ({ running }) => {
              for (const method of methods) {
                const account = await payer(devnet)
                if (method === "permit2") await approve(devnet, account, token, amount)
                const request = requestOf(devnet, account.address, token)
                const built = ok(await build(running, request, method))
                const submission = await submissionOf(account, built)
                // A submission that is stopped gets no answer, but its swap exists.
                void call(running, "/swap/submit", submission).catch(() => undefined)
              }
              await until(() => stopped >= methods.length)
              swaps.push(...database.swapIdsOf(running.database))
            },
            (name) =>
              name === step
                ? Effect.andThen(
                    Effect.sync(() => (stopped += 1)),
                    Effect.never
                  )
                : Effect.void
          )
          expect(swaps).toHaveLength(methods.length)
          await run(async (setup) => {
            for (const swapId of swaps) await expectSettled(setup, swapId)
            await expectNothingLeft(setup)
          })
        }),
      timeout
    )

    it.effect(
      "is found if a transaction that the database does not know has collected it",
      () =>
        play(nothing, async (setup) => {
          const { devnet, nodes, running } = setup
          const token = tokenOf(devnet.evmA, "USDC")
          const swaps: Array<string> = []
          for (const method of methods) {
            const account = await payer(devnet)
            if (method === "permit2") await approve(devnet, account, token, amount)
            const built = ok(await build(running, requestOf(devnet, account.address, token), method))
            const submission = await submissionOf(account, built)
            // The service's transactions do not reach the chain. The relayer's key collects in another way.
            await make(nodes.evmA.set("eth_sendRawTransaction", Proxy.rpcError(-32000, "not now")))
            const { swapId } = ok(await call(running, "/swap/submit", submission))
            swaps.push(swapId)
            const [attempt] = await until(() => {
              const attempts = database.attemptsOf(running.database, swapId, "collect")
              return attempts.length > 0 && attempts
            })
            if (attempt === undefined) return expect.unreachable()
            const hash = await sendElsewhere(devnet, attempt.raw)
            await make(nodes.evmA.clear("eth_sendRawTransaction"))
            expect((await expectSettled(setup, swapId)).originTxHash).toBe(hash)
          }
          expect(new Set(swaps).size).toBe(methods.length)
        }),
      timeout
    )

    // The last test: the chain's clock stays ahead of the service's.
    it.effect(
      "fails after its deadline without moving funds, with every method",
      () =>
        play(alone, async (setup) => {
          const { devnet, running } = setup
          const token = tokenOf(devnet.evmA, "USDC")
          const accounts = [await payer(devnet), await payer(devnet), await payer(devnet)]
          await approve(devnet, accounts[1] as NonNullable<(typeof accounts)[1]>, token, amount)
          await make(devnet.evmA.hold)
          const swaps: Array<Body> = []
          for (const [index, account] of accounts.entries()) {
            const request = requestOf(devnet, account.address, token)
            swaps.push(ok(await pay(running, account, request, methods[index] ?? "")))
          }
          await pooled(setup)
          await until(async () => {
            const relayer = evm.operator(devnet, "relayer").address
            return (await evm.poolOf(devnet.evmA, relayer)).length === methods.length
          })
          await make(devnet.evmA.setTime(Math.floor(Date.now() / 1000) + 600))
          await make(devnet.evmA.release)
          for (const { swapId } of swaps) {
            await expectFailed(setup, swapId, "OPERATION_EXPIRED")
          }
          // A payment that was sent too late is lost gas, but not a strike.
          expect(database.lossesOf(running.database)).toEqual({ lost: methods.length, strikes: 0 })
          await expectNothingLeft(setup)
        }),
      timeout
    )
  })
})
