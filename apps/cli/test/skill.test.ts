import { readFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { home, run, runJson } from "./runCli.js"

it.live(
  "geoswap skill install writes a SKILL.md that names every tool",
  () =>
    Effect.gen(function* () {
      const workspace = yield* home
      const { answer, code } = yield* runJson(workspace, "skill", "install")
      const path = join(workspace.folder, ".agents", "skills", "geoswap", "SKILL.md")
      expect([code, answer]).toEqual([0, { path }])
      const text = readFileSync(path, "utf8")
      expect(text).toMatch(/^---\nname: geoswap\ndescription: .+\n---\n/)
      for (const name of ["list_chains", "execute_swap", "resume_swap", "get_policy", "revoke_delegation"]) {
        expect(text).toContain(`\`${name}\``)
      }
      const other = yield* run(workspace, "skill", "install", "--dir", ".claude/skills")
      expect([other.code, other.stdout]).toEqual([0, expect.stringMatching(/\.claude\/skills\/geoswap\/SKILL\.md\n$/)])
    }),
  60_000
)
