/** Defines `geoswap-server serve`. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { booleanFlag, nonEmpty, valueFlag } from "./flags.js"

const portFlag = (name: string, description: string) =>
  valueFlag(name, {
    metavar: "port",
    description,
    expected: "a number from 0 to 65535",
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)
  })

/** The flags for `serve`, which is also the default command. */
export const serveFlags = {
  host: valueFlag("host", {
    metavar: "address",
    description: "Address to listen on (default: listen.host in the configuration)",
    expected: "an address, such as 127.0.0.1 or 0.0.0.0",
    // With an empty host, Node would listen on every address.
    parse: nonEmpty
  }),
  port: portFlag("port", "Port to listen on; 0 for any free port (default: listen.port in the configuration)"),
  adminPort: portFlag("admin-port", "Port for metrics (default: admin.port in the configuration)"),
  web: booleanFlag("web", "Also serve the swap page"),
  /** The devnet's file, or an empty string for the default. */
  devnetWallets: Flag.String("devnet-wallets").pipe(
    Flag.withOptionalValue(""),
    Flag.withMetavar("file"),
    Flag.withDescription(
      "Offer the devnet's wallets on the page, with their keys: those in .geoswap/devnet.json, or in --devnet-wallets=<file>"
    ),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
}

/** Runs the service. The flags are needed for `--help`, which must not load the service. */
export const serve = (flags: Command.Command.Config.Infer<typeof serveFlags>) =>
  Effect.flatMap(
    Effect.promise(() => import("./runServer.js")),
    ({ runServer }) => runServer(flags)
  )
