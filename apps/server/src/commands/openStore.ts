/** Opens what commands work with: the configured store, the names for their output, and the chains. */
import { Store } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Names from "../output/displayNames.js"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"
import { loadConfig, loadSecrets } from "./loadConfig.js"

const open = Effect.fnUntraced(function* ({ config, database }: Effect.Success<ReturnType<typeof loadConfig>>) {
  const context = yield* Layer.build(Storage.store(database))
  return { config, names: Names.make(config), store: Context.get(context, Store.Store) }
})

/** Opens the store until the scope closes. */
export const openStore = Effect.suspend(() => Effect.flatMap(loadConfig(), open))

/** Creates the chains, and opens the store until the scope closes. */
export const openChains = Effect.gen(function* () {
  const loaded = yield* loadConfig()
  const chains = yield* Server.chains(loaded.config, yield* loadSecrets(loaded.config))
  return { ...(yield* open(loaded)), chains }
})
