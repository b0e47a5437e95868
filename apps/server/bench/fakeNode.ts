/**
 * An EVM node that answers at once: every wallet is delegated and rich, and nothing is ever included. A real node under
 * emulation answers 200 requests per second, which would dominate the measurement.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { GeoVault } from "@geoswap/contracts"
import { erc20Abi, keccak256, toFunctionSelector } from "viem"
import { answer } from "./childProcess.ts"
import { chains, contracts, tokens } from "./contracts.ts"

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`
const selectorOf = (abi: typeof GeoVault.abi | typeof erc20Abi, name: string): string => {
  const found = abi.find((item) => item.type === "function" && item.name === name)
  if (found?.type !== "function") throw new Error(`There is no ${name}.`)
  return toFunctionSelector(found)
}

const plenty = 10n ** 60n
const started = Date.now()
const height = (): bigint => 1_000n + BigInt(Math.floor((Date.now() - started) / 1_000))

const calls = new Map([
  [selectorOf(erc20Abi, "balanceOf"), word(plenty)],
  [selectorOf(GeoVault.abi, "isDelegate"), word(1n)],
  [selectorOf(GeoVault.abi, "isRelayer"), word(1n)],
  [selectorOf(GeoVault.abi, "capOf"), word(plenty)],
  [selectorOf(GeoVault.abi, "refundCapOf"), word(plenty)],
  [selectorOf(GeoVault.abi, "sentThisHour"), word(0n)],
  [selectorOf(GeoVault.abi, "refundedThisHour"), word(0n)]
])
const decimals = selectorOf(erc20Abi, "decimals")
const decimalsAt = new Map<string, string>(tokens.map(({ address, decimals }) => [address, word(BigInt(decimals))]))

const ours = new Set<string>([contracts.vault, contracts.delegate, ...tokens.map(({ address }) => address)])

const codeOf = (address: string): `0x${string}` =>
  ours.has(address.toLowerCase()) ? "0x01" : `0xef0100${contracts.delegate.slice(2)}`
const gas = "0xd3c21bcecceda1000000"

const callOf = (to: string, data: string): string => {
  const selector = data.slice(0, 10)
  return (selector === decimals ? decimalsAt.get(to.toLowerCase()) : calls.get(selector)) ?? "0x"
}

/** The size of the code that the service sends to read several words in one call. */
const lensSize = 0x94

/**
 * Reads the words that follow that code. Each has one byte with the length of the calldata (0: code hash, 1: balance),
 * the address, and the calldata.
 */
const readWords = (data: string): string => {
  const input = Buffer.from(data.slice(2), "hex").subarray(lensSize)
  const words: Array<string> = []
  for (let at = 0; at < input.length;) {
    const [length = 0] = input.subarray(at)
    const address = `0x${input.toString("hex", at + 1, at + 21)}`
    const end = at + 21 + length
    const found =
      length === 0
        ? keccak256(codeOf(address))
        : length === 1
          ? word(BigInt(gas))
          : callOf(address, `0x${input.toString("hex", at + 21, end)}`)
    words.push(word(BigInt((found.length - 2) / 2 + 1)).slice(2), found.slice(2).padEnd(64, "0"))
    at = end
  }
  return `0x${words.join("")}`
}

const answers: Readonly<Record<string, (params: ReadonlyArray<unknown>, chainId: number) => unknown>> = {
  eth_chainId: (_, chainId) => `0x${chainId.toString(16)}`,
  eth_blockNumber: () => `0x${height().toString(16)}`,
  eth_getBlockByNumber: ([at]) => {
    const number = typeof at === "string" && at.startsWith("0x") ? at : `0x${height().toString(16)}`
    const seconds = Math.floor(Date.now() / 1_000)
    const hash = word(BigInt(number) + 1n)
    const parentHash = word(BigInt(number))
    return { number, hash, parentHash, timestamp: `0x${seconds.toString(16)}`, baseFeePerGas: "0x3b9aca00" }
  },
  eth_feeHistory: () => ({
    oldestBlock: `0x${height().toString(16)}`,
    baseFeePerGas: ["0x3b9aca00", "0x3b9aca00"],
    gasUsedRatio: [0.5],
    reward: [["0x3b9aca00"]]
  }),
  eth_getCode: ([address]) => codeOf(String(address)),
  eth_getTransactionCount: () => "0x1",
  eth_getBalance: () => gas,
  eth_getStorageAt: () => word(0n),
  eth_estimateGas: () => "0x186a0",
  eth_call: ([call]) => {
    const { data = "", to } = call as { readonly data?: string; readonly to?: string }
    return to === undefined ? readWords(data) : callOf(to, data)
  },
  eth_sendRawTransaction: ([raw]) => keccak256(raw as `0x${string}`),
  eth_getTransactionReceipt: () => null,
  eth_getTransactionByHash: () => null,
  eth_getLogs: () => []
}

let asked = 0

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  const chainId = Number(request.url?.slice(1)) || chains[0].id
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Request | ReadonlyArray<Request>
    const one = ({ id, method, params = [] }: Request) => {
      asked++
      return { jsonrpc: "2.0", id, result: answers[method]?.(params, chainId) ?? null }
    }
    const text = JSON.stringify("method" in body ? one(body) : body.map(one))
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text)
  })
})

answer({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    }),
  asked: () => asked
})
