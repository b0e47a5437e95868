/** The command tree. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as logger from "../output/logger.js"
import { ConfigFile, LogFormat, LogLevel } from "./flags.js"
import { serve, serveFlags } from "./serve.js"

const description = `Run the GeoSwap service: quotes, sealed operations, and execution on EVM chains and Solana.
  Without a command, geoswap-server runs serve.

  Secrets come from the environment: GEOSWAP_SEAL_KEYS and the keys named in the configuration
  (GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SOLANA_RELAYER_KEY, GEOSWAP_SOLANA_VAULT_KEY). If DATABASE_URL is set, swaps are
  stored in that PostgreSQL database, which several servers can share. Otherwise, they are stored in a file that only
  one server can use. To read a variable NAME from a file, set NAME_FILE to the path of that file.

  Exit codes: 0 success, 1 failure (see standard error), 64 invalid command line,
  130 or 143 stopped immediately by a second SIGINT or SIGTERM.`

/** The logger selected by the flags. */
const logging = Layer.unwrap(Effect.zipWith(LogLevel, LogFormat, logger.layer))

/**
 * Returns the program for a command line. A command's module loads the service, so it is imported only if the command
 * line contains the command's name. Otherwise, only its name and description are known, which is enough for `--help`.
 */
export const makeProgram = async (args: ReadonlyArray<string>) => {
  const command = async <Name extends string, I extends object, E, R>(
    name: Name,
    summary: string,
    load: () => Promise<{ readonly command: Command.Command<Name, I, {}, E, R> }>
  ) => {
    const found: Command.Command<Name, I, {}, E, R> = args.includes(name) ? (await load()).command : Command.make(name)
    return Command.withDescription(found, summary)
  }

  return Command.make("geoswap-server", serveFlags, serve).pipe(
    Command.withDescription(description),
    Command.withSubcommands([
      {
        group: "Run",
        commands: [
          Command.make("serve", serveFlags, serve).pipe(
            Command.withDescription("Run the service (the default command)")
          ),
          await command(
            "check",
            "Check the configuration, secrets, storage and chains, and list all problems",
            () => import("./check.js")
          ),
          await command(
            "networks",
            "List the public networks, and compare them or the configuration with nodes",
            () => import("./networks.js")
          ),
          await command(
            "devnet",
            "Print a server configuration for a devnet, or the devnet's secrets",
            () => import("./devnet.js")
          )
        ]
      },
      {
        group: "Operate",
        commands: [
          await command("swaps", "List and show swaps, and end stuck ones", () => import("./swaps.js")),
          await command(
            "watch",
            "Show the swaps in progress in a live table, or each change in a pipe, until you press Ctrl-C",
            () => import("./watch.js")
          ),
          await command(
            "inventory",
            "Show the vaults' holdings, the reserved amounts and the relayers' gas balances",
            () => import("./inventory.js")
          ),
          await command(
            "relayers",
            "List, retire and restore the relayers on EVM chains",
            () => import("./relayers.js")
          ),
          await command("export", "Export all swaps for bookkeeping, oldest first", () => import("./export.js"))
        ]
      },
      {
        group: "Keys",
        commands: [
          await command("keys", "Create, list and revoke API keys", () => import("./keys.js")),
          await command(
            "rotate-seal-key",
            "Replace the sealing key in three steps: add, promote, retire",
            () => import("./rotateSealKey.js")
          )
        ]
      }
    ]),
    Command.provide(logging),
    Command.withGlobalFlags([ConfigFile, LogLevel, LogFormat])
  )
}
