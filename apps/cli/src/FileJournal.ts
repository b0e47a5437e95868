/** The journal of the swaps in progress, in files of this machine. */
import { join } from "node:path"
import { Journal } from "@geoswap/core"
import { FileJournal as Files } from "@geoswap/core/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "./Settings.js"

/** The journal of this machine. */
export class FileJournal extends Context.Service<FileJournal, Files.Shape>()("@geoswap/cli/FileJournal") {}

/** Where the journal of a service is. */
export const folderOf = (stateFolder: string): string => join(stateFolder, "journal")

/** A journal on a folder, which is made with the first flow. */
export const make = (folder: string): Files.Shape => Files.make(folder)

/** The journal of the service that the settings name, also as the one that swaps are written to. */
export const layer: Layer.Layer<FileJournal | Journal.Journal, never, Settings> = Layer.effectContext(
  Effect.map(Settings, ({ stateFolder }) => {
    const journal = make(folderOf(stateFolder))
    return Context.make(FileJournal, journal).pipe(Context.add(Journal.Journal, journal))
  })
)
