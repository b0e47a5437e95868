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
import { layer as world, play } from "./fixture.js"

/** A server of another commit is built, and chains and a database are started. */
vi.setConfig({ hookTimeout: 600_000 })

const timeout = 900_000

/** The maximum number of database connections of a server. */
const connections = 10

const toSecondChain = { origin: "evmA", destination: "evmB" } as const

describe("rolling upgrade", () => {
  layer(world, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "finishes swaps of the previous version in every state beside its servers",
      () =>
        play(async (scene) => {
          const payers = await newPayers(scene)
          const previous = await scene.serve("previous")
          const kept = await keepInEveryState(scene, previous, payers)
          for (const swap of kept) expect(await stateOf(scene, swap)).toBe(swap.state)
          const current = await scene.serve("current")
          await letGo(scene)
          await releaseChains(scene)
          const ended: Array<Ended> = []
          for (const submitted of kept) {
            const swap = await expectEnd(scene, [current, previous], submitted, submitted.end)
            ended.push({ submitted, swap })
          }
          await expectClosed(scene)
          await expectPaid(scene, payers, ended)
        }),
      timeout
    )

    it.effect(
      "serves flows whose calls go to servers of both versions",
      () =>
        play(async (scene) => {
          const { evmA } = scene.devnet
          const payers = await newPayers(scene)
          const previous = await scene.serve("previous")
          const current = await scene.serve("current")
          const routes: ReadonlyArray<Route> = [
            { quote: previous, build: current, submit: previous, status: current },
            { quote: current, build: previous, submit: current, status: previous }
          ]
          for (const route of routes) {
            const answers: Array<Answer> = []
            const client = await clientOn(scene, route, (answer) => answers.push(answer))
            // Its authorization is sent with the operation.
            const { account: payer } = await evm.newWallet(scene.devnet, evmA, { USDC: 100n * 10n ** 6n })
            const wishes: ReadonlyArray<Wish> = [
              { ...toSecondChain, payer },
              { origin: "evmA", destination: "solana" },
              { origin: "solana", destination: "evmB" }
            ]
            for (const wish of wishes) {
              const submitted = await submitOn(client, await signOn(scene, client, payers, wish))
              const others = await clientOn(scene, { status: route.submit === previous ? current : previous })
              expect((await submitOn(others, submitted)).swapId).toBe(submitted.swapId)
              await expectEnd(scene, [current, previous], submitted, "settled")
            }
            expect(answers.filter(({ status }) => status !== 200)).toEqual([])
          }
          await expectClosed(scene)
        }),
      timeout
    )

    it.effect(
      "lets a running server of the previous version answer all requests during the migration",
      () =>
        play(async (scene) => {
          const payers = await newPayers(scene)
          const previous = await scene.serve("previous")
          const answers: Array<Answer> = []
          const client = await clientOn(scene, { status: previous }, (answer) => answers.push(answer))
          const signAll = () =>
            Promise.all(Array.from({ length: connections + 2 }, () => signOn(scene, client, payers, toSecondChain)))
          const submitAll = (signed: ReadonlyArray<Signed>) => Promise.all(signed.map((each) => submitOn(client, each)))
          // Concurrently, so that every connection to the database has its statements prepared.
          const before = await submitAll(await signAll())
          for (const swap of before) await expectEnd(scene, [previous], swap, "settled")
          const signed = await signAll()
          await scene.serve("current")
          const [after] = await Promise.all([
            submitAll(signed),
            Promise.all(before.map(({ swapId }) => client.status(swapId)))
          ])
          expect(answers.filter(({ status }) => status !== 200)).toEqual([])
          for (const swap of after) await expectEnd(scene, [previous], swap, "settled")
          await expectClosed(scene)
        }),
      timeout
    )
  })
})
