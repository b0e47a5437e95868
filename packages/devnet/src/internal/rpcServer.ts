/** A JSON-RPC 2.0 server on this machine, over HTTP and websockets on one port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { invalidRequest, parseError, RpcError } from "./rpcError.js"
import { stringify } from "./stringify.js"

/** A call, with at least these fields checked. */
interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** What serves the calls of one connection. All HTTP requests share one connection, which cannot subscribe. */
export interface Connection {
  /**
   * Handles a call. Returns the members of the response after `jsonrpc` and `id`, as JSON: `"result":…`. Fails with an
   * `RpcError`.
   */
  readonly respond: (call: Call) => string | Promise<string>
  readonly close: () => void
}

/** Sends a notification. */
export type Notify = (message: string) => void

/** Options for a server. */
export interface Options {
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /** The maximum size of a request in bytes. */
  readonly maxBody: number
  /** Opens a connection. Without `notify`, it is the connection of all HTTP requests. */
  readonly connect: (notify?: Notify) => Connection
}

/** A listening server. */
export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
  /** Resolves with the reason if the server stops listening without being closed. */
  readonly died: Promise<string>
}

const errorMembers = (error: unknown): string => {
  const { code, data, message } =
    error instanceof RpcError ? error : new RpcError(-32603, `Internal error: ${String(error)}`)
  return `"error":${stringify({ code, message, ...(data !== undefined && { data }) })}`
}

const envelope = (id: unknown, members: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members}}`

const parse = (given: unknown): { readonly id: unknown; readonly isNotification: boolean; readonly call: Call } => {
  const request = (typeof given === "object" && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  const { id = null, jsonrpc, method, params = [] } = request
  if (jsonrpc !== "2.0" || typeof method !== "string") throw invalidRequest()
  if (!Array.isArray(params)) throw new RpcError(-32602, "Invalid params: expected an array")
  return { id, isNotification: !("id" in request), call: { method, params: params as ReadonlyArray<unknown> } }
}

const idOf = (given: unknown): unknown =>
  typeof given === "object" && given !== null && "id" in given ? (given.id ?? null) : null

/** Handles one call. Returns undefined for a notification. */
const answer = async ({ respond }: Connection, given: unknown): Promise<string | undefined> => {
  try {
    const { call, id, isNotification } = parse(given)
    const members = await respond(call)
    return isNotification ? undefined : envelope(id, members)
  } catch (error) {
    return envelope(idOf(given), errorMembers(error))
  }
}

/** Handles a request with one call or a batch, whose calls run in order. Returns undefined if no response is required. */
const answerText = async (connection: Connection, text: string): Promise<string | undefined> => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return envelope(null, errorMembers(parseError()))
  }
  if (!Array.isArray(given)) return answer(connection, given)
  if (given.length === 0) return envelope(null, errorMembers(invalidRequest()))
  const answers: Array<string> = []
  for (const one of given as ReadonlyArray<unknown>) {
    const text = await answer(connection, one)
    if (text !== undefined) answers.push(text)
  }
  return answers.length === 0 ? undefined : `[${answers.join()}]`
}

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST, GET, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400"
}

const serve = (connection: Connection, maxBody: number, request: IncomingMessage, response: ServerResponse): void => {
  const end = (status: number, body = "", type = "text/plain") =>
    void response.writeHead(status, { ...cors, "content-type": type }).end(body)
  if (request.method === "OPTIONS") return end(204)
  if (request.method === "GET" && request.url === "/health") return end(200, "ok")
  if (request.method !== "POST") return end(405, "Used HTTP Method is not allowed. POST or OPTIONS is required\n")
  const chunks: Array<Buffer> = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBody) chunks.push(chunk)
  })
  request.on("end", () => {
    if (size > maxBody) return end(413, "Payload Too Large\n")
    void answerText(connection, Buffer.concat(chunks).toString()).then((body) => end(200, body, "application/json"))
  })
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject)
      resolve()
    })
  })

/** Starts a server. Rejects with the operating system's error if the port cannot be used. */
export const start = async ({ connect, maxBody, port }: Options): Promise<Listening> => {
  const shared = connect()
  const server = createServer((request, response) => serve(shared, maxBody, request, response))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBody })
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
      const connection = connect((message) => client.send(message))
      client.on("message", (data) => {
        void answerText(connection, (data as Buffer).toString()).then((text) => {
          if (text !== undefined) client.send(text)
        })
      })
      client.on("error", () => client.terminate())
      client.on("close", connection.close)
    })
  )
  await listen(server, port)
  let closing = false
  const died = new Promise<string>((resolve) => {
    server.on("error", (error) => resolve(error.message))
    server.on("close", () => {
      if (!closing) resolve("its server was closed")
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    died,
    close: () =>
      new Promise((resolve) => {
        closing = true
        for (const client of sockets.clients) client.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
