/** A TCP proxy that a test can cut: the browser's offline mode keeps open connections. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A running proxy. */
export interface CuttableProxy extends AsyncDisposable {
  readonly url: string
  /** Closes every connection and refuses new ones until `restore`. */
  readonly cut: () => void
  readonly restore: () => void
}

/** Starts a proxy to a server. */
export const openCuttableProxy = async (target: string): Promise<CuttableProxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let up = true
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    // Closing one socket closes the other.
    socket.on("error", () => socket.destroy())
  }
  const server = createServer((near) => {
    if (!up) return void near.destroy()
    const far = connect(Number(port), hostname)
    keep(near)
    keep(far)
    near.pipe(far).pipe(near)
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const cut = () => {
    up = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      up = true
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      await server[Symbol.asyncDispose]()
    }
  }
}
