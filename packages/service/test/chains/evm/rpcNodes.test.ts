import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { PublicClient } from "viem"
import * as Node from "../../../src/chains/evm/nodes/rpcNodes.js"
import type * as Config from "../../../src/config/Config.js"

interface Call {
  readonly id: number
  readonly method: string
}

/** A scripted node, and the requests to it. An answer may take long on a busy machine. */
const nodeThat = (
  answer: (calls: ReadonlyArray<Call>, response: ServerResponse) => void,
  timeoutMillis: number = 20_000
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          let body = ""
          request.on("data", (chunk: Buffer) => (body += chunk.toString()))
          request.on("end", () => answer(JSON.parse(body) as ReadonlyArray<Call>, response))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    ),
    (server) => {
      const config: Config.EvmChain = {
        kind: "evm",
        id: 1,
        name: "one",
        rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
        pollMillis: 50,
        timeoutMillis,
        maxConcurrent: 256,
        tokens: [],
        native: { symbol: "ETH" },
        vaults: [
          {
            address: "0x00000000000000000000000000000000000000aa",
            delegate: "0x00000000000000000000000000000000000000bb"
          }
        ],
        finality: [{ after: { blocks: 1 } }],
        stuckAfterMillis: 1_000,
        maxBatch: 10,
        maxFeePerGas: 1n,
        feeModel: "l1",
        exposure: {
          gasPerWallet: 10_000_000,
          gasPerVisitor: 5_000_000,
          gasPerAccount: 200_000_000,
          gasPerChain: 1_000_000_000
        },
        losses: { gasPerHour: 5_000_000, strikes: 3 },
        payments: {
          permit2: false,
          targets: [],
          strikesPerTarget: 30,
          inFlightPerTarget: 50
        },
        keys: { relayer: "KEY" }
      }
      const { ask } = Node.make(config)
      const one = (method: "eth_blockNumber" | "eth_chainId") =>
        ask(method, ({ request }: PublicClient) => request({ method }))
      return Effect.all([Effect.result(one("eth_blockNumber")), Effect.result(one("eth_chainId"))], {
        concurrency: "unbounded"
      })
    }
  )

const answersTo = (calls: ReadonlyArray<Call>) =>
  calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : "0x64" }))

const json = { "content-type": "application/json" }

describe("the RPC nodes of an EVM chain", () => {
  it.effect("receive concurrent requests as one batch, and may answer in any order", () =>
    Effect.gen(function* () {
      let requests = 0
      const asked = yield* nodeThat((calls, response) => {
        requests++
        response.writeHead(200, json).end(JSON.stringify(answersTo(calls).toReversed()))
      })
      expect(yield* asked).toMatchObject([{ success: "0x64" }, { success: "0x1" }])
      expect(requests).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.effect("do not mix up answers of a batch", () =>
    Effect.gen(function* () {
      const asked = yield* nodeThat((calls, response) => {
        response.writeHead(200, json).end(JSON.stringify(answersTo(calls).slice(1)))
      })
      const failure = { _tag: "ChainUnavailable", timeout: false }
      expect(yield* asked).toMatchObject([{ failure }, { failure }])
    }).pipe(Effect.scoped)
  )

  it.effect("time out if they stop in the middle of an answer", () =>
    Effect.gen(function* () {
      const asked = yield* nodeThat((calls, response) => {
        response.writeHead(200, json)
        response.write(JSON.stringify(answersTo(calls)).slice(0, 20))
      }, 300)
      const failure = { _tag: "ChainUnavailable", timeout: true }
      expect(yield* asked).toMatchObject([{ failure }, { failure }])
    }).pipe(Effect.scoped)
  )

  it.effect("are unavailable if they redirect, and are not followed", () =>
    Effect.gen(function* () {
      let requests = 0
      const asked = yield* nodeThat((calls, response) => {
        requests++
        if (requests === 1) response.writeHead(307, { location: "/elsewhere/secret-key" }).end()
        else response.writeHead(200, json).end(JSON.stringify(answersTo(calls)))
      })
      const message = expect.stringMatching(/^127\.0\.0\.1:\d+ responded to eth_\w+ with a redirect, [^/]+$/) as string
      const failure = { _tag: "ChainUnavailable", timeout: false, message }
      expect(yield* asked).toMatchObject([{ failure }, { failure }])
      expect(requests).toBe(1)
    }).pipe(Effect.scoped)
  )

  for (const [what, body] of Object.entries({
    "one refusal for all": JSON.stringify({
      jsonrpc: "2.0",
      id: null,
      error: { code: 3, message: "execution reverted" }
    }),
    "a page": "<html>Welcome</html>",
    nothing: "",
    null: "null",
    "a list of nothing": "[null,null]"
  })) {
    it.effect(`are unavailable if they answer with ${what}`, () =>
      Effect.gen(function* () {
        const asked = yield* nodeThat((_calls, response) => void response.writeHead(200, json).end(body))
        const failure = { _tag: "ChainUnavailable", timeout: false }
        expect(yield* asked).toMatchObject([{ failure }, { failure }])
      }).pipe(Effect.scoped)
    )
  }
})
