import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, vi } from "vitest"
import { run } from "../../stack/program.js"
import { folder, newSecrets } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 120_000 })

const example = fileURLToPath(new URL("../../../../../deploy/mainnets.json", import.meta.url))

describe("deploy/mainnets.json", () => {
  it.live("configures all six main networks in at most 40 lines, and passes check --offline", () =>
    Effect.gen(function* () {
      expect(readFileSync(example, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(40)
      const workspace = { folder: yield* folder, environment: newSecrets() }
      copyFileSync(example, join(workspace.folder, "geoswap.json"))
      const { code, stderr, stdout } = yield* run(workspace, "check", "--offline")
      expect([code, stderr.split("\n").filter((line) => !line.startsWith("Warning: "))]).toEqual([0, [""]])
      expect(stdout.trimEnd().split("\n").slice(2)).toEqual([
        "  Ethereum (evm 1): USDC, USDT, WETH; not checked",
        "  Base (evm 8453): USDC, WETH; not checked",
        "  Arbitrum One (evm 42161): USDC, USDT0, WETH; not checked",
        "  OP Mainnet (evm 10): USDC, USDT0, WETH; not checked",
        "  Polygon PoS (evm 137): USDC, USDT0, WETH, WPOL; not checked",
        "  Solana (solana 792703809): USDC, USDT; not checked"
      ])
    })
  )
})
