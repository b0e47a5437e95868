import { layer } from "@effect/vitest"
import { describe, expect, vi } from "vitest"
import * as evm from "../stack/evm.js"
import { type Ended, expectClosed, expectEnd, expectPaid } from "./invariants.js"
import {
  type Answer,
  clientOn,
  newPayers,
  type Route,
  type Signed,
  signOn,
  submitOn,
  type Wish
} from "./mixedVersionSwap.js"
import { keepInEveryState, letGo, releaseChains, stateOf } from "./pausedSwaps.js"
import { layer as fixture, play } from "./fixture.js"

/** A server of another commit is built, and chains and a database are started. */
vi.setConfig({ hookTimeout: 600_000 })

const timeout = 900_000

/** The maximum number of database connections of a server. */
const connections = 10

const toSecondChain = { origin: "evmA", destination: "evmB" } as const

describe("rolling upgrade", () => {
  layer(fixture, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "finishes swaps of the previous version in every state beside its servers",
      () =>
        play(async (setup) => {
          const payers = await newPayers(setup)
          const previous = await setup.serve("previous")
          const kept = await keepInEveryState(setup, previous, payers)
          for (const swap of kept) expect(await stateOf(setup, swap)).toBe(swap.state)
          const current = await setup.serve("current")
          await letGo(setup)
          await releaseChains(setup)
          const ended: Array<Ended> = []
          for (const submitted of kept) {
            const swap = await expectEnd(setup, [current, previous], submitted, submitted.end)
            ended.push({ submitted, swap })
          }
          await expectClosed(setup)
          await expectPaid(setup, payers, ended)
        }),
      timeout
    )

    it.effect(
      "serves flows whose calls go to servers of both versions",
      () =>
        play(async (setup) => {
          const { evmA } = setup.devnet
          const payers = await newPayers(setup)
          const previous = await setup.serve("previous")
          const current = await setup.serve("current")
          const routes: ReadonlyArray<Route> = [
            { quote: previous, build: current, submit: previous, status: current },
            { quote: current, build: previous, submit: current, status: previous }
          ]
          for (const route of routes) {
            const answers: Array<Answer> = []
            const client = await clientOn(setup, route, (answer) => answers.push(answer))
            // Its authorization is sent with the operation.
            const { account: payer } = await evm.newWallet(setup.devnet, evmA, { USDC: 100n * 10n ** 6n })
            const wishes: ReadonlyArray<Wish> = [
              { ...toSecondChain, payer },
              { origin: "evmA", destination: "solana" },
              { origin: "solana", destination: "evmB" }
            ]
            for (const wish of wishes) {
              const submitted = await submitOn(client, await signOn(setup, client, payers, wish))
              const others = await clientOn(setup, { status: route.submit === previous ? current : previous })
              expect((await submitOn(others, submitted)).swapId).toBe(submitted.swapId)
              await expectEnd(setup, [current, previous], submitted, "settled")
            }
            expect(answers.filter(({ status }) => status !== 200)).toEqual([])
          }
          await expectClosed(setup)
        }),
      timeout
    )

    it.effect(
      "lets a running server of the previous version answer all requests during the migration",
      () =>
        play(async (setup) => {
          const payers = await newPayers(setup)
          const previous = await setup.serve("previous")
          const answers: Array<Answer> = []
          const client = await clientOn(setup, { status: previous }, (answer) => answers.push(answer))
          const signAll = () =>
            Promise.all(Array.from({ length: connections + 2 }, () => signOn(setup, client, payers, toSecondChain)))
          const submitAll = (signed: ReadonlyArray<Signed>) => Promise.all(signed.map((each) => submitOn(client, each)))
          // Concurrently, so that every connection to the database has its statements prepared.
          const before = await submitAll(await signAll())
          for (const swap of before) await expectEnd(setup, [previous], swap, "settled")
          const signed = await signAll()
          await setup.serve("current")
          const [after] = await Promise.all([
            submitAll(signed),
            Promise.all(before.map(({ swapId }) => client.status(swapId)))
          ])
          expect(answers.filter(({ status }) => status !== 200)).toEqual([])
          for (const swap of after) await expectEnd(setup, [previous], swap, "settled")
          await expectClosed(setup)
        }),
      timeout
    )
  })
})
