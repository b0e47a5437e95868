/** Shrinks a PNG screenshot to 256 colors, which is about what a page has. */
import { crc32, deflateSync, inflateSync } from "node:zlib"

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const signature = 8

const parseChunks = (png: Buffer): ReadonlyArray<Chunk> => {
  const chunks: Array<Chunk> = []
  for (let at = signature; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

const encodeChunk = ({ data, type }: Chunk): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns the value that a filter predicts from the bytes to the left, above, and above left. */
const predict = (filter: number, left: number, up: number, corner: number): number => {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs)
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Removes the row filters in place: each row becomes a zero and its pixels. */
const unfilter = (pixels: Buffer, row: number): void => {
  for (let start = 0; start < pixels.length; start += row) {
    const filter = pixels[start] ?? 0
    pixels[start] = 0
    for (let at = start + 1; at < start + row; at += 1) {
      const left = at - 3 > start ? (pixels[at - 3] ?? 0) : 0
      const up = start > 0 ? (pixels[at - row] ?? 0) : 0
      const corner = at - 3 > start && start > 0 ? (pixels[at - row - 3] ?? 0) : 0
      pixels[at] = (pixels[at] ?? 0) + predict(filter, left, up, corner)
    }
  }
}

/** The squared distance of two colors. */
const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)

/** The most frequent colors, and the nearest of them for each color. */
const paletteOf = (colours: ReadonlyArray<number>) => {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([colour]) => colour)
  const nearest = (colour: number): number =>
    palette.reduce(
      (best, one, index) => (distance(one, colour) < distance(palette[best] ?? 0, colour) ? index : best),
      0
    )
  return { palette, indices: new Map(Array.from(counts.keys(), (colour) => [colour, nearest(colour)])) }
}

/** Returns the same image in 256 colors. */
export const shrinkPng = (png: Buffer): Buffer => {
  const chunks = parseChunks(png)
  const head = chunks.find(({ type }) => type === "IHDR")
  if (head?.data.readUInt16BE(8) !== 0x0802) throw new Error("expected an 8-bit RGB image")
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const row = width * 3 + 1
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)))
  unfilter(pixels, row)
  const colours = Array.from({ length: width * height }, (_, index) =>
    pixels.readUIntBE(Math.floor(index / width) * row + 1 + (index % width) * 3, 3)
  )
  const { indices, palette } = paletteOf(colours)
  const indexed = Buffer.alloc(height * (width + 1))
  colours.forEach((colour, index) => {
    indexed[index + Math.floor(index / width) + 1] = indices.get(colour) ?? 0
  })
  const ofPalette = Buffer.from(head.data)
  ofPalette[9] = 3
  const parts = [
    { type: "IHDR", data: ofPalette },
    { type: "PLTE", data: Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])) },
    { type: "IDAT", data: deflateSync(indexed, { level: 9 }) },
    { type: "IEND", data: Buffer.alloc(0) }
  ]
  return Buffer.concat([png.subarray(0, signature), ...parts.map(encodeChunk)])
}
