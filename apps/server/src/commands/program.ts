/** The command tree. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as logger from "../output/logger.js"
import { check } from "./check.js"
import { devnet } from "./devnet.js"
import { exportSwaps } from "./export.js"
import { ConfigFile, LogFormat, LogLevel } from "./flags.js"
import { inventory } from "./inventory.js"
import { keys } from "./keys.js"
import { relayers } from "./relayers.js"
import { rotateSealKey } from "./rotateSealKey.js"
import { runServe, serve, serveFlags } from "./serve.js"
import { swaps } from "./swaps.js"
import { watch } from "./watch.js"

const description = `Run the GeoSwap service: quotes, sealed operations, and execution on EVM chains and Solana.
  Without a command, geoswap-server runs serve.

  Secrets come from the environment: GEOSWAP_SEAL_KEYS and the keys named in the configuration
  (GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SOLANA_RELAYER_KEY, GEOSWAP_SOLANA_VAULT_KEY). If DATABASE_URL is set, swaps are
  stored in that PostgreSQL database, which several servers can share. Otherwise, they are stored in a file that only
  one server can use. To read a variable NAME from a file, set NAME_FILE to the path of that file.

  Exit codes: 0 success, 1 failure (see standard error), 64 invalid command line,
  130 or 143 stopped immediately by a second SIGINT or SIGTERM.`

const root = Command.make("geoswap-server", serveFlags, runServe).pipe(Command.withDescription(description))

/** The logger selected by the flags. */
const logging = Layer.unwrap(
  Effect.gen(function* () {
    return logger.layer({ level: yield* LogLevel, format: yield* LogFormat })
  })
)

/** The complete program. */
export const program = root.pipe(
  Command.withSubcommands([
    { group: "Run", commands: [serve, check, devnet] },
    { group: "Operate", commands: [swaps, watch, inventory, relayers, exportSwaps] },
    { group: "Keys", commands: [keys, rotateSealKey] }
  ]),
  Command.provide(logging),
  Command.withGlobalFlags([ConfigFile, LogLevel, LogFormat])
)
