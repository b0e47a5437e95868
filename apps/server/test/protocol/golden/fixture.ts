/** One devnet and the servers that the flows use. The servers' clocks are stopped, so no flow depends on its speed. */
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { stoppedClock } from "../../stack/clock.js"
import { eachChain } from "../../stack/fixture.js"
import { ownDevnetLayer, type File } from "../../stack/stack.js"
import { openVenue, type TestVenue } from "../../stack/venue.js"
import { ask, open, withoutUsdOfGeo, type Fixture } from "../fixture.js"
import { signed, submit } from "../operations.js"
import * as Recorder from "./recorder.js"
import { evmPayer, fromEvm } from "./requests.js"

export interface Shape {
  /** The server that most flows use. */
  readonly main: Fixture
  /** Sets all clocks to the present. */
  readonly refresh: () => void
  /** A server whose clock a flow moves. */
  readonly late: { readonly fixture: Fixture; readonly pass: (millis: number) => void }
  /** A server that allows two calls of each operation per day. */
  readonly limited: Fixture
  /** A server whose prices a flow changes. */
  readonly priced: { readonly fixture: Fixture; readonly venue: TestVenue }
  /** A server whose venue never responds. */
  readonly unanswered: Fixture
  /** A server whose connections to the chains a flow cuts. */
  readonly severed: { readonly fixture: Fixture; readonly sever: Effect.Effect<void> }
  /** The transcript of a swap that stays pending. Its status is held for 15 seconds, while the other flows run. */
  readonly pending: Promise<Recorder.Recorder>
}

export class GoldenFixture extends Context.Service<GoldenFixture, Shape>()("test/golden/GoldenFixture") {}

/** On a slow machine a node is slow, which must not become a 504. */
const patient = eachChain((chain) => ({ ...chain, timeoutMillis: 60_000 }))

const daily = { perSecond: 1 / 86_400, burst: 2 }
const twoPerDay = { quote: daily, delegation: daily, build: daily, submit: daily, status: daily, chains: daily }

/** A server with a stopped clock. */
const stopped = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  change: (file: File) => File = (file) => file,
  given?: Effect.Success<typeof stoppedClock>
) {
  const time = given ?? (yield* stoppedClock)
  const fixture = yield* open(devnet, (file) => change(patient(file))).pipe(
    Effect.provideService(Clock.Clock, time.clock)
  )
  return { fixture, ...time }
})

/** Proxies in front of the chains. */
const proxied = Effect.fnUntraced(function* ({ evmA, evmB, solana }: Devnet.Devnet) {
  const proxies = new Map<number, Proxy.Proxy>()
  for (const { id, rpcUrl } of [evmA, evmB, solana]) proxies.set(id, yield* Proxy.make({ target: rpcUrl }))
  const change = eachChain((chain) => ({ ...chain, rpcUrls: [proxies.get(chain.id)?.rpcUrl ?? ""] }))
  const origin = proxies.get(evmA.id)
  if (origin === undefined) return yield* Effect.die("every chain has a proxy")
  const down = Effect.forEach(proxies.values(), ({ down }) => down, { discard: true })
  return { change, origin, down }
})

/**
 * A swap whose transaction never reaches the chain. Two status requests are sent at once, and one of them can be held.
 */
const startPending = Effect.fnUntraced(function* (devnet: Devnet.Devnet) {
  const { change, origin } = yield* proxied(devnet)
  const { set, fixture: quiet } = yield* stopped(devnet, (file) =>
    change({ ...file, limits: { ...file.limits, heldPerAccount: 1 } })
  )
  yield* origin.set("eth_sendRawTransaction", Proxy.hangUp)
  const recorder = Recorder.make()
  const fixture = recorder.of(quiet)
  const { submission, swapId } = yield* Effect.promise(async () => {
    const account = await evmPayer(quiet)
    set(Date.now())
    const { submission } = await signed(quiet, account, fromEvm(quiet, account.address))
    return { submission, swapId: (await submit(fixture, submission)).swapId }
  })
  const follow = async () => {
    recorder.note("again, while it is pending")
    await submit(fixture, submission)
    // The first to arrive is held. The other is refused at once, and so is always recorded first.
    await Promise.all([ask(fixture.first, `/swap/status/${swapId}`), ask(fixture.first, `/swap/status/${swapId}`)])
    return recorder
  }
  const pending = follow()
  // A failure is reported by the test that awaits it.
  pending.catch(() => undefined)
  return { pending }
})

/** A venue that ends with the scope. */
const venueFor = (now?: () => number) =>
  Effect.acquireRelease(
    Effect.promise(() => openVenue(now)),
    ({ down }) => Effect.promise(down)
  )

const withVenue =
  ({ url }: TestVenue, timeoutMillis: number) =>
  (file: File): File => ({ ...file, venue: { kind: "http", url, timeoutMillis } })

const make = Effect.gen(function* () {
  const devnet = yield* Devnet.Devnet
  const { pending } = yield* startPending(devnet)
  const { change, down } = yield* proxied(devnet)
  const time = yield* stoppedClock
  const [venue, silent] = [yield* venueFor(time.now), yield* venueFor()]
  for (const { address } of devnet.evmB.tokens) silent.set(address, { type: "silent" })
  const { late, limited, main, priced, severed, unanswered } = yield* Effect.all(
    {
      // A budget for three delegation changes a day.
      main: stopped(devnet, (file) => ({ ...withoutUsdOfGeo(file), delegations: { gasPerDay: 266_668 } })),
      late: stopped(devnet),
      limited: stopped(devnet, (file) => ({ ...file, limits: twoPerDay })),
      priced: stopped(devnet, withVenue(venue, 30_000), time),
      unanswered: stopped(devnet, withVenue(silent, 50)),
      severed: stopped(devnet, change)
    },
    { concurrency: "unbounded" }
  )
  return {
    main: main.fixture,
    refresh: () => {
      for (const { set } of [main, late, priced, severed, unanswered]) set(Date.now())
    },
    late: { fixture: late.fixture, pass: (millis) => late.set(late.now() + millis) },
    limited: limited.fixture,
    priced: { fixture: priced.fixture, venue },
    unanswered: unanswered.fixture,
    severed: { fixture: severed.fixture, sever: down },
    pending
  } satisfies Shape
})

export const goldenLayer = Layer.effect(GoldenFixture, Effect.orDie(make)).pipe(Layer.provide(ownDevnetLayer))
