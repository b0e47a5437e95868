/** A server whose chains can be taken away, with a swap that stays pending: how status is held, and what it needs. */
import { DatabaseSync } from "node:sqlite"
import { Proxy } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import type { File } from "../stack/stack.js"
import * as plain from "./client.js"
import { signed, submit } from "./operations.js"
import { Plain, type Suite, suiteLayer } from "./suite.js"
import { type Answer, ask, evmRequest, evmWallet, open, told, type World } from "./world.js"

interface Timed extends Answer {
  readonly millis: number
}

interface Shape {
  readonly world: World
  /** Brings the chains back. */
  readonly up: Effect.Effect<void>
  readonly settled: plain.Swap
  /** Of a swap that is accepted, and cannot go on. */
  readonly pending: string
  /** Its status, asked for when the chains were away. */
  readonly held: Promise<Timed>
}

class Holding extends Context.Service<Holding, Shape>()("test/plain/Holding") {}

const timed = async (...call: Parameters<typeof ask>): Promise<Timed> => {
  const from = performance.now()
  const answer = await ask(...call)
  return { ...answer, millis: performance.now() - from }
}

const make = Effect.fnUntraced(function* ({ devnet }: Suite) {
  const proxies = new Map<number, Proxy.Proxy>()
  for (const { id, rpcUrl } of [devnet.evmA, devnet.evmB, devnet.solana]) {
    proxies.set(id, yield* Proxy.make({ target: rpcUrl }))
  }
  const world = yield* open(devnet, (file) => {
    const [first, ...rest] = file.chains
    const through = <C extends File["chains"][number]>(chain: C): C => ({
      ...chain,
      rpcUrls: [proxies.get(chain.id)?.rpcUrl ?? ""]
    })
    return { ...file, chains: [through(first), ...rest.map(through)], limits: { ...file.limits, heldPerAccount: 2 } }
  })
  const account = yield* Effect.promise(() => evmWallet(world))
  const next = Effect.promise(async () => {
    const { submission } = await signed(world, account, evmRequest(world, account.address))
    return (await submit(world, submission)).swapId
  })
  const settledId = yield* next
  const settled = yield* Effect.promise(() => plain.wait(world.first, settledId))
  // What the relayer signs does not get out: nothing of this swap ever happens.
  const origin = proxies.get(devnet.evmA.id)
  if (origin === undefined) return yield* Effect.die("every chain has a proxy")
  yield* origin.set("eth_sendRawTransaction", Proxy.hangUp)
  const pending = yield* next
  yield* Effect.forEach(proxies.values(), ({ down }) => down)
  const held = timed(world.first, `/swap/status/${pending}`)
  held.catch(() => undefined)
  const up = Effect.andThen(
    origin.clear(),
    Effect.forEach(proxies.values(), ({ up }) => Effect.orDie(up), { discard: true })
  )
  return { world, up, settled, pending, held }
})

export const holdingLayer = (change?: (file: File) => File) =>
  Layer.effect(Holding, Effect.orDie(Effect.flatMap(Plain, make))).pipe(Layer.provideMerge(suiteLayer(change)))

/** When a swap reached the state that it is in, by the server's own record. */
const changedAt = ({ database }: World, swapId: string): number => {
  const connection = new DatabaseSync(database, { readOnly: true })
  try {
    const row = connection.prepare("SELECT updated_at FROM swaps WHERE id = ?").get(swapId)
    return Number(row?.["updated_at"])
  } finally {
    connection.close()
  }
}

const rule = (run: (holding: Shape) => Promise<unknown>) =>
  Effect.flatMap(Holding, (holding) => Effect.promise(() => run(holding)))

/** In this order: the first finds one request held, the last lets the swap go on. */
export const holdingRules: Readonly<Record<string, Effect.Effect<unknown, never, Holding>>> = {
  "§4 a status read touches only stored state: it is answered while no chain can be reached": rule(
    async ({ settled, world }) => {
      const { body, millis, status } = await timed(world.first, `/swap/status/${settled.swapId}`)
      expect([status, body]).toEqual([200, { ...settled, status: "settled" }])
      expect(millis).toBeLessThan(1_000)
      const request = evmRequest(world, "0x00000000000000000000000000000000000a11ce")
      expect(await told(world.first, "/swap/quote", request)).toEqual([503, "UNAVAILABLE"])
    }
  ),
  "§4, §8 status is held for about 15 seconds while the swap stays pending": rule(async ({ held, pending }) => {
    const { body, millis, status } = await held
    expect([status, body]).toEqual([200, { swapId: pending, status: "pending" }])
    expect(millis).toBeGreaterThanOrEqual(14_000)
    expect(millis).toBeLessThanOrEqual(17_000)
  }),
  "§4 a caller that aborts frees what it held": rule(async ({ held: before, pending, world }) => {
    await before
    const path = `/swap/status/${pending}`
    /** What is answered within half a second. */
    const soon = (signal: AbortSignal) => {
      const answer = told(world.first, path, undefined, { signal }).catch(() => "gave up")
      return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 500, "held"))])
    }
    const held = [new AbortController(), new AbortController()]
    expect(await Promise.all(held.map(({ signal }) => soon(signal)))).toEqual(["held", "held"])
    const { body, headers, status } = await ask(world.first, path)
    expect([status, body["code"]]).toEqual([429, "RATE_LIMITED"])
    expect(headers.get("retry-after")).toBe("1")
    expect(headers.get("ratelimit-policy")).toBe(`"held";q=2;qu="concurrent-requests"`)
    // Others are not in their way.
    expect(await told(world.second, path)).toEqual([404, "SWAP_NOT_FOUND"])
    held[0]?.abort()
    const third = new AbortController()
    await expect.poll(() => soon(third.signal), { timeout: 5_000 }).toBe("held")
    for (const caller of [...held, third]) caller.abort()
  }),
  "§4 a held status is answered within a second of the swap's end": Effect.gen(function* () {
    const { pending, up, world } = yield* Holding
    yield* up
    const { answeredAt, swap } = yield* Effect.promise(async () => ({
      swap: await plain.wait(world.first, pending),
      answeredAt: Date.now()
    }))
    expect(swap.status).toBe("settled")
    expect(answeredAt - changedAt(world, pending)).toBeLessThan(1_000)
  })
}
