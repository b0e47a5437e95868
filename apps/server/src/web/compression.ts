/** Negotiates compression, and compresses each file once. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The supported encodings, in order of preference. */
const encodings = ["br", "gzip"] as const
export type Encoding = (typeof encodings)[number]

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * This quality compresses nearly as well as the maximum quality, but takes a tenth of the time. Speed matters because
 * the first visitor has to wait for the compression.
 */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const compress = (encoding: Encoding, bytes: Uint8Array): Promise<Uint8Array> =>
  encoding === "br" ? brotli(bytes, quality) : zip(bytes, { level: 9 })

/** The weights in `Accept-Encoding` (RFC 9110), from 0 to 1. */
const weightsOf = (accepted: string): ReadonlyMap<string, number> =>
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

/** Returns the client's preferred encoding, if the client accepts any of the supported ones. */
export const preferred = (accepted: string | undefined) => {
  if (accepted === undefined) return undefined
  const weights = weightsOf(accepted)
  const [best] = encodings
    .map((encoding) => ({ encoding, weight: weights.get(encoding) ?? weights.get("*") ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return best?.encoding
}

/** The minimum size for compression. Smaller files are not compressed. */
const minBytes = 512

/**
 * Returns the compressed bytes, or `undefined` if they are not smaller than the original. Each file is compressed when
 * it is first requested.
 */
export const compressed = (bytes: Uint8Array): ((encoding: Encoding) => Promise<Uint8Array | undefined>) => {
  const made = new Map<Encoding, Promise<Uint8Array | undefined>>()
  const make = async (encoding: Encoding): Promise<Uint8Array | undefined> => {
    const smaller = await compress(encoding, bytes)
    return smaller.length < bytes.length ? smaller : undefined
  }
  return (encoding) => {
    const known = made.get(encoding) ?? (bytes.length < minBytes ? Promise.resolve(undefined) : make(encoding))
    made.set(encoding, known)
    return known
  }
}
