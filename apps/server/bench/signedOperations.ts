/** Operations that are built and signed, ready to be submitted. */
import type { Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { call, type Caller, quoteOf } from "./rawHttp.ts"

interface Ready {
  readonly caller: Caller
  readonly body: { readonly geoOpToken: string; readonly signature: string }
}

/** Swaps of 50 wallets in turn. */
const wallets = Array.from({ length: 50 }, () => privateKeyToAccount(generatePrivateKey()))

const one = async (caller: Caller, index: number): Promise<Ready> => {
  const wallet = wallets[index % wallets.length]
  if (wallet === undefined) throw new Error("There are wallets.")
  const { geoQuoteToken } = await call<{ readonly geoQuoteToken: string }>(
    caller,
    "/swap/quote",
    quoteOf(wallet.address)
  )
  const { geoOpHash, geoOpToken } = await call<{ readonly geoOpHash: Hex; readonly geoOpToken: string }>(
    caller,
    "/swap/build-geo-op",
    { geoQuoteToken }
  )
  return { caller, body: { geoOpToken, signature: await wallet.signMessage({ message: { raw: geoOpHash } }) } }
}

/** An operation can be submitted for 90 seconds. Operations that are ready within this time are submitted in time. */
const prepareMillis = 20_000

/** Prepares that many operations with all servers in turn, or fewer on a slow machine. */
export const prepare = async (callers: ReadonlyArray<Caller>, count: number): Promise<ReadonlyArray<Ready>> => {
  const ready: Array<Ready> = []
  const end = Date.now() + prepareMillis
  let next = 0
  const work = async () => {
    while (next < count && Date.now() < end) {
      const index = next++
      const caller = callers[index % callers.length]
      if (caller !== undefined) ready.push(await one(caller, index))
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  return ready
}
