/** The proxy's server: parses calls, injects faults, and forwards all other calls. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import type { Fault } from "./fault.js"

/** The node's URLs. */
export interface Targets {
  readonly target: URL
  readonly wsTarget: URL
}

interface Call {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: string
  readonly params?: unknown
}

interface Answer {
  readonly id?: unknown
  readonly result?: unknown
}

/** CORS headers for the proxy's own responses. */
const open = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" }

/** Waits for the given time, or until the client disconnects. */
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

/** A response from the node. */
interface Response {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A proxy server. */
export interface ProxyServer {
  readonly listen: (port: number) => Promise<number>
  readonly close: () => Promise<void>
  readonly set: (method: string, fault: Fault, times: number) => void
  readonly clear: (method?: string) => void
  readonly count: (what: "received" | "forwarded", method?: string) => number
  /** The calls received so far, by method. */
  readonly received: () => Readonly<Record<string, number>>
}

const readBody = async (stream: AsyncIterable<unknown>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const forward = (target: URL, method: string, headers: IncomingMessage["headers"], body: string): Promise<Response> =>
  new Promise((resolve, reject) => {
    // The request asks for no compression, so that the response can be read and changed.
    const { "accept-encoding": _, connection: __, "content-length": ___, "transfer-encoding": ____, ...kept } = headers
    const outgoing = request(target, { method, headers: { ...kept, host: target.host } }, (incoming) => {
      readBody(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: text }),
        reject
      )
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })

const parseCalls = (body: string): ReadonlyArray<Call> | undefined => {
  try {
    const given = JSON.parse(body) as unknown
    return Array.isArray(given) ? (given as ReadonlyArray<Call>) : [given as Call]
  } catch {
    return undefined
  }
}

const errorResponse = ({ id = null }: Call, { code, data, message }: Extract<Fault, { type: "rpcError" }>) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data !== undefined && { data }) }
})

export const makeProxyServer = ({ target, wsTarget }: Targets): ProxyServer => {
  const faults = new Map<string, { readonly fault: Fault; readonly left: number }>()
  const counts = { received: new Map<string, number>(), forwarded: new Map<string, number>() }
  const sockets = new Set<Socket>()

  const tally = (map: Map<string, number>, calls: ReadonlyArray<Call>) => {
    for (const { method = "" } of calls) map.set(method, (map.get(method) ?? 0) + 1)
  }

  const take = ({ method = "" }: Call): Fault | undefined => {
    const name = faults.has(method) ? method : "*"
    const found = faults.get(name)
    if (found === undefined) return undefined
    if (found.left <= 1) faults.delete(name)
    else faults.set(name, { ...found, left: found.left - 1 })
    return found.fault
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    const method = incoming.method ?? "POST"
    const send = ({ body: text, headers, status }: Response) => {
      const { connection: _, "content-length": __, "transfer-encoding": ___, ...kept } = headers
      outgoing.writeHead(status, { ...kept, "content-length": Buffer.byteLength(text) }).end(text)
    }
    const calls = method === "POST" ? parseCalls(body) : undefined
    const { url = "/" } = incoming
    if (calls === undefined) {
      return send(await forward(url === "/" ? target : new URL(url, target), method, incoming.headers, body))
    }

    tally(counts.received, calls)
    const faulted = calls.map((call) => ({ call, fault: take(call) }))
    const first = <T extends Fault["type"]>(type: T) =>
      faulted.map(({ fault }) => fault).find((fault): fault is Extract<Fault, { type: T }> => fault?.type === type)

    const delayed = first("delay")
    if (delayed !== undefined) await pause(delayed.millis, incoming.socket)
    if (incoming.socket.destroyed) return undefined
    if (first("hangUp") !== undefined) return void incoming.socket.destroy()
    const http = first("http")
    if (http !== undefined) return void outgoing.writeHead(http.status, { ...open, ...http.headers }).end()

    // The proxy itself responds to calls with an injected error, and forwards the rest of the batch.
    const refused = faulted.flatMap(({ call, fault }) =>
      fault?.type === "rpcError" ? [errorResponse(call, fault)] : []
    )
    const going = faulted.filter(({ fault }) => fault?.type !== "rpcError").map(({ call }) => call)
    const isBatch = body.trimStart().startsWith("[")
    const headers = { "content-type": "application/json", ...open }
    if (going.length === 0) {
      return send({ status: 200, headers, body: JSON.stringify(isBatch ? refused : refused[0]) })
    }
    const changed = faulted.some(({ fault }) => fault?.type === "change")
    const forwardedBody = refused.length === 0 ? body : JSON.stringify(going)
    const response = await forward(target, method, incoming.headers, forwardedBody)
    tally(counts.forwarded, going)
    if (first("loseAnswer") !== undefined) return undefined

    const result: Response =
      refused.length === 0 && !changed
        ? response
        : { ...response, body: rewrite(response.body, faulted, refused, isBatch) }
    const cut = first("truncate")
    if (cut === undefined) return send(result)
    outgoing.writeHead(result.status, { ...headers, "content-length": Buffer.byteLength(result.body) })
    outgoing.write(Buffer.from(result.body).subarray(0, cut.bytes), () => incoming.socket.destroy())
  }

  const rewrite = (
    body: string,
    faulted: ReadonlyArray<{ readonly call: Call; readonly fault: Fault | undefined }>,
    refused: ReadonlyArray<unknown>,
    isBatch: boolean
  ): string => {
    const answers = (parseCalls(body) ?? []) as ReadonlyArray<Answer>
    const changed = answers.map((answer) => {
      const found = faulted.find(({ call }) => call.id === answer.id)
      if (found?.fault?.type !== "change" || !("result" in answer)) return answer
      const { params } = found.call
      return { ...answer, result: found.fault.change(answer.result, Array.isArray(params) ? params : []) }
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
      outgoing.end(`The node behind the proxy did not respond: ${String(cause)}\n`)
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
    set: (method, fault, left) => void faults.set(method, { fault, left }),
    clear: (method) => (method === undefined ? faults.clear() : void faults.delete(method)),
    count: (what, method) =>
      method === undefined
        ? [...counts[what].values()].reduce((sum, count) => sum + count, 0)
        : (counts[what].get(method) ?? 0),
    received: () => Object.fromEntries(counts.received)
  }
}
