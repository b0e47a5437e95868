/** Negotiates compression, and compresses each file once. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The supported encodings, in order of preference. */
const encodings = ["br", "gzip"] as const
type Encoding = (typeof encodings)[number]

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * This quality compresses nearly as well as the maximum quality, but takes a tenth of the time. Speed matters because
 * the first visitor has to wait for the compression.
 */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** The minimum size for compression. Smaller files are not compressed. */
const minBytes = 512

const compress = async (encoding: Encoding, bytes: Uint8Array) => {
  if (bytes.length < minBytes) return undefined
  const smaller = await (encoding === "br" ? brotli(bytes, quality) : zip(bytes, { level: 9 }))
  return smaller.length < bytes.length ? smaller : undefined
}

/** The weights in `Accept-Encoding` (RFC 9110), from 0 to 1. */
const weightsOf = (accepted: string) =>
  new Map<string, number>(
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

/**
 * Returns the compressed bytes, or `undefined` if they are not smaller than the original. Each file is compressed when
 * it is first requested.
 */
export const compressed = (bytes: Uint8Array) => {
  const made = new Map<Encoding, ReturnType<typeof compress>>()
  return (encoding: Encoding) => {
    const known = made.get(encoding) ?? compress(encoding, bytes)
    made.set(encoding, known)
    return known
  }
}
