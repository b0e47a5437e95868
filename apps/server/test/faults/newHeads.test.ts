import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { expect } from "vitest"
import * as evm from "../stack/evm.js"
import { eachChain, make, play, type Setup, startSwap, timeout, until } from "../stack/fixture.js"
import { devnetLayer } from "../stack/stack.js"

const usdc = 1_000_000n

/** A relay to a node's websocket, whose connections a test can cut. */
const relayTo = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<Relay>((resume) => {
      const { hostname, port } = new URL(url)
      const sockets = new Set<Socket>()
      const state = { isCut: false, connections: 0, bytes: 0 }
      const track = (socket: Socket, other: Socket) => {
        sockets.add(socket)
        socket.on("error", () => socket.destroy())
        socket.on("close", () => {
          sockets.delete(socket)
          other.destroy()
        })
      }
      const server = createServer((client) => {
        if (state.isCut) return void client.destroy()
        state.connections += 1
        const upstream = connect(Number(port), hostname)
        track(client, upstream)
        track(upstream, client)
        upstream.on("data", ({ length }) => (state.bytes += length))
        client.pipe(upstream).pipe(client)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port: own } = server.address() as AddressInfo
        const drop = () => {
          for (const socket of sockets) socket.destroy()
        }
        resume(
          Effect.succeed({
            url: `ws://127.0.0.1:${own}`,
            connections: () => state.connections,
            bytes: () => state.bytes,
            cut: () => {
              state.isCut = true
              drop()
            },
            mend: () => void (state.isCut = false),
            close: () => {
              drop()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

interface Relay {
  readonly url: string
  /** The number of connections so far. */
  readonly connections: () => number
  /** The number of bytes that the node has sent. */
  readonly bytes: () => number
  /** Closes all connections, and accepts none. */
  readonly cut: () => void
  /** Accepts connections again. */
  readonly mend: () => void
  readonly close: () => void
}

/** The websocket of each chain. */
const withSockets = (urls: ReadonlyMap<number, string>) =>
  eachChain((chain) => (chain.kind === "evm" ? { ...chain, wsUrls: [urls.get(chain.id) ?? ""] } : chain))

const begin = async ({ devnet, running }: Pick<Setup, "devnet" | "running">) => {
  const wallet = await evm.newDelegated(devnet, devnet.evmA, { USDC: 10n * usdc })
  return () => startSwap({ devnet, running }, wallet)
}

describe("a node that announces its blocks", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "makes swaps settle, also if its socket fails in the middle, and is connected again",
      () =>
        Effect.gen(function* () {
          const { evmA, evmB } = yield* Devnet.Devnet
          const [first, second] = [yield* relayTo(evmA.wsUrl), yield* relayTo(evmB.wsUrl)]
          const change = withSockets(
            new Map([
              [evmA.id, first.url],
              [evmB.id, second.url]
            ])
          )
          yield* play(
            async () => ({ change, props: undefined }),
            async ({ devnet, running }) => {
              const [one, two, three] = [
                await begin({ devnet, running }),
                await begin({ devnet, running }),
                await begin({ devnet, running })
              ]
              // On a slow machine, a swap can settle without waiting for a block, and then nothing is connected.
              await make(evmA.hold)
              await make(evmB.hold)
              const connecting = await one()
              await until(() => first.connections() > 0)
              await make(evmA.release)
              await until(() => second.connections() > 0)
              await make(evmB.release)
              expect((await connecting.ended).status).toBe("settled")

              // The next swap waits for its first block on a chain that announces blocks.
              await make(evmA.hold)
              const before = first.bytes()
              const cut = await two()
              await make(evmA.mine())
              await until(() => first.bytes() > before)
              first.cut()
              second.cut()
              const connections = first.connections()
              await make(evmA.release)
              expect((await cut.ended).status).toBe("settled")
              expect(first.connections()).toBe(connections)

              first.mend()
              second.mend()
              await make(evmA.hold)
              const mended = await three()
              await until(() => first.connections() > connections)
              await make(evmA.release)
              expect((await mended.ended).status).toBe("settled")
            }
          )
        }),
      timeout
    )
  })
})
