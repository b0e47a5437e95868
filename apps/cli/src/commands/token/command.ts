/** Defines `geoswap token`. */
import * as Command from "effect/cli/Command"
import { argument, optionalArgument, optionalFlag, wholeFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const chain = argument("chain", "A chain's name, alias or id")

/** Pins tokens. */
export const token = Command.make("token").pipe(
  Command.withDescription("Search tokens, and pin those whose decimals and symbols you trust"),
  Command.withSubcommands([
    lazyCommand(
      "add",
      "Pin a token, so that you can enter amounts such as 0.5 rather than amounts in the token's smallest unit",
      {
        chain,
        token: argument("token", "The token's address, or the symbol of a bundled token"),
        rpc: optionalFlag(
          "rpc",
          "url",
          "The URL of the node to read the decimals and symbol from (default: chains.<id>.rpcUrl)"
        ),
        symbol: optionalFlag("symbol", "symbol", "The symbol to use for the token (default: the token's own symbol)"),
        decimals: wholeFlag(
          "decimals",
          "count",
          [0, 255],
          "The number of decimals, from a source you trust. If a node is configured, the number must match the node's value"
        )
      },
      load,
      "add",
      [
        { command: "geoswap token add base usdc", description: "Pin a bundled token" },
        {
          command: "geoswap token add base 0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb --rpc https://node.example",
          description: "Read the decimals and symbol from your node"
        }
      ]
    ),
    lazyCommand(
      "list",
      "List the pinned tokens without contacting the service",
      { chain: optionalArgument("chain", "A chain's name, alias or id") },
      load,
      "list"
    ),
    lazyCommand(
      "search",
      "Search the pinned, bundled and listed tokens by symbol or address",
      { text: argument("text", "A part of a symbol or address, or a token such as usdc@base") },
      () => import("./search.js"),
      "search",
      [{ command: "geoswap token search usd" }, { command: "geoswap token search usdc@base" }]
    ),
    lazyCommand(
      "remove",
      "Remove a pinned token",
      { chain, token: argument("token", "The token's symbol or address") },
      load,
      "remove"
    )
  ])
)
