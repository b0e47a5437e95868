/** The minimum work of a quote: parse, compare the key, price, seal, and write JSON. No framework, no limits, no checks. */
import { createCipheriv, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto"

interface Request {
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  readonly amount: string
  readonly walletAddress: string
}

/** A dollar price and a depth, scaled as in the table of prices. */
interface Pool {
  readonly usd: bigint
  readonly depth: bigint
  readonly units: bigint
}

const unit = 10n ** 20n
const usdc: Pool = { usd: unit, depth: 1_000_000_000n * unit, units: 10n ** 6n }
const weth: Pool = { usd: 4_000n * unit, depth: 50_000_000n * unit, units: 10n ** 18n }
const gasPrice = 2_000_000_000n

const price = (from: Pool, to: Pool, amount: bigint): bigint => {
  const value = amount * from.usd
  const depths = from.depth * to.depth
  return (value * depths * to.units) / ((depths * from.units + value * (from.depth + to.depth)) * to.usd)
}

const sealKey = createSecretKey(randomBytes(32))

const seal = (text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(Buffer.from("quote evm k1 bench account"))
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `gq1.k1.${sealed.toString("base64url")}`
}

const dollars = (amount: bigint, { units, usd }: Pool): string => (Number((amount * usd) / units) / 1e20).toFixed(2)

/** Creates the handler for an API key. Returns the response body, or `undefined` if the key is wrong. */
export const quoteFloor = (apiKey: string): ((sent: string, body: string) => string | undefined) => {
  const known = Buffer.from(apiKey)
  return (sent, body) => {
    const given = Buffer.from(sent)
    if (given.length !== known.length || !timingSafeEqual(given, known)) return undefined
    const { amount: text, walletAddress: wallet, ...pair } = JSON.parse(body) as Request
    const amount = BigInt(text)
    const networkCost = price(weth, usdc, 76_000n * gasPrice) + price(weth, usdc, 75_000n * gasPrice) + 2n
    const net = amount - networkCost - (amount + 999n) / 1_000n
    const output = price(usdc, weth, net)
    const minOutput = (output * 9_950n) / 10_000n
    const expiresAt = Date.now() + 30_000
    const terms = { output: `${output}`, minOutput: `${minOutput}`, feeBps: 10, networkCost: `${networkCost}` }
    const geoQuoteToken = seal(
      JSON.stringify({
        orderId: `0x${randomBytes(32).toString("hex")}`,
        expiresAt,
        ...pair,
        wallet,
        recipient: wallet,
        amount: text,
        ...terms,
        opensAccount: false,
        deliveryGas: "75000"
      })
    )
    const [inputUsd, outputUsd] = [dollars(amount, usdc), dollars(output, weth)]
    return JSON.stringify({
      geoQuoteToken,
      ...terms,
      expiresAt: new Date(expiresAt).toISOString(),
      origin: "evm",
      inputUsd,
      outputUsd,
      priceImpactBps: -10,
      warnings: []
    })
  }
}
