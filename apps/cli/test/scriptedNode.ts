/** Scripted nodes: canned JSON-RPC responses. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { encodeAbiParameters, toFunctionSelector } from "viem"

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: ReadonlyArray<{ readonly to?: string; readonly data?: string }>
}

/** The answer to a call that never gets a response. */
const noResponse = Symbol("no response")

/** Starts a server that answers calls by method. A URL is answered with a redirect. */
const serve = (answer: (call: Call) => unknown): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => void chunks.push(chunk))
          request.on("end", () => {
            const call = JSON.parse(Buffer.concat(chunks).toString()) as Call
            const result = answer(call)
            if (result === noResponse) return
            if (result instanceof URL) return void response.writeHead(307, { location: result.href }).end()
            const error = { code: 3, message: "execution reverted" }
            response.setHeader("content-type", "application/json")
            response.end(
              JSON.stringify({ jsonrpc: "2.0", id: call.id, ...(result === undefined ? { error } : { result }) })
            )
          })
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close().closeAllConnections())
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/secret-of-the-node`
  )

/** A node that redirects every call. */
export const redirectingNode = (to: string) => serve(() => new URL(to))

/** A node of an EVM chain with one token. */
export const evmNode = (chainId: number, token: { readonly symbol?: string; readonly decimals?: number } | undefined) =>
  serve(({ method, params: [first] = [] }) => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`
    if (method === "eth_getCode") return token === undefined ? "0x" : "0x6000"
    if (method !== "eth_call") return undefined
    if (first?.data === "0x313ce567" && token?.decimals !== undefined) {
      return encodeAbiParameters([{ type: "uint8" }], [token.decimals])
    }
    return first?.data === "0x95d89b41" && token?.symbol !== undefined
      ? encodeAbiParameters([{ type: "string" }], [token.symbol])
      : undefined
  })

/** A node of an EVM chain where every account has this nonce, and every contract this code. */
export const nonceNode = (chainId: number, nonce: number, code = "0x6000") =>
  serve(({ method, params: [first] = [] }) => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`
    if (method === "eth_getCode")
      return JSON.stringify(first).toLowerCase() === JSON.stringify(Vectors.evmKey.address) ? "0x" : code
    return method === "eth_getTransactionCount" ? `0x${nonce.toString(16)}` : undefined
  })

/** A node of an EVM chain with a vault that accepts wallets delegated to these contracts. */
export const vaultNode = (chainId: number, accounts: ReadonlyArray<string>) =>
  serve(({ method, params: [first] = [] }) => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`
    if (method !== "eth_call") return undefined
    const asked = `0x${String(first?.data).slice(-40)}`
    return encodeAbiParameters([{ type: "bool" }], [accounts.includes(asked)])
  })

/** A node of a Solana network where every account is this mint. */
export const solanaNode = (genesis: string, decimals: number) =>
  serve(({ method }) => {
    if (method === "getGenesisHash") return genesis
    const data = Buffer.alloc(82)
    data[44] = decimals
    // The mint is initialized.
    data[45] = 1
    return {
      context: { slot: 1 },
      value: {
        data: [data.toString("base64"), "base64"],
        executable: false,
        lamports: 1,
        owner: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        rentEpoch: 0,
        space: 82
      }
    }
  })

/**
 * A node of an EVM chain whose contracts are price feeds with 8 decimals and this answer. `holds` is called with every
 * read of a price, and returns whether the read gets no response.
 */
export const feedNode = (
  chainId: number,
  feed: () => { readonly answer: bigint; readonly updatedAt: number },
  holds: () => boolean = () => false
) =>
  serve(({ method, params: [first] = [] }) => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`
    if (method !== "eth_call") return undefined
    if (first?.data === toFunctionSelector("decimals()")) return encodeAbiParameters([{ type: "uint8" }], [8])
    const { answer, updatedAt } = feed()
    if (first?.data !== toFunctionSelector("latestRoundData()")) return undefined
    return holds()
      ? noResponse
      : encodeAbiParameters(
          [{ type: "uint80" }, { type: "int256" }, { type: "uint256" }, { type: "uint256" }, { type: "uint80" }],
          [1n, answer, BigInt(updatedAt), BigInt(updatedAt), 1n]
        )
  })
