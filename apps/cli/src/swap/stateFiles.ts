/** State on disk: the journal of swaps in progress, and the ledger of budgets and idempotency keys. */
import { join } from "node:path"
import { Journal, Ledger } from "@geoswap/core"
import { FileJournal as Files, FileLedger } from "@geoswap/core/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../config/Settings.js"

/** The journal of the swaps that this machine has in progress. */
export class FileJournal extends Context.Service<FileJournal, Files.FileJournal>()("@geoswap/cli/FileJournal") {}

/** Returns a service's journal folder. */
export const folderOf = (stateFolder: string): string => join(stateFolder, "journal")

/** Opens a service's journal. */
export const make = (stateFolder: string): Files.FileJournal => Files.make(folderOf(stateFolder))

/** Provides the configured service's journal for this program and for core. */
export const journal: Layer.Layer<FileJournal | Journal.Journal, never, Settings> = Layer.effectContext(
  Effect.map(Settings, ({ stateFolder }) => {
    const journal = make(stateFolder)
    return Context.add(Context.make(FileJournal, journal), Journal.Journal, journal)
  })
)

/**
 * Provides the ledger, and the configured service's journal for this program and for core. All services share one
 * ledger; otherwise a new URL would reset the budgets.
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
