/** Defines `geoswap mcp`. */
import * as Flag from "effect/cli/Flag"
import { booleanFlag, optionalFlag, wholeFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Serves the tools for agents. */
export const mcp = lazyCommand(
  "mcp",
  "Serve quotes and swaps to agents over the Model Context Protocol, within your policy",
  {
    http: booleanFlag("http", "Serve over HTTP on this machine (default: over standard input and output)"),
    port: wholeFlag("port", "port", [0, 65_535], "The port for --http (default: a free port)"),
    tokenFile: optionalFlag(
      "token-file",
      "file",
      "The file with the bearer token for --http (default: mcp.token in the state folder). It is created if it is missing"
    ),
    allowOrigin: Flag.String("allow-origin").pipe(
      Flag.withMetavar("origin"),
      Flag.withDescription("The origin of a web page that may connect with --http. May be repeated"),
      Flag.atLeast(0)
    )
  },
  () => import("./handler.js"),
  "run",
  [
    {
      command: "geoswap mcp",
      description: "Serve over standard input and output, for a client that starts the server"
    },
    { command: "geoswap mcp --http --port 7391", description: "Serve over HTTP for clients with the bearer token" }
  ]
)
