/** Raw HTTP requests, and a way to send one outside of the load. */
import { chains, tokens } from "./contracts.ts"

const head = (method: string, path: string, key: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n`

/** A whole GET request. */
export const get = (path: string, key: string): string => `${head("GET", path, key)}\r\n`

/** A whole POST request with JSON. */
export const post = (path: string, key: string, body: object): string => {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return `${head("POST", path, key)}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`
}

const [one, two] = chains
const [usdc, weth] = tokens

/** 10 USDC on the first chain into WETH on the second. */
export const quoteOf = (wallet: string) => ({
  originChain: one.id,
  destinationChain: two.id,
  inputToken: usdc.address,
  outputToken: weth.address,
  amount: "10000000",
  walletAddress: wallet
})

/** A caller of one server. */
export interface Caller {
  readonly port: number
  readonly key: string
}

const send = async ({ key, port }: Caller, path: string, body?: object): Promise<Response> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

/** Sends a request that must succeed. */
export const call = async <A>(caller: Caller, path: string, body?: object): Promise<A> =>
  (await (await send(caller, path, body)).json()) as A

/** Headers that Node adds automatically, or that differ in every response. */
const own = new Set(["connection", "content-length", "date", "keep-alive", "x-request-id"])

/** A response that the baseline imitates. */
export const sampleOf = async (caller: Caller, path: string, body?: object) => {
  const response = await send(caller, path, body)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)))
  return { headers, body: (await response.json()) as unknown }
}
