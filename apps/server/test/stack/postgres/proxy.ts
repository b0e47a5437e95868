/** A TCP proxy between a server and its PostgreSQL that can be cut, fall silent, or lose notifications. */
import * as Effect from "effect/Effect"
import { createServer, connect, type AddressInfo, type Socket } from "node:net"

/** A proxy that a test controls. */
export interface Wire {
  /** The URL of a database through this proxy. */
  readonly through: (url: string) => string
  /** Closes every connection, and refuses new ones until it is restored. */
  readonly cut: () => void
  readonly mend: () => void
  /** Whether no data passes in either direction while connections stay open. */
  readonly silence: (silent: boolean) => void
  /** Lets new connections work, while silent ones stay silent. */
  readonly renew: () => void
  /** Whether notifications are dropped, as behind a pooler in transaction mode. */
  readonly deafen: (deaf: boolean) => void
  /** How many notifications were dropped. */
  readonly lost: () => number
}

/** The header of a server message: one byte for the type, and four for the length. */
const headerLength = 5
const notification = "A".charCodeAt(0)

/** Splits chunks from the server into whole messages. */
const messagesOf = (take: (message: Buffer) => void) => {
  let left = Buffer.alloc(0)
  return (chunk: Buffer) => {
    left = Buffer.concat([left, chunk])
    while (left.length >= headerLength) {
      const end = 1 + left.readUInt32BE(1)
      if (left.length < end) return
      take(left.subarray(0, end))
      left = left.subarray(end)
    }
  }
}

const open = async (port: number): Promise<Wire & { readonly close: () => Promise<void> }> => {
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  let era = 0
  let isDeaf = false
  let lost = 0
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(port, "127.0.0.1")
    const mine = era
    const isHeard = () => !isSilent && mine === era
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", end).on("close", () => {
        sockets.delete(socket)
        end()
      })
    }
    near.on("data", (chunk: Buffer) => void (isHeard() && far.write(chunk)))
    const hear = messagesOf((message) => {
      if (!isDeaf || message[0] !== notification) near.write(message)
      else lost++
    })
    far.on("data", (chunk: Buffer) => void (isHeard() && hear(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address() as AddressInfo
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    through: (url) => url.replace(/:\d+\//, `:${address.port}/`),
    cut: () => {
      isCut = true
      endAll()
    },
    mend: () => void (isCut = false),
    silence: (silent) => {
      // Data that was dropped is lost, so such a connection stays unusable.
      if (!silent) endAll()
      isSilent = silent
    },
    renew: () => {
      era++
      isSilent = false
    },
    deafen: (deaf) => void (isDeaf = deaf),
    lost: () => lost,
    close: () => {
      endAll()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** A proxy to the PostgreSQL at a port, until the scope closes. */
export const wire = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => open(port)),
    ({ close }) => Effect.promise(close)
  )
