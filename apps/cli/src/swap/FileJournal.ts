/** What this machine remembers of swaps: the journal of those in progress, and the ledger of budgets and keys. */
import { join } from "node:path"
import { Journal, Ledger } from "@geoswap/core"
import { FileJournal as Files, FileLedger } from "@geoswap/core/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../config/Settings.js"

/** The journal of this machine. */
export class FileJournal extends Context.Service<FileJournal, Files.Shape>()("@geoswap/cli/FileJournal") {}

/** Where the journal of a service is. */
export const folderOf = (stateFolder: string): string => join(stateFolder, "journal")

/** The journal of a service. */
export const make = (stateFolder: string): Files.Shape => Files.make(folderOf(stateFolder))

/**
 * The journal of the service that the settings name, also as the one that swaps are written to, and the ledger. The
 * ledger is that of all services: a budget that a new URL starts again is none.
 */
export const layer: Layer.Layer<FileJournal | Journal.Journal, never, Settings> = Layer.effectContext(
  Effect.map(Settings, ({ ledgerFolder, stateFolder }) => {
    const journal = make(stateFolder)
    return Context.make(FileJournal, journal).pipe(
      Context.add(Journal.Journal, journal),
      Context.add(Ledger.Ledger, FileLedger.make(ledgerFolder))
    )
  })
)
