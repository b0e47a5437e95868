/** Counts requests. */
import { Clock } from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import { httpDuration, httpRequests, statusDuration } from "../metrics/series.js"
import { nameOf, type Path } from "./messages/matchPath.js"

/** The method labels. All other methods are counted as `other`. */
const methods: ReadonlyArray<string> = ["GET", "HEAD", "POST", "OPTIONS"]

/** The statuses whose counters are initialized to zero for every route. */
const usual = [200, 500, 503]

const nanosPerSecond = 1e9

export interface Requests {
  /** Counts a response. Of the fiber, only the metrics and the clock are used. */
  readonly count: (
    fiber: Pick<Fiber.Fiber<unknown, unknown>, "context" | "getRef">,
    route: string,
    method: string,
    status: number,
    startedAt: bigint
  ) => void
  /** Initializes the counters for the usual statuses to zero. */
  readonly initializeCounters: (context: Context.Context<never>) => void
}

/** Counts requests by path. Requests to a path that ends in one of `statusPaths` use long polling. */
export const make = (paths: ReadonlyArray<Path<unknown>>, statusPaths: ReadonlyArray<string>): Requests => {
  // The duration of a long-polling request says nothing about the service's speed.
  const durationOf = (route: string) =>
    statusPaths.some((path) => route.endsWith(path)) ? statusDuration({}) : httpDuration({ route })
  const counterOf = (route: string, method: string, status: number) =>
    httpRequests({ route, method: methods.includes(method) ? method : "other", code: String(status) })

  return {
    count: (fiber, route, method, status, startedAt) => {
      const { context } = fiber
      counterOf(route, method, status).updateUnsafe(1, context)
      const nanos = fiber.getRef(Clock).monotonicTimeNanosUnsafe() - startedAt
      durationOf(route).updateUnsafe(Number(nanos) / nanosPerSecond, context)
    },
    initializeCounters: (context) => {
      for (const path of paths) {
        durationOf(nameOf(path)).valueUnsafe(context)
        for (const method of path.methods.keys()) {
          for (const status of usual) counterOf(nameOf(path), method, status).updateUnsafe(0, context)
        }
      }
    }
  }
}
