/** Programs for tests: the sources of the devnet without their types, and an anvil that never listens. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Strips the types from the sources into a folder that resolves packages as the sources do; returns the folder. */
export const buildSources = (name: string): string => {
  const folder = join(root, "node_modules", ".devnet-test", name)
  rmSync(folder, { recursive: true, force: true })
  for (const path of globSync("**/*.ts", { cwd: join(root, "src") })) {
    const target = join(folder, path.replace(/\.ts$/, ".js"))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, stripTypeScriptTypes(readFileSync(join(root, "src", path), "utf8")))
  }
  return folder
}

/** Writes an anvil that starts and never listens; returns its path. */
export const stuckAnvil = (folder: string): string => {
  return program(folder, "stuck-anvil", "#!/bin/sh\nexec sleep 600\n")
}

/** Writes an executable file, for behaviour that a real anvil does not have; returns its path. */
export const program = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o755 })
  return path
}
