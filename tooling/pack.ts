/** Packs every published package into `.packed`, as it would be published. */
import { mkdirSync, rmSync } from "node:fs"
import { packed, publishedPackages, run, tarball } from "./workspace.ts"

rmSync(packed, { recursive: true, force: true })
mkdirSync(packed, { recursive: true })
for (const { directory, name } of publishedPackages()) {
  const { ok, output } = await run("pnpm", ["pack", "--out", tarball(name)], directory)
  if (!ok) {
    console.error(`Cannot pack ${name}:\n${output}`)
    process.exit(1)
  }
  console.log(`packed ${name}`)
}
