import { expect, it } from "vitest"
import { programFixture, timeout } from "./fixture.js"

const evmHash = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string
const solanaHash = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) as string
const ms = expect.any(Number) as number

const { cli } = programFixture()

it(
  "demo prints the result of each of the five swaps as JSON, and nothing else to standard output",
  async () => {
    const program = cli("demo", "--json")
    expect([await program.ended, program.stderr()]).toEqual([0, expect.stringContaining("5/5")])
    expect(program.stdout().trimEnd()).not.toContain("\n")
    const { swaps, ...rest } = JSON.parse(program.stdout()) as { readonly swaps: ReadonlyArray<{ ms: number }> }
    expect(rest).toEqual({})
    const settled = { status: "settled", originTxHash: evmHash, deliveryTxHash: evmHash, ms }
    expect(swaps).toEqual([
      { ...settled, route: "100 USDC on devnet-a → WETH on devnet-b" },
      { ...settled, route: "250 USDC on devnet-a → WETH on devnet-b" },
      { ...settled, route: "50 USDC on devnet-a → USDC on devnet-solana", deliveryTxHash: solanaHash },
      { ...settled, route: "75 USDC on devnet-solana → WETH on devnet-b", originTxHash: solanaHash },
      {
        route: "200 USDC on devnet-a → PSE on devnet-b",
        status: "refunded",
        originTxHash: evmHash,
        refundTxHash: evmHash,
        ms
      }
    ])
    expect(swaps.every((swap) => swap.ms > 0)).toBe(true)
    const hashes = [...program.stdout().matchAll(/"\w+TxHash":"([^"]+)"/g)].map(([, hash]) => hash)
    expect(new Set(hashes).size).toBe(10)
  },
  timeout
)
