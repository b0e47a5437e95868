import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../workspace.ts"

it("the linter reports type errors, and promises that are not awaited", () => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-lint-"))
  try {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.base.json") }))
    writeFileSync(join(folder, "wrong.ts"), 'export const wrong: number = "text"\nPromise.resolve(wrong)\n')
    const { status, stdout } = spawnSync("oxlint", ["--config", join(root, ".oxlintrc.json"), "--format=unix", "."], {
      cwd: folder,
      encoding: "utf8"
    })
    expect([status, stdout]).toEqual([1, expect.stringMatching(/TS2322[^]*no-floating-promises/) as string])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
