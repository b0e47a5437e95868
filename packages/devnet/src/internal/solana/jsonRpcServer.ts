/** JSON-RPC 2.0 over HTTP and websockets, with 64-bit integers as JSON numbers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import type { Method } from "./params.js"
import { invalidRequest, methodNotFound, parseError, RpcError } from "./rpcError.js"

/** The maximum size of a request body in bytes, as in a real node. */
const maxBody = 50 * 1024

const raw = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** Serializes bigints as JSON numbers, which clients such as Kit read without losing precision. */
export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? raw(inner.toString()) : inner))

type Methods = Readonly<Record<string, Method>>

interface Request {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const failure = (error: unknown, id: unknown) => {
  const { code, data, message } =
    error instanceof RpcError ? error : new RpcError(-32603, `Internal error: ${String(error)}`)
  return { jsonrpc: "2.0", error: { code, message, ...(data !== undefined && { data }) }, id }
}

/** Handles one call. Returns undefined for a notification. */
const answer = (methods: Methods, given: unknown): unknown => {
  const request = (typeof given === "object" && given !== null ? given : {}) as Request
  const { id = null, jsonrpc, method, params = [] } = request
  try {
    if (jsonrpc !== "2.0" || typeof method !== "string") throw invalidRequest()
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (run === undefined) throw methodNotFound()
    if (!Array.isArray(params)) throw new RpcError(-32602, "Invalid params: expected an array")
    const result = run(params as ReadonlyArray<unknown>)
    return "id" in request ? { jsonrpc: "2.0", result, id } : undefined
  } catch (error) {
    return failure(error, id)
  }
}

/** Handles a request with one call or a batch. Returns undefined if no response is required. */
const respond = (methods: Methods, text: string): string | undefined => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return stringify(failure(parseError(), null))
  }
  if (!Array.isArray(given)) {
    const one = answer(methods, given)
    return one === undefined ? undefined : stringify(one)
  }
  if (given.length === 0) return stringify(failure(invalidRequest(), null))
  const all = given.map((one: unknown) => answer(methods, one)).filter((one) => one !== undefined)
  return all.length === 0 ? undefined : stringify(all)
}

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST, GET, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400"
}

const serve = (methods: Methods, request: IncomingMessage, response: ServerResponse): void => {
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
    const body = respond(methods, Buffer.concat(chunks).toString())
    return end(200, body, "application/json")
  })
}

/** Adds the methods for one connection, such as subscriptions. */
export type Connect = (send: (message: unknown) => void) => { readonly methods: Methods; readonly close: () => void }

/** A listening server. */
export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
  /** Resolves with the reason if the server stops listening without being closed. */
  readonly died: Promise<string>
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject)
      resolve()
    })
  })

/**
 * Listens for HTTP and websocket connections on one port on this machine. Rejects with the operating system's error if
 * the port cannot be used.
 */
export const start = async (port: number, methods: Methods, connect: Connect): Promise<Listening> => {
  const server = createServer((request, response) => serve(methods, request, response))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBody })
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
      const connection = connect((message) => client.send(stringify(message)))
      const all = { ...methods, ...connection.methods }
      client.on("message", (data) => {
        const said = respond(all, (data as Buffer).toString())
        if (said !== undefined) client.send(said)
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
