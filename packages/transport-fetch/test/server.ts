/** Real HTTP servers on loopback, started by a test and closed with it. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type Server as HttpServer, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net"
import { text } from "node:stream/consumers"

/** A received request. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly socket: Socket
  /** Resolves when either side closes the connection. */
  readonly closed: Promise<unknown>
}

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly received: Array<Received>
  readonly close: () => Promise<void>
}

const listening = async (server: HttpServer | TcpServer, received: Array<Received>, sockets: Set<Socket>) => {
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => undefined)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, "close")
  }
  return { url: `http://127.0.0.1:${port}`, port, received, close, [Symbol.asyncDispose]: close } satisfies Server
}

/** Resolves when a connection is closed or reset. All requests of a connection share the promise. */
const closings = new WeakMap<Socket, Promise<unknown>>()
const closingOf = (socket: Socket): Promise<unknown> => {
  const closing = closings.get(socket) ?? new Promise((resolve) => socket.once("close", resolve))
  closings.set(socket, closing)
  return closing
}

/** A server that answers with `answer` and records its requests. */
export const serve = (answer: (response: ServerResponse, request: Received) => unknown): Promise<Server> => {
  const received: Array<Received> = []
  const server = createServer((incoming, response) => {
    const closed = closingOf(incoming.socket)
    void text(incoming).then((body) => {
      const { headers, method = "", socket, url = "" } = incoming
      const request = { method, url, headers, body, socket, closed }
      received.push(request)
      return answer(response, request)
    })
  })
  return listening(server, received, new Set())
}

/** A server that answers everything with these bytes and then optionally cuts the connection. */
export const serveBytes = (bytes: string, end: "close" | "stay"): Promise<Server> => {
  const server = createTcpServer((socket) => {
    socket.once("data", () => {
      socket.write(bytes, () => {
        if (end === "close") socket.destroy()
      })
    })
  })
  return listening(server, [], new Set())
}

/** Answers with JSON. */
export const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
