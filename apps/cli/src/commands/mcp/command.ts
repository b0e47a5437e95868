/** Defines `geoswap mcp`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { booleanFlag } from "../../flags/parameters.js"
import { lazyHandler } from "../lazyHandler.js"

/** Serves the tools for agents. */
export const mcp = Command.make(
  "mcp",
  {
    http: booleanFlag("http", "Serve over HTTP on this machine (default: over standard input and output)"),
    port: Flag.Int("port").pipe(
      Flag.filter(
        (port) => port >= 0 && port <= 65_535,
        () => "Expected a port from 0 to 65,535"
      ),
      Flag.withMetavar("port"),
      Flag.withDescription("The port for --http (default: a free port)"),
      Flag.withDefault(0)
    ),
    tokenFile: Flag.String("token-file").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription(
        "The file with the bearer token for --http (default: mcp.token in the state folder). It is created if it is missing"
      ),
      Flag.optional
    ),
    allowOrigin: Flag.String("allow-origin").pipe(
      Flag.withMetavar("origin"),
      Flag.withDescription("The origin of a web page that may connect with --http. May be repeated"),
      Flag.atLeast(0)
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Serve quotes and swaps to agents over the Model Context Protocol, within your policy"),
  Command.withExamples([
    {
      command: "geoswap mcp",
      description: "Serve over standard input and output, for a client that starts the server"
    },
    { command: "geoswap mcp --http --port 7391", description: "Serve over HTTP for clients with the bearer token" }
  ])
)
