/** A venue for tests: it answers over HTTP as docs/venue.md describes, or misbehaves on request. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** The fault of a token's price. */
type Mood =
  /** The price is this many thousandths of the normal one. */
  | { readonly type: "moved"; readonly thousandths: number }
  /** The output is worth ten times as much as the input. */
  | { readonly type: "absurd" }
  /** The price is a minute old. */
  | { readonly type: "stale" }
  | { readonly type: "status"; readonly status: number }
  /** There is no response. */
  | { readonly type: "silent" }

/** A running venue. */
export interface TestVenue {
  readonly url: string
  /** Changes the responses for an output, by its address. */
  readonly set: (output: string, mood: Mood | undefined) => void
  /** The addresses of the inputs that an output was requested for since its responses were changed. */
  readonly askedSince: (output: string) => ReadonlySet<string>
  /** Refuses every connection until it is up again. */
  readonly down: () => Promise<void>
  readonly up: () => Promise<void>
}

interface Asset {
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** Cents per whole token. */
const cents: Readonly<Record<string, bigint>> = { USDC: 100n, WETH: 400_000n, ETH: 400_000n, SOL: 20_000n, GEO: 50n }

const priced = (input: Asset, output: Asset, amount: bigint, thousandths: bigint): bigint =>
  (amount * (cents[input.symbol] ?? 0n) * 10n ** BigInt(output.decimals) * 1000n) /
  ((cents[output.symbol] ?? 1n) * thousandths * 10n ** BigInt(input.decimals))

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

/** Starts a venue with the service's clock. The caller stops it with `down`. */
export const openVenue = async (now: () => number = Date.now): Promise<TestVenue> => {
  const moods = new Map<string, Mood>()
  const asked = new Map<string, Set<string>>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { amount, input, output } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly input: Asset
        readonly output: Asset
        readonly amount: string
      }
      const mood = moods.get(output.address.toLowerCase())
      asked.get(output.address.toLowerCase())?.add(input.address)
      if (mood?.type === "silent") return
      if (mood?.type === "status") return json(response, mood.status, {})
      const thousandths = mood?.type === "moved" ? BigInt(mood.thousandths) : 1000n
      json(response, 200, {
        output: `${priced(input, output, BigInt(amount), thousandths)}`,
        at: now() - (mood?.type === "stale" ? 60_000 : 0),
        ...(mood?.type === "absurd" && { inputUsd: "10.00", outputUsd: "100.00" })
      })
    })
  })
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    })
  const port = await listen(0)
  return {
    url: `http://127.0.0.1:${port}/price`,
    askedSince: (output) => asked.get(output.toLowerCase()) ?? new Set(),
    set: (output, mood) => {
      asked.set(output.toLowerCase(), new Set())
      if (mood === undefined) moods.delete(output.toLowerCase())
      else moods.set(output.toLowerCase(), mood)
    },
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    up: async () => void (await listen(port))
  }
}
