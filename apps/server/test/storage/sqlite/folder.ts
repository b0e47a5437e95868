/** A folder for the databases of a test. */
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The path of a new database in a new folder; both are removed when the scope closes. */
export const newPath = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-sqlite-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
).pipe(Effect.map((folder) => join(folder, "geoswap.db")))
