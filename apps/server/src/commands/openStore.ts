/** Opens what commands work with: the configured store, and the names for their output. */
import { Store } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type LoadedConfig, loadConfig } from "../config/loadConfig.js"
import * as Names from "../output/displayNames.js"
import * as Storage from "../storage/Storage.js"

/** Opens the store of a configuration until the scope closes. */
export const open = Effect.fnUntraced(function* ({ config, database }: LoadedConfig) {
  const context = yield* Layer.build(Storage.store(database))
  return { config, names: Names.make(config), store: Context.get(context, Store.Store) }
})

/** Loads the configuration, and opens its store until the scope closes. */
export const openStore = (configFile: string | undefined) => Effect.flatMap(loadConfig(configFile), open)
