/**
 * Subscribes to a node's new blocks over a websocket. An announcement only means that there may be a new block: the
 * block is read from the node as if there were no subscription.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type Hash, isHash } from "viem"
import * as CountRpc from "../../../metrics/countRpc.js"
import type { RpcFault } from "../../../metrics/series.js"

export interface Options {
  readonly chainId: number
  /** The websocket URL, which may contain a key. */
  readonly url: string
  /** The maximum time until the node confirms the subscription. */
  readonly timeoutMillis: number
  /** The subscription ends when this scope closes. */
  readonly scope: Scope.Scope
}

/** How long a subscription that is not used stays open. */
const idleMillis = 60_000
/** How long to wait before a failed subscription is opened again. The time doubles after each further failure. */
const backoffMillis = { first: 1_000, longest: 60_000 }

const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] })

/** The messages that nodes send: the response to the request, and announcements. */
const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Union([
      Schema.Struct({ id: Schema.Literal(1), error: Schema.Unknown }),
      Schema.Struct({ id: Schema.Literal(1), result: Schema.String }),
      Schema.Struct({
        method: Schema.Literal("eth_subscription"),
        params: Schema.Struct({
          subscription: Schema.String,
          result: Schema.Struct({ hash: Schema.String.check(Schema.makeFilter((text) => isHash(text))) })
        })
      })
    ])
  )
)

/** Creates a subscription. It is not opened until it is used. */
export const make = ({ chainId, scope, timeoutMillis, url }: Options) => {
  const { host } = new URL(url)
  const counted = CountRpc.make(chainId, host)
  let latest: Hash | undefined
  let changed = () => {}
  let end: (fault: RpcFault) => void = () => {}
  let isTrusted = false
  let isUsed = false
  let isRunning = false

  /** Subscribes on a socket. Fails when the socket closes or sends anything but announcements. */
  const receive = (socket: WebSocket, subscribed: Deferred.Deferred<void>) =>
    Effect.callback<never, RpcFault>((resume) => {
      let subscription: string | undefined
      let isOver = false
      const fail = (fault: RpcFault) => {
        isOver = true
        resume(Effect.fail(fault))
      }
      const accept = (data: unknown) => {
        const message = Option.getOrUndefined(decode(data))
        if (message === undefined) return fail("unreadable")
        if ("error" in message) return fail("refused")
        if ("result" in message) {
          if (subscription !== undefined) return fail("unreadable")
          subscription = message.result
          return void Deferred.doneUnsafe(subscribed, Effect.void)
        }
        const { result, subscription: id } = message.params
        // A node may announce a block before it confirms the subscription.
        if (subscription === undefined) return undefined
        if (id !== subscription) return fail("unreadable")
        latest = result.hash.toLowerCase() as Hash
        changed()
      }
      socket.addEventListener("open", () => socket.send(request))
      socket.addEventListener("error", () => fail("status"))
      socket.addEventListener("close", () => fail("status"))
      socket.addEventListener("message", ({ data }) => {
        if (!isOver) accept(data)
      })
      end = fail
      return Effect.sync(() => void (isOver = true))
    })

  const socket = (subscribed: Deferred.Deferred<void>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => new WebSocket(url)),
      (socket) => receive(socket, subscribed),
      (socket) => Effect.sync(() => socket.close())
    )

  /**
   * One subscription, until it fails. A node may close a subscription at any time, so that is not counted as a failed
   * request.
   */
  const session = Effect.suspend(() => {
    const subscribed = Deferred.makeUnsafe<void>()
    const late = Deferred.await(subscribed).pipe(
      Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.fail<RpcFault>("timeout") }),
      Effect.andThen(Effect.never)
    )
    const ended = Effect.catch(Effect.raceFirst(socket(subscribed), late), (fault) =>
      fault === "status" && Deferred.isDoneUnsafe(subscribed) ? Effect.succeed(fault) : Effect.fail(fault)
    )
    return Effect.catch(
      counted("eth_subscribe", ended, (fault) => fault),
      Effect.succeed
    )
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        latest = undefined
        changed()
      })
    )
  )

  const keepOpen = Effect.gen(function* () {
    for (let failures = 0; ; failures++) {
      const fault = yield* session
      if (isTrusted) failures = 0
      isTrusted = false
      const message = `the subscription to new blocks of ${host} on chain ${chainId} failed (${fault}), so they are polled`
      yield* failures === 0 ? Effect.logWarning(message) : Effect.logDebug(message)
      yield* Effect.sleep(Math.min(backoffMillis.first * 2 ** failures, backoffMillis.longest))
    }
  })

  const untilUnused = Effect.gen(function* () {
    do {
      isUsed = false
      yield* Effect.sleep(idleMillis)
    } while (isUsed)
  })

  return {
    /** Opens the subscription, and keeps it open for a while. If it fails, it is opened again later. */
    use: Effect.suspend(() => {
      isUsed = true
      if (isRunning) return Effect.void
      isRunning = true
      const run = Effect.raceFirst(keepOpen, untilUnused).pipe(
        Effect.ensuring(Effect.sync(() => void (isRunning = false))),
        // The subscription does not belong to the swap that uses it first.
        Effect.provideService(References.CurrentLogAnnotations, {})
      )
      return Effect.asVoid(Effect.forkIn(run, scope))
    }),
    /** The latest announced block. Undefined unless the subscription is open. */
    latest: () => latest,
    /** Calls a function after each announcement, and after the subscription has ended. Replaces the previous function. */
    listen: (listener: () => void) => void (changed = listener),
    /** Ends a subscription that announces wrong blocks or none. It is opened again later, and each time even later. */
    distrust: (fault: RpcFault) => {
      isTrusted = false
      end(fault)
    },
    /** Records that an announcement was right. After a failure, the subscription is then opened again sooner. */
    trust: () => void (isTrusted = true)
  }
}

export type NewHeads = ReturnType<typeof make>
