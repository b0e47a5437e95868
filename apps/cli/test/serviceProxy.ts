/** A proxy in front of the service. It holds, drops, answers or changes requests and responses. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Whether a request is held before or after the service responds. */
export type Moment = "before" | "after"

/** A request that is, or will be, held. */
export interface Held {
  /** Completes when the request is held. */
  readonly arrived: Effect.Effect<void>
  /** Lets the request continue. */
  readonly release: () => void
  /** Closes the connection. */
  readonly drop: () => void
}

/** A proxy in front of the service. */
export interface ServiceProxy {
  readonly url: string
  /** Holds the next request that matches. */
  readonly hold: (path: RegExp, moment: Moment) => Held
  /** Answers the next request that matches instead of the service. */
  readonly answer: (path: RegExp, status: number, body: object) => void
  /** Changes the response to the next request that matches. */
  readonly change: (path: RegExp, change: (answer: Readonly<Record<string, unknown>>) => object) => void
  /** Starts or stops closing every connection. */
  readonly setDown: (down: boolean) => void
  /** The requests so far, as `POST /swap/quote`. */
  readonly seen: ReadonlyArray<string>
}

interface Rule {
  readonly path: RegExp
  readonly moment: Moment
  readonly hold: () => Promise<"continue" | "drop">
}

/** A promise with its resolve function. */
const deferred = <A>() => {
  let resolve: (value: A) => void = () => undefined
  const promise = new Promise<A>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

interface Response {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const forward = (target: string, { headers, method, url = "/" }: IncomingMessage, body: Buffer): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = request(
      new URL(url, target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        bodyOf(answer).then(
          (received) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: received }),
          reject
        )
      }
    )
    sent.on("error", reject).end(body)
  })

/** Starts a proxy; the scope stops it. */
export const open = (target: string): Effect.Effect<ServiceProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const rules: Array<Rule> = []
    const answers: Array<{ readonly path: RegExp; readonly status: number; readonly body: object }> = []
    const changes: Array<{ readonly path: RegExp; readonly apply: Parameters<ServiceProxy["change"]>[1] }> = []
    const seen: Array<string> = []
    let down = false
    const take = <A extends { readonly path: RegExp }>(list: Array<A>, matches: (one: A) => boolean): A | undefined => {
      const at = list.findIndex(matches)
      return at < 0 ? undefined : list.splice(at, 1)[0]
    }
    const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { method = "", url = "" } = incoming
      const body = await bodyOf(incoming)
      if (down) return incoming.socket.destroy()
      seen.push(`${method} ${url}`)
      const own = take(answers, ({ path }) => path.test(url))
      if (own !== undefined) {
        return outgoing.writeHead(own.status, { "content-type": "application/json" }).end(JSON.stringify(own.body))
      }
      const before = take(rules, ({ moment, path }) => moment === "before" && path.test(url))
      if ((await before?.hold()) === "drop") return incoming.socket.destroy()
      const after = take(rules, ({ moment, path }) => moment === "after" && path.test(url))
      const answer = await forward(target, incoming, body)
      if ((await after?.hold()) === "drop" || down) return incoming.socket.destroy()
      const change = take(changes, ({ path }) => path.test(url))
      if (change === undefined) return outgoing.writeHead(answer.status, answer.headers).end(answer.body)
      const { "content-length": _, ...headers } = answer.headers
      const changed = change.apply(JSON.parse(answer.body.toString()) as Readonly<Record<string, unknown>>)
      return outgoing.writeHead(answer.status, headers).end(JSON.stringify(changed))
    }
    const server = createServer((incoming, outgoing) => {
      pass(incoming, outgoing).catch(() => incoming.socket.destroy())
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      seen,
      setDown: (value) => {
        down = value
        if (value) server.closeAllConnections()
      },
      answer: (path, status, body) => void answers.push({ path, status, body }),
      change: (path, apply) => void changes.push({ path, apply }),
      hold: (path, moment) => {
        const arrived = deferred<void>()
        const decided = deferred<"continue" | "drop">()
        rules.push({
          path,
          moment,
          hold: () => {
            arrived.resolve()
            return decided.promise
          }
        })
        return {
          arrived: Effect.promise(() => arrived.promise),
          release: () => decided.resolve("continue"),
          drop: () => decided.resolve("drop")
        }
      }
    }
  })
