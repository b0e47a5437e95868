/** The proxy's server: takes calls apart, plays tricks on them and passes the rest on. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import type { Trick } from "../Proxy.js"

/** Where calls go. */
export interface Targets {
  readonly target: URL
  readonly wsTarget: URL
}

interface Call {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: string
}

interface Answer {
  readonly id?: unknown
  readonly result?: unknown
}

/** Pages may read what the proxy says itself, as they may what a node says. */
const open = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" }

/** Waits, as long as somebody waits for the answer. */
const pause = (millis: number, socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      socket.off("close", done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    socket.on("close", done)
  })

/** What came back from the node. */
interface Response {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** The moving parts of a proxy. */
export interface Forwarder {
  readonly listen: (port: number) => Promise<number>
  readonly close: () => Promise<void>
  readonly set: (method: string, trick: Trick, times: number) => void
  readonly clear: (method?: string) => void
  readonly count: (what: "arrived" | "forwarded", method?: string) => number
}

const bodyOf = async (stream: AsyncIterable<unknown>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const pass = (target: URL, method: string, headers: IncomingMessage["headers"], body: string): Promise<Response> =>
  new Promise((resolve, reject) => {
    // Plain bytes, so that answers can be read and changed.
    const { "accept-encoding": _, connection: __, "content-length": ___, "transfer-encoding": ____, ...kept } = headers
    const outgoing = request(target, { method, headers: { ...kept, host: target.host } }, (incoming) => {
      bodyOf(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: text }),
        reject
      )
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })

const parsed = (body: string): ReadonlyArray<Call> | undefined => {
  try {
    const given = JSON.parse(body) as unknown
    return Array.isArray(given) ? (given as ReadonlyArray<Call>) : [given as Call]
  } catch {
    return undefined
  }
}

const refusalOf = ({ id = null }: Call, { code, data, message }: Extract<Trick, { type: "rpcError" }>) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data !== undefined && { data }) }
})

export const forwarder = ({ target, wsTarget }: Targets): Forwarder => {
  const tricks = new Map<string, { readonly trick: Trick; readonly left: number }>()
  const counts = { arrived: new Map<string, number>(), forwarded: new Map<string, number>() }
  const sockets = new Set<Socket>()

  const tally = (map: Map<string, number>, calls: ReadonlyArray<Call>) => {
    for (const { method = "" } of calls) map.set(method, (map.get(method) ?? 0) + 1)
  }

  const take = ({ method = "" }: Call): Trick | undefined => {
    const name = tricks.has(method) ? method : "*"
    const found = tricks.get(name)
    if (found === undefined) return undefined
    if (found.left <= 1) tricks.delete(name)
    else tricks.set(name, { ...found, left: found.left - 1 })
    return found.trick
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    const method = incoming.method ?? "POST"
    const send = ({ body: text, headers, status }: Response) => {
      const { connection: _, "content-length": __, "transfer-encoding": ___, ...kept } = headers
      outgoing.writeHead(status, { ...kept, "content-length": Buffer.byteLength(text) }).end(text)
    }
    const calls = method === "POST" ? parsed(body) : undefined
    const { url = "/" } = incoming
    if (calls === undefined) {
      return send(await pass(url === "/" ? target : new URL(url, target), method, incoming.headers, body))
    }

    tally(counts.arrived, calls)
    const played = calls.map((call) => ({ call, trick: take(call) }))
    const first = <T extends Trick["type"]>(type: T) =>
      played.map(({ trick }) => trick).find((trick): trick is Extract<Trick, { type: T }> => trick?.type === type)

    const delayed = first("delay")
    if (delayed !== undefined) await pause(delayed.millis, incoming.socket)
    if (incoming.socket.destroyed) return undefined
    if (first("hangUp") !== undefined) return void incoming.socket.destroy()
    const http = first("http")
    if (http !== undefined) return void outgoing.writeHead(http.status, { ...open, ...http.headers }).end()

    // A batch goes on without the calls that are refused here.
    const refused = played.flatMap(({ call, trick }) => (trick?.type === "rpcError" ? [refusalOf(call, trick)] : []))
    const going = played.filter(({ trick }) => trick?.type !== "rpcError").map(({ call }) => call)
    const isBatch = body.trimStart().startsWith("[")
    const headers = { "content-type": "application/json", ...open }
    if (going.length === 0) {
      return send({ status: 200, headers, body: JSON.stringify(isBatch ? refused : refused[0]) })
    }
    const changed = played.some(({ trick }) => trick?.type === "change")
    const asked = refused.length === 0 ? body : JSON.stringify(going)
    const response = await pass(target, method, incoming.headers, asked)
    tally(counts.forwarded, going)
    if (first("loseAnswer") !== undefined) return undefined

    const result: Response =
      refused.length === 0 && !changed
        ? response
        : { ...response, body: rewrite(response.body, played, refused, isBatch) }
    const cut = first("truncate")
    if (cut === undefined) return send(result)
    outgoing.writeHead(result.status, { ...headers, "content-length": Buffer.byteLength(result.body) })
    outgoing.write(Buffer.from(result.body).subarray(0, cut.bytes), () => incoming.socket.destroy())
  }

  const rewrite = (
    body: string,
    played: ReadonlyArray<{ readonly call: Call; readonly trick: Trick | undefined }>,
    refused: ReadonlyArray<unknown>,
    isBatch: boolean
  ): string => {
    const answers = (parsed(body) ?? []) as ReadonlyArray<Answer>
    const changed = answers.map((answer) => {
      const trick = played.find(({ call }) => call.id === answer.id)?.trick
      return trick?.type === "change" && "result" in answer
        ? { ...answer, result: trick.change(answer.result) }
        : answer
    })
    return JSON.stringify(isBatch ? [...changed, ...refused] : changed[0])
  }

  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => socket.destroy())
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((cause: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(502, open)
      outgoing.end(`The node behind the proxy does not answer: ${String(cause)}\n`)
    })
  })
  server.on("connection", track)
  server.on("upgrade", (incoming, socket, head) => {
    const port = Number(wsTarget.port === "" ? 80 : wsTarget.port)
    const upstream = connect(port, wsTarget.hostname, () => {
      const lines = incoming.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${name.toLowerCase() === "host" ? wsTarget.host : all[index + 1]}`] : []
      )
      upstream.write([`GET ${incoming.url} HTTP/1.1`, ...lines, "", ""].join("\r\n"))
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    track(upstream)
    socket.on("error", () => upstream.destroy())
    socket.on("close", () => upstream.destroy())
    upstream.on("close", () => socket.destroy())
  })

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        if (server.listening) return resolve((server.address() as AddressInfo).port)
        server.once("error", reject)
        server.listen(port, "127.0.0.1", () => {
          server.off("error", reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    set: (method, trick, left) => void tricks.set(method, { trick, left }),
    clear: (method) => (method === undefined ? tricks.clear() : void tricks.delete(method)),
    count: (what, method) =>
      method === undefined
        ? [...counts[what].values()].reduce((sum, count) => sum + count, 0)
        : (counts[what].get(method) ?? 0)
  }
}
