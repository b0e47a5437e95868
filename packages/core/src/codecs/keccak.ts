/** Keccak-256 as used in Ethereum, for address checksums and record names. */

const rounds = 24
/** The number of bytes that one permutation absorbs. */
const rate = 136

/** The permutation over 25 lanes of 64 bits, each stored as two halves: `lanes[2 * i]` is the low half. */
const permute = (lanes: Uint32Array): void => {
  const at = (index: number): number => lanes[index] ?? 0
  const column = new Uint32Array(10)
  const row = new Uint32Array(10)
  let lfsr = 1
  for (let round = 0; round < rounds; round++) {
    for (let x = 0; x < 10; x++) column[x] = at(x) ^ at(x + 10) ^ at(x + 20) ^ at(x + 30) ^ at(x + 40)
    for (let x = 0; x < 5; x++) {
      const before = 2 * ((x + 4) % 5)
      const after = 2 * ((x + 1) % 5)
      const [low = 0, high = 0] = [column[after], column[after + 1]]
      const mixLow = (column[before] ?? 0) ^ ((low << 1) | (high >>> 31))
      const mixHigh = (column[before + 1] ?? 0) ^ ((high << 1) | (low >>> 31))
      for (let y = 0; y < 50; y += 10) {
        lanes[2 * x + y] = at(2 * x + y) ^ mixLow
        lanes[2 * x + y + 1] = at(2 * x + y + 1) ^ mixHigh
      }
    }
    let [x, y] = [1, 0]
    let [low, high] = [at(2), at(3)]
    for (let step = 0; step < 24; step++) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const index = 2 * (x + 5 * y)
      const turn = (((step + 1) * (step + 2)) / 2) % 64
      if (turn >= 32) [low, high] = [high, low]
      const by = turn % 32
      const turnedLow = by === 0 ? low : (low << by) | (high >>> (32 - by))
      const turnedHigh = by === 0 ? high : (high << by) | (low >>> (32 - by))
      ;[low, high] = [at(index), at(index + 1)]
      lanes[index] = turnedLow
      lanes[index + 1] = turnedHigh
    }
    for (let start = 0; start < 50; start += 10) {
      for (let lane = 0; lane < 10; lane++) row[lane] = at(start + lane)
      for (let lane = 0; lane < 10; lane++) {
        lanes[start + lane] = (row[lane] ?? 0) ^ (~(row[(lane + 2) % 10] ?? 0) & (row[(lane + 4) % 10] ?? 0))
      }
    }
    for (let bit = 0; bit < 7; bit++) {
      const place = (1 << bit) - 1
      const half = place < 32 ? 0 : 1
      if (lfsr & 1) lanes[half] = at(half) ^ (1 << (place % 32))
      lfsr = (lfsr << 1) ^ (lfsr & 0x80 ? 0x171 : 0)
    }
  }
}

/** Returns the Keccak-256 hash of bytes, or of a string's UTF-8 bytes, as 64 hex digits without `0x`. */
export const keccak256 = (data: Uint8Array | string): string => {
  const input = typeof data === "string" ? new TextEncoder().encode(data) : data
  const padded = new Uint8Array(Math.ceil((input.length + 1) / rate) * rate)
  padded.set(input)
  padded[input.length] = 1
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80
  const lanes = new Uint32Array(50)
  const words = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += rate) {
    for (let word = 0; word < rate / 4; word++) {
      lanes[word] = (lanes[word] ?? 0) ^ words.getUint32(block + 4 * word, true)
    }
    permute(lanes)
  }
  const output = new DataView(new ArrayBuffer(32))
  for (let word = 0; word < 8; word++) output.setUint32(4 * word, lanes[word] ?? 0, true)
  return Array.from(new Uint8Array(output.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
