/** A venue whose prices a test moves: it answers over HTTP by docs/venue.md. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A running venue. */
export interface TestVenue extends AsyncDisposable {
  readonly url: string
  /** From now on every output costs so many thousandths of its price; 1000 is the price itself. */
  readonly move: (thousandths: number) => void
  /** Whether it answers at all. */
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

/** Dollars of a whole token. */
const prices: Readonly<Record<string, number>> = { USDC: 1, PSE: 1, WETH: 4_000, ETH: 4_000, SOL: 200, GEO: 0.5 }

/** Small enough that a wallet of the devnet can move a price by much: 5,000 formatUsd by five percent. */
const depthUsd = 100_000

const answerTo = ({ amount, input, output }: Question, thousandths: number) => {
  const inputUsd = (Number(amount) / 10 ** input.decimals) * (prices[input.symbol] ?? 0)
  const outputUsd = inputUsd * (depthUsd / (depthUsd + inputUsd))
  const price = ((prices[output.symbol] ?? 1) * thousandths) / 1_000
  // As many digits as a double holds are enough for a test.
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
      response.end(JSON.stringify(answerTo(question, thousandths)))
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
