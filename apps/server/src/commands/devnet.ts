/** Defines `geoswap-server devnet`. */
import * as Command from "effect/cli/Command"
import { booleanFlag, optionalArgument } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

/** Prints the configuration or the secrets of a server for a devnet. */
export const devnet = Command.make(
  "devnet",
  {
    file: optionalArgument("file", {
      description: "File written by the devnet (default: .geoswap/devnet.json)",
      expected: "a file path",
      parse: (text) => text
    }),
    env: booleanFlag("env", "Print the secrets as shell exports instead")
  },
  lazyHandler(async () => (await import("./devnetHandler.js")).devnet)
).pipe(
  Command.withDescription("Print a server configuration for a devnet, or the devnet's secrets"),
  Command.withExamples([
    { command: "geoswap-server devnet > geoswap.json", description: "Write the configuration" },
    { command: 'eval "$(geoswap-server devnet --env)"', description: "Set the secrets in this shell" }
  ])
)
