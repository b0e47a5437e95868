/** Files as they go over the wire: as they are, or compressed, each made once. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** By preference. */
const encodings = ["br", "gzip"] as const
export type Encoding = (typeof encodings)[number]

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** Nearly as small as the best, in a tenth of its time: the first visitor waits for it. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const compress = (encoding: Encoding, bytes: Uint8Array): Promise<Uint8Array> =>
  encoding === "br" ? brotli(bytes, quality) : zip(bytes, { level: 9 })

/** `Accept-Encoding` by RFC 9110: how much each is wanted, from 0 to 1. */
const wishesOf = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((word) => word.trim())
        const weight = parameters.find((parameter) => parameter.startsWith("q="))
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
      })
  )

/** The encoding that a client likes best, if it takes one. */
export const preferred = (accepted: string | undefined): Encoding | undefined => {
  if (accepted === undefined) return undefined
  const wishes = wishesOf(accepted)
  const [best] = encodings
    .map((encoding) => ({ encoding, wish: wishes.get(encoding) ?? wishes.get("*") ?? 0 }))
    .filter(({ wish }) => wish > 0)
    .toSorted((one, other) => other.wish - one.wish)
  return best?.encoding
}

/** What is smaller than this is sent as it is. */
const worthBytes = 512

/** The bytes in an encoding, or nothing where they would be no fewer. Made by the first who asks, for all. */
export const compressed = (bytes: Uint8Array): ((encoding: Encoding) => Promise<Uint8Array | undefined>) => {
  const made = new Map<Encoding, Promise<Uint8Array | undefined>>()
  const make = async (encoding: Encoding): Promise<Uint8Array | undefined> => {
    const smaller = await compress(encoding, bytes)
    return smaller.length < bytes.length ? smaller : undefined
  }
  return (encoding) => {
    const known = made.get(encoding) ?? (bytes.length < worthBytes ? Promise.resolve(undefined) : make(encoding))
    made.set(encoding, known)
    return known
  }
}
