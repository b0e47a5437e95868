/** Opens what commands that also use the chains work with. */
import * as Effect from "effect/Effect"
import { loadConfig, loadSecrets } from "../config/loadConfig.js"
import * as Server from "../Server.js"
import { open } from "./openStore.js"

/** Loads the configuration, creates its chains, and opens its store until the scope closes. */
export const openChains = Effect.fnUntraced(function* (configFile: string | undefined) {
  const loaded = yield* loadConfig(configFile)
  const chains = yield* Server.chains(loaded.config, yield* loadSecrets(loaded.config))
  return { ...(yield* open(loaded)), chains }
})
