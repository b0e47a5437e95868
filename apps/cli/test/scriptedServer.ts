/** The scripted service of core over HTTP, for the built program. It needs no chain, and can lie. */
import type { Transport } from "@geoswap/core"
import { ScriptedTransport, Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { library } from "../../../tooling/testing/evm/chainLibrary.js"
import { home, type Workspace } from "./runCli.js"

/** USDC on Base, which has 6 decimals. */
export const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

/** WETH on Arbitrum One. */
export const weth = "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"

const bodyOf = async (stream: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A scripted service, and a user with a key who has configured it. */
export interface Scripted {
  readonly service: ScriptedTransport.ScriptedTransport
  readonly url: string
  readonly workspace: Workspace
  /** Writes the configuration: the service, the pinned contracts, and these fields. */
  readonly configure: (fields: object) => void
  readonly configFile: string
  /** Changes the body of every following response of an endpoint. */
  readonly rewrite: (endpoint: Transport.Endpoint, change: (body: string) => string) => void
  /** Calls a function with every following request and the body of its response, if the request succeeds. */
  readonly observe: (see: (endpoint: Transport.Endpoint, request: string, response: string) => void) => void
  /** Gives every following operation a new nonce, even one that replaces a rejected operation. */
  readonly giveNewNonces: () => void
  /** The nonces of the submitted operations. Two operations with the same nonce cannot both be executed. */
  readonly nonces: () => ReadonlySet<string>
  /** The amount of each submitted operation, in smallest units. */
  readonly paid: () => ReadonlyArray<bigint>
}

/** Adds a total cost to a quote, as most services do. */
export const withTotalCost = (body: string): string =>
  JSON.stringify({ priceImpactBps: -10, ...(JSON.parse(body) as object) })

/** Starts a service that settles every swap at once; the scope stops it. */
export const open: Effect.Effect<Scripted, never, Scope.Scope> = Effect.gen(function* () {
  const service = ScriptedTransport.make({ library })
  service.ends("settled", 0)
  const operations = new Map<string, { readonly amount: string; readonly nonce: string }>()
  let newNonces = false
  let see: Parameters<Scripted["observe"]>[0] = () => undefined
  const rewrites = new Map<string, (body: string) => string>([["quote", withTotalCost]])
  const answer = async (incoming: IncomingMessage) => {
    const { method = "GET", url: path = "/" } = incoming
    const endpoint = (path.split("?")[0] ?? "").split("/")[2] as Transport.Endpoint
    const sent = await bodyOf(incoming)
    const body = newNonces ? sent.replace("previousGeoOpToken", "ignored") : sent
    const honest = await Effect.runPromise(
      service.send({ endpoint, method: method as "GET" | "POST", path, ...(body !== "" && { body }) })
    )
    const change = honest.status === 200 ? rewrites.get(endpoint) : undefined
    const told = change === undefined ? honest : { ...honest, body: change(honest.body) }
    if (told.status === 200) see(endpoint, sent, told.body)
    return told
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      ({ body, headers, status }) => {
        const { geoOp, geoOpToken } = JSON.parse(body) as {
          readonly geoOpToken?: string
          readonly geoOp?: { readonly amount: string; readonly nonce: string }
        }
        if (geoOpToken !== undefined && geoOp !== undefined) operations.set(geoOpToken, geoOp)
        outgoing.writeHead(status, headers).end(body)
      },
      () => incoming.socket.destroy()
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = yield* home
  const workspace: Workspace = {
    folder: own.folder,
    environment: { ...own.environment, GEOSWAP_API_KEY: "key", GEOSWAP_EVM_KEY: Vectors.evmKey.privateKey }
  }
  const configFile = join(own.environment["HOME"] ?? "", ".config", "geoswap", "config.json")
  /** The operations that were submitted. On a slow machine, a request times out and the same bytes are sent again. */
  const submitted = () =>
    [...new Set(service.seen("submit").map(({ body }) => String(body["geoOpToken"])))].map((token) => {
      const operation = operations.get(token)
      if (operation === undefined) throw new Error("A submitted operation was never built.")
      return operation
    })
  return {
    service,
    url,
    workspace,
    configFile,
    configure: (fields) => {
      mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 })
      const { evmDeployment } = Vectors
      const deployments = { 8453: evmDeployment, 42161: evmDeployment }
      writeFileSync(configFile, JSON.stringify({ service: { url }, deployments, ...fields }), { mode: 0o600 })
    },
    rewrite: (endpoint, change) => void rewrites.set(endpoint, change),
    observe: (next) => {
      see = next
    },
    giveNewNonces: () => {
      newNonces = true
    },
    nonces: () => new Set(submitted().map(({ nonce }) => nonce)),
    paid: () => submitted().map(({ amount }) => BigInt(amount))
  }
})
