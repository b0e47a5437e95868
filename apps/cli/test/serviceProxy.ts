/** Stands between the program and the service: holds a request or its answer, answers itself, or is not there. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Where a request is held. */
export type Moment = "before" | "after"

/** A request that is, or is going to be, held. */
export interface Held {
  /** It is there; `after` the service has answered it as well. */
  readonly arrived: Effect.Effect<void>
  /** It goes on its way. */
  readonly release: () => void
  /** Its connection is cut. */
  readonly drop: () => void
}

/** A gate. */
export interface Gate {
  readonly url: string
  /** Holds the next request whose path fits. */
  readonly hold: (path: RegExp, moment: Moment) => Held
  /** Answers the next request whose path fits in place of the service. */
  readonly answer: (path: RegExp, status: number, body: object) => void
  /** Changes the service's answer to the next request whose path fits. */
  readonly change: (path: RegExp, change: (answer: Readonly<Record<string, unknown>>) => object) => void
  /** From now on every connection is cut, or no more. */
  readonly setDown: (down: boolean) => void
  /** What came through, as `POST /swap/quote`. */
  readonly seen: ReadonlyArray<string>
}

interface Rule {
  readonly path: RegExp
  readonly moment: Moment
  readonly meet: () => Promise<"go" | "cut">
}

/** A promise that is settled from outside. */
const later = <A>() => {
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

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const forward = (target: string, { headers, method, url = "/" }: IncomingMessage, body: Buffer): Promise<Answer> =>
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

/** Opens a gate in front of a service; it closes with the scope. */
export const open = (target: string): Effect.Effect<Gate, never, Scope.Scope> =>
  Effect.gen(function* () {
    const rules: Array<Rule> = []
    const answers: Array<{ readonly path: RegExp; readonly status: number; readonly body: object }> = []
    const changes: Array<{ readonly path: RegExp; readonly apply: Parameters<Gate["change"]>[1] }> = []
    const seen: Array<string> = []
    let down = false
    const take = <A extends { readonly path: RegExp }>(list: Array<A>, fits: (one: A) => boolean): A | undefined => {
      const at = list.findIndex(fits)
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
      if ((await before?.meet()) === "cut") return incoming.socket.destroy()
      const after = take(rules, ({ moment, path }) => moment === "after" && path.test(url))
      const answer = await forward(target, incoming, body)
      if ((await after?.meet()) === "cut" || down) return incoming.socket.destroy()
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
        const arrived = later<void>()
        const decided = later<"go" | "cut">()
        rules.push({
          path,
          moment,
          meet: () => {
            arrived.resolve()
            return decided.promise
          }
        })
        return {
          arrived: Effect.promise(() => arrived.promise),
          release: () => decided.resolve("go"),
          drop: () => decided.resolve("cut")
        }
      }
    }
  })
