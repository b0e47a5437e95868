/** Counts requests. Counters are created in advance, so counting a response takes only a few lookups. */
import { Clock } from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import type * as Metric from "effect/Metric"
import { httpDuration, httpRequests, statusDuration } from "../metrics/series.js"
import { nameOf, type Path } from "./messages/matchPath.js"

/** The method labels. All other methods are counted as `other`. */
const methods = ["GET", "HEAD", "POST", "OPTIONS", "other"] as const

/** The statuses whose counters are initialized to zero for every route. */
const usual = [200, 500, 503]

const nanosPerSecond = 1e9

interface RouteSeries {
  readonly duration: Metric.Histogram<number>
  /** The response counters, keyed by status and method, which are combined into one number. */
  readonly answers: Map<number, Metric.Counter<number>>
}

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

const indexOf = (method: string): number => {
  const index = methods.findIndex((one) => one === method)
  return index === -1 ? methods.length - 1 : index
}

/**
 * Counts requests by path. Unrecognized paths are counted as `unknown`. Requests to a path that ends in one of
 * `statusPaths` use long polling.
 */
export const make = (paths: ReadonlyArray<Path<unknown>>, statusPaths: ReadonlyArray<string>): Requests => {
  const counterOf = (route: string, code: number, index: number) =>
    httpRequests({ route, method: methods[index] ?? "other", code: String(code) })
  const seriesOf = (route: string): RouteSeries => ({
    // The duration of a long-polling request says nothing about the service's speed.
    duration: statusPaths.some((path) => route.endsWith(path)) ? statusDuration({}) : httpDuration({ route }),
    answers: new Map()
  })
  const unknown = seriesOf("unknown")
  const known = new Map(paths.map((path) => [nameOf(path), seriesOf(nameOf(path))]))

  const answerOf = ({ answers }: RouteSeries, route: string, code: number, index: number): Metric.Counter<number> => {
    const key = code * methods.length + index
    const found = answers.get(key)
    if (found !== undefined) return found
    const made = counterOf(route, code, index)
    answers.set(key, made)
    return made
  }

  return {
    count: (fiber, route, method, status, startedAt) => {
      const series = known.get(route) ?? unknown
      const { context } = fiber
      answerOf(series, route, status, indexOf(method)).updateUnsafe(1, context)
      const nanos = fiber.getRef(Clock).monotonicTimeNanosUnsafe() - startedAt
      series.duration.updateUnsafe(Number(nanos) / nanosPerSecond, context)
    },
    initializeCounters: (context) => {
      for (const path of paths) {
        const name = nameOf(path)
        const series = known.get(name) ?? unknown
        series.duration.valueUnsafe(context)
        for (const method of path.methods.keys()) {
          for (const code of usual) answerOf(series, name, code, indexOf(method)).updateUnsafe(0, context)
        }
      }
    }
  }
}
