import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { describe, expect, it } from "vitest"
import { descendants, pressCtrlC, reaches, runs, timeout, programFixture } from "./fixture.js"

describe("demo", () => {
  const { cli } = programFixture()

  it(
    "shows each step and a table of balance changes, and leaves no process behind",
    async () => {
      const program = cli("demo", "--full")
      await reaches(program, "are running on this machine")
      const children = descendants(program.pid)
      expect(children.length).toBeGreaterThanOrEqual(2)
      expect([await program.ended, program.stderr()]).toEqual([0, ""])
      expect(children.filter(runs)).toEqual([])

      const text = program.stdout()
      expect(text.match(/ {2}- delegation to /g)).toHaveLength(1)
      expect(text.match(/ {2}- signed by alice/g)).toHaveLength(4)
      expect(text.match(/ {2}- signed by erin/g)).toHaveLength(1)
      // No cursor movement in a pipe.
      expect(text).not.toContain("\u001b")
      expect(text).not.toContain("\r")

      const rows = text.split("\n").filter((line) => /^[1-5] {2}/.test(line))
      expect(rows).toHaveLength(5)
      const moves = [
        /settled .* 0\.08% \+ [\d.]+ USDC gas .* alice: 10000 → 9900 USDC {2,}alice: 10 → 10\.02\d+ WETH$/,
        /settled .* alice: 9900 → 9650 USDC {2,}alice: 10\.02\d+ → 10\.08\d+ WETH$/,
        /settled .* alice: 9650 → 9600 USDC {2,}erin: 10000 → 1004\d\.\d+ USDC$/,
        /settled .* erin: 1004\d\.\d+ → 997\d\.\d+ USDC {2,}alice: 10\.08\d+ → 10\.1\d+ WETH$/,
        /refunded .* none .* alice: 9600 → 9600 USDC {2,}alice: 0 → 0 PSE$/
      ]
      for (const [index, move] of moves.entries()) {
        const row = rows[index] ?? ""
        expect(row).toMatch(move)
        // The full hashes of the transactions that were reported during the swap.
        const hashes = row.match(/\b(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})\b/g) ?? []
        expect(hashes).toHaveLength(2)
        for (const hash of hashes)
          expect(text).toMatch(new RegExp(` {2}- \\w+ (collected|delivered|refunded) .*${hash}`))
      }
      expect(text.trimEnd()).toMatch(/All five swaps finished as expected, and the balances on the chains match\.$/)
    },
    timeout
  )

  it(
    "stops on Ctrl-C during a swap, and leaves no process and no folder behind",
    async () => {
      const program = cli("demo")
      const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`geoswap-server-${program.pid}-`))
      await reaches(program, "accepted as swap")
      const children = descendants(program.pid)
      expect(children.filter(runs).length).toBeGreaterThanOrEqual(2)
      expect(folders()).toHaveLength(1)
      pressCtrlC(program)
      expect([await program.ended, program.stderr()]).toEqual([130, ""])
      expect(children.filter(runs)).toEqual([])
      expect(folders()).toEqual([])
      expect(program.stdout()).not.toContain("All five swaps finished")
    },
    timeout
  )
})
