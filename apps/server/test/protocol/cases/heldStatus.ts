/** A server whose chains can be disconnected, with a pending swap: how status is held, and what it depends on. */
import { Proxy } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { changedAtOf } from "../../stack/database.js"
import { make, until } from "../../stack/fixture.js"
import { freePort } from "../../stack/freePort.js"
import { heldAt } from "../../stack/heldRequests.js"
import type { File } from "../../stack/stack.js"
import * as protocol from "../client.js"
import { type Answer, ask, evmRequest, evmWallet, open, statusAndCode, type Fixture } from "../fixture.js"
import { signed, submit } from "../operations.js"
import { ProtocolSuite, type Suite, suiteLayer } from "./suite.js"

interface Timed extends Answer {
  readonly millis: number
}

interface Shape {
  readonly fixture: Fixture
  /** The port of its admin listener. */
  readonly admin: number
  /** Reconnects the chains. */
  readonly up: Effect.Effect<void>
  readonly settled: protocol.Swap
  /** The id of an accepted swap that cannot continue. */
  readonly pending: string
  /** Its status, requested while the chains were disconnected. */
  readonly held: Promise<Timed>
}

class HeldStatus extends Context.Service<HeldStatus, Shape>()("test/protocol/HeldStatus") {}

const timed = async (...call: Parameters<typeof ask>): Promise<Timed> => {
  const from = performance.now()
  const answer = await ask(...call)
  return { ...answer, millis: performance.now() - from }
}

const hold = Effect.fnUntraced(function* ({ devnet }: Suite) {
  const proxies = new Map<number, Proxy.Proxy>()
  for (const { id, rpcUrl } of [devnet.evmA, devnet.evmB, devnet.solana]) {
    proxies.set(id, yield* Proxy.make({ target: rpcUrl }))
  }
  const admin = yield* freePort
  const fixture = yield* open(devnet, (file) => {
    const [first, ...rest] = file.chains
    const through = <C extends File["chains"][number]>(chain: C): C => ({
      ...chain,
      rpcUrls: [proxies.get(chain.id)?.rpcUrl ?? ""]
    })
    const chains: File["chains"] = [through(first), ...rest.map(through)]
    return { ...file, admin: { port: admin }, chains, limits: { ...file.limits, heldPerAccount: 2 } }
  })
  const account = yield* Effect.promise(() => evmWallet(fixture))
  const next = Effect.promise(async () => {
    const { submission } = await signed(fixture, account, evmRequest(fixture, account.address))
    return (await submit(fixture, submission)).swapId
  })
  const settledId = yield* next
  const settled = yield* Effect.promise(() => protocol.wait(fixture.first, settledId))
  // The relayer's transactions are not sent, so this swap never executes.
  const origin = proxies.get(devnet.evmA.id)
  if (origin === undefined) return yield* Effect.die("every chain has a proxy")
  yield* origin.set("eth_sendRawTransaction", Proxy.hangUp)
  const pending = yield* next
  yield* Effect.forEach(proxies.values(), ({ down }) => down)
  const held = timed(fixture.first, `/swap/status/${pending}`)
  held.catch(() => undefined)
  const up = Effect.andThen(
    origin.clear(),
    Effect.forEach(proxies.values(), ({ up }) => Effect.orDie(up), { discard: true })
  )
  return { admin, fixture, up, settled, pending, held }
})

export const holdingLayer = (change?: (file: File) => File) =>
  Layer.effect(HeldStatus, Effect.orDie(Effect.flatMap(ProtocolSuite, hold))).pipe(
    Layer.provideMerge(suiteLayer(change))
  )

const rule = (run: (holding: Shape) => Promise<unknown>) =>
  Effect.flatMap(HeldStatus, (holding) => Effect.promise(() => run(holding)))

/** In this order: the first finds one held request, the last lets the swap continue. */
export const holdingRules: Readonly<Record<string, Effect.Effect<unknown, never, HeldStatus>>> = {
  "§4 a status read touches only stored state: it is answered while no chain can be reached": rule(
    async ({ settled, fixture }) => {
      const { body, millis, status } = await timed(fixture.first, `/swap/status/${settled.swapId}`)
      expect([status, body]).toEqual([200, { ...settled, status: "settled" }])
      // It was neither held nor waiting for a chain: both would take 10 seconds or more.
      expect(millis).toBeLessThan(5_000)
      const request = evmRequest(fixture, "0x00000000000000000000000000000000000a11ce")
      expect(await statusAndCode(fixture.first, "/swap/quote", request)).toEqual([503, "UNAVAILABLE"])
    }
  ),
  "§4, §8 status is held for about 15 seconds while the swap stays pending": rule(async ({ held, pending }) => {
    const { body, millis, status } = await held
    expect([status, body]).toMatchObject([200, { swapId: pending, status: "pending" }])
    for (const later of ["originTxHash", "output", "collectedAt", "finishedAt"]) expect(body).not.toHaveProperty(later)
    expect(millis).toBeGreaterThanOrEqual(14_000)
    // A busy machine is slow, but our own client would have timed out after 25 seconds.
    expect(millis).toBeLessThan(25_000)
  }),
  "§4 a caller that aborts frees what it held": rule(async ({ admin, held: before, pending, fixture }) => {
    await before
    const path = `/swap/status/${pending}`
    const hold = async (count: number) => {
      const caller = new AbortController()
      const { signal } = caller
      const answer = statusAndCode(fixture.first, path, undefined, { signal }).catch(() => "gave up" as const)
      await until(async () => (await heldAt(admin)) === count)
      return { abort: () => caller.abort(), answer }
    }
    const [one, two] = [await hold(1), await hold(2)]
    const { body, headers, status } = await ask(fixture.first, path)
    expect([status, body["code"]]).toEqual([429, "RATE_LIMITED"])
    expect(headers.get("retry-after")).toBe("1")
    expect(headers.get("ratelimit-policy")).toBe(`"held";q=2;qu="concurrent-requests"`)
    // Other accounts are not affected.
    expect(await statusAndCode(fixture.second, path)).toEqual([404, "SWAP_NOT_FOUND"])
    one.abort()
    await until(async () => (await heldAt(admin)) === 1)
    const three = await hold(2)
    for (const { abort } of [two, three]) abort()
    expect(await Promise.all([one, two, three].map(({ answer }) => answer))).toEqual(["gave up", "gave up", "gave up"])
  }),
  "§4 a held status is answered when the swap ends, and not only when its time is over": Effect.gen(function* () {
    const { up, fixture } = yield* HeldStatus
    const { evmA } = fixture.devnet
    yield* up
    const account = yield* Effect.promise(() => evmWallet(fixture))
    yield* Effect.orDie(evmA.hold)
    const { answeredAt, swapId, swap } = yield* Effect.promise(async () => {
      const { submission } = await signed(fixture, account, evmRequest(fixture, account.address))
      const { swapId } = await submit(fixture, submission)
      const answered = protocol.wait(fixture.first, swapId)
      await make(evmA.release)
      return { swap: await answered, swapId, answeredAt: Date.now() }
    })
    expect(swap.status).toBe("settled")
    expect(answeredAt - changedAtOf(fixture.database, swapId)).toBeLessThan(5_000)
  })
}
