/** A websocket server that announces blocks as a node does, or does not. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"

/** A running server. */
export interface SocketServer {
  readonly url: string
  /** The requests so far, one per connection. */
  readonly requests: ReadonlyArray<string>
  /** The number of open connections. */
  readonly open: () => number
  /** Sends a message to all clients. */
  readonly send: (message: string) => void
  /** Announces a block to all clients. */
  readonly announce: (hash: string) => void
  /** Closes all connections. New connections are still accepted. */
  readonly kill: () => void
}

/** The response to a subscription. */
export const confirmed = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" })

/** The announcement of a block. */
export const announcement = (hash: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "eth_subscription",
    params: { subscription: "0x1", result: { number: "0x1", hash } }
  })

/** Starts a server, which stops when the scope closes. `answer` responds to each subscription. */
export const make = (
  answer: (socket: WebSocket) => void = (socket) => socket.send(confirmed)
): Effect.Effect<SocketServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.callback<WebSocketServer>((resume) => {
        const made: WebSocketServer = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () => {
          resume(Effect.succeed(made))
        })
      }),
      (made) =>
        Effect.callback<void>((resume) => {
          for (const client of made.clients) client.terminate()
          made.close(() => resume(Effect.void))
        })
    )
    const requests: Array<string> = []
    server.on("connection", (socket) => {
      socket.on("error", () => socket.terminate())
      socket.on("message", (data) => {
        requests.push((data as Buffer).toString())
        answer(socket)
      })
    })
    const send = (message: string) => {
      for (const client of server.clients) client.send(message)
    }
    return {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests,
      open: () => server.clients.size,
      send,
      announce: (hash) => send(announcement(hash)),
      kill: () => {
        for (const client of server.clients) client.terminate()
      }
    }
  })
