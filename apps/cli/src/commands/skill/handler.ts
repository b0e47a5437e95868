/** Handles `geoswap skill install`: writes a SKILL.md for coding agents. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { describeFileError, fileProblem } from "../../node/secretFile.js"
import { Host } from "../../node/Host.js"
import * as Output from "../../output/Output.js"
import { skillText } from "./skillText.js"

/** Writes the skill. An existing file is replaced, so that the skill matches this version. */
export const run = ({ dir = ".agents/skills" }: { readonly dir: string | undefined }) =>
  Effect.gen(function* () {
    const host = yield* Host
    const path = join(resolve(host.folder, dir), "geoswap", "SKILL.md")
    yield* Effect.try({
      try: () => {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, skillText)
      },
      catch: (cause) =>
        fileProblem(`${path} cannot be written: ${describeFileError(cause)}.`, "Choose another folder with --dir.")
    })
    yield* Output.result({ path }, () => `Wrote ${path}`)
  })
