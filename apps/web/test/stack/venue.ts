/** A venue over HTTP (docs/venue.md) whose prices a test can move. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A running venue. */
export interface TestVenue extends AsyncDisposable {
  readonly url: string
  /** Sets the price of every output token in thousandths of its base price. */
  readonly move: (thousandths: number) => void
  /** Sets whether the venue responds. */
  readonly open: (opened: boolean) => void
}

interface Asset {
  readonly symbol: string
  readonly decimals: number
}

interface Question {
  readonly input: Asset
  readonly output: Asset
  readonly amount: string
}

/** US dollars per token. */
const prices: Readonly<Record<string, number>> = {
  USDC: 1,
  PSE: 1,
  EURC: 1,
  PLAIN: 1,
  WETH: 4_000,
  ETH: 4_000,
  SOL: 200,
  GEO: 0.5
}

/** Small enough that a devnet wallet can move the price: 5,000 dollars move it by 5%. */
const depthUsd = 100_000

const priceOf = ({ amount, input, output }: Question, thousandths: number) => {
  const inputUsd = (Number(amount) / 10 ** input.decimals) * (prices[input.symbol] ?? 0)
  const outputUsd = inputUsd * (depthUsd / (depthUsd + inputUsd))
  const price = ((prices[output.symbol] ?? 1) * thousandths) / 1_000
  // The precision of a double is enough for a test.
  const units = BigInt(Math.floor((outputUsd / price) * 1e9)) * 10n ** BigInt(output.decimals)
  return { output: `${units / 1_000_000_000n}`, inputUsd: `${inputUsd}`, outputUsd: `${outputUsd}`, at: Date.now() }
}

/** Starts a venue. */
export const openVenue = async (): Promise<TestVenue> => {
  let thousandths = 1_000
  let opened = true
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (!opened) return void response.writeHead(500).end()
      const question = JSON.parse(Buffer.concat(chunks).toString()) as Question
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(priceOf(question, thousandths)))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/price`,
    move: (to) => {
      thousandths = to
    },
    open: (to) => {
      opened = to
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()
  }
}
