import { layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, vi } from "vitest"
import { swap } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { elapse, usdcToWeth } from "../../stack/fixture.js"
import { cluster, databaseAt, programs } from "../../stack/postgres/cluster.js"
import { type Workspace, run } from "../../stack/program.js"
import { devnetLayer, environmentFor, fileFor, serve } from "../../stack/stack.js"
import { folder } from "./fixture.js"
import { type Balancer, clientThrough, makeBalancer } from "./loadBalancer.js"

vi.setConfig({ testTimeout: 600_000 })

const usdc = 1_000_000n

/** A server that can be replaced, as in a deployment. Each one reads its secrets when it starts. */
const replica = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  { environment }: Workspace,
  balancer: Balancer,
  index: number
) {
  const database = databaseAt(environment["DATABASE_URL"] ?? "")
  const begin = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { url } = yield* Scope.provide(serve(devnet, undefined, { database, environment }), scope)
    balancer.urls[index] = url
    return { url, scope }
  })
  let running = yield* begin
  yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(running.scope, Exit.void)))
  return {
    url: () => running.url,
    restart: Effect.gen(function* () {
      balancer.urls[index] = undefined
      yield* Scope.close(running.scope, Exit.void)
      running = yield* begin
    })
  }
})

describe.skipIf(programs === undefined)("with PostgreSQL", () => {
  describe("rotation of the sealing key on two servers", () => {
    layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
      it.effect("refuses no flow in progress at any step", () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA } = devnet
          const path = yield* folder
          writeFileSync(join(path, "geoswap.json"), JSON.stringify(fileFor(devnet)))
          const keys = join(path, "seal-keys")
          const { GEOSWAP_SEAL_KEYS: first, ...secrets } = yield* environmentFor(devnet)
          writeFileSync(keys, first, { mode: 0o640 })
          const DATABASE_URL = yield* Effect.promise((yield* cluster).newDatabase)
          const workspace: Workspace = {
            folder: path,
            environment: { ...secrets, DATABASE_URL, GEOSWAP_SEAL_KEYS_FILE: keys }
          }
          const apiKey = (yield* run(workspace, "keys", "create", "--account", "Ada")).stdout.trim()
          const balancer = makeBalancer()
          const replicas = [
            yield* replica(devnet, workspace, balancer, 0),
            yield* replica(devnet, workspace, balancer, 1)
          ]
          const restartAll = Effect.forEach(replicas, ({ restart }) => restart, { discard: true })

          // A wallet that must delegate first gets an error, which is not a refusal of interest here.
          const account = yield* Effect.promise(() => evm.newDelegated(devnet, evmA, { USDC: 10_000n * usdc }))
          const client = yield* Effect.promise(() => clientThrough(balancer, devnet, apiKey, account))
          const flows = { startedFlows: 0, settled: 0, over: false }
          const flowing = (async () => {
            while (!flows.over) {
              flows.startedFlows++
              const { swap: ended } = await swap(client, usdcToWeth(devnet, account.address, evm.newAddress()))
              expect(ended.status).toBe("settled")
              flows.settled++
            }
          })()
          /** Waits until a whole flow has started and finished from here: then no earlier token is in use. */
          const aWholeFlow = Effect.promise(async () => {
            const enough = flows.startedFlows + 1
            // A failed flow ends the loop and the test.
            while (flows.settled < enough) await Promise.race([flowing, elapse(50)])
          })
          const rotate = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
            const { code, stderr, stdout } = yield* run(workspace, "rotate-seal-key", ...args)
            expect([code, stdout]).toEqual([0, ""])
            expect(stderr).toContain(`Updated ${keys}. `)
            expect(statSync(keys).mode & 0o777).toBe(0o640)
            return readFileSync(keys, "utf8").trim().split(",")
          })
          const kidsOf = (from: number) =>
            new Set(balancer.answers.slice(from).flatMap(({ body }) => /"g[qo]1\.(\w+)\./.exec(body)?.[1] ?? []))

          yield* aWholeFlow
          const added = yield* rotate("add")
          expect(added).toEqual([first, expect.stringMatching(/^r[0-9a-f]{8}:[\w-]{43}$/)])
          yield* restartAll
          yield* aWholeFlow
          const [oldKid = "", newKid = ""] = added.map((key) => key.split(":")[0] ?? "")
          expect(kidsOf(0)).toEqual(new Set([oldKid]))

          expect(yield* rotate("promote")).toEqual(added.toReversed())
          yield* restartAll
          yield* aWholeFlow
          const promotedAt = balancer.answers.length

          expect(yield* rotate("retire", "--yes")).toEqual(added.slice(1))
          yield* restartAll
          yield* aWholeFlow
          flows.over = true
          yield* Effect.promise(() => flowing)

          expect(kidsOf(promotedAt)).toEqual(new Set([newKid]))
          expect(balancer.answers.filter(({ status }) => status !== 200)).toEqual([])
          // Tokens went from one server to the other all the time.
          for (const call of ["/swap/quote", "/swap/build-geo-op", "/swap/submit"]) {
            const servers = balancer.answers.filter(({ path }) => path === call).map(({ server }) => server)
            expect(new Set(servers)).toEqual(new Set([0, 1]))
          }

          // The case that the steps prevent: a key that seals on one server and is unknown to the other.
          const stranger = (yield* run(workspace, "keys", "seal")).stdout.trim()
          writeFileSync(keys, `${stranger},${added[1]}`)
          yield* replicas[0]?.restart ?? Effect.void
          const post = async (index: number, call: string, body: object) => {
            const response = await fetch(`${replicas[index]?.url()}/swap/${call}`, {
              method: "POST",
              headers: { "x-api-key": apiKey, "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
          }
          const { amount, ...request } = usdcToWeth(devnet, account.address, account.address)
          yield* Effect.promise(async () => {
            const quoted = await post(0, "quote", { ...request, amount: `${amount}` })
            expect(quoted.status).toBe(200)
            const { geoQuoteToken } = quoted.body
            expect((await post(1, "build-geo-op", { geoQuoteToken })).status).toBe(401)
            expect((await post(0, "build-geo-op", { geoQuoteToken })).status).toBe(200)
          })
        })
      )
    })
  })
})
