/** Defines `geoswap token`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazyHandler } from "../lazyHandler.js"

const load = () => import("./handler.js")

const chain = Argument.String("chain").pipe(Argument.withDescription("A chain's name, alias or id"))

const add = Command.make(
  "add",
  {
    chain,
    token: Argument.String("token").pipe(
      Argument.withDescription("The token's address, or the symbol of a bundled token")
    ),
    rpc: Flag.String("rpc").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("The URL of the node to read the decimals and symbol from (default: chains.<id>.rpcUrl)"),
      Flag.optional
    ),
    symbol: Flag.String("symbol").pipe(
      Flag.withMetavar("symbol"),
      Flag.withDescription("The symbol to use for the token (default: the token's own symbol)"),
      Flag.optional
    ),
    decimals: Flag.Int("decimals").pipe(
      Flag.filter(
        (count) => count >= 0 && count <= 255,
        () => "Expected a whole number from 0 to 255"
      ),
      Flag.withMetavar("count"),
      Flag.withDescription(
        "The number of decimals, from a source you trust. If a node is configured, the number must match the node's value"
      ),
      Flag.optional
    )
  },
  lazyHandler(async () => ({ run: (await load()).add }))
).pipe(
  Command.withDescription(
    "Pin a token, so that you can enter amounts such as 0.5 rather than amounts in the token's smallest unit"
  ),
  Command.withExamples([
    { command: "geoswap token add base usdc", description: "Pin a bundled token" },
    {
      command: "geoswap token add base 0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb --rpc https://node.example",
      description: "Read the decimals and symbol from your node"
    }
  ])
)

const list = Command.make(
  "list",
  { chain: chain.pipe(Argument.optional) },
  lazyHandler(async () => ({ run: (await load()).list }))
).pipe(Command.withDescription("List the pinned tokens without contacting the service"))

const search = Command.make(
  "search",
  {
    text: Argument.String("text").pipe(
      Argument.withDescription("A part of a symbol or address, or a token such as usdc@base")
    )
  },
  lazyHandler(async () => ({ run: (await import("./search.js")).search }))
).pipe(
  Command.withDescription("Search the pinned, bundled and listed tokens by symbol or address"),
  Command.withExamples([{ command: "geoswap token search usd" }, { command: "geoswap token search usdc@base" }])
)

const remove = Command.make(
  "remove",
  { chain, token: Argument.String("token").pipe(Argument.withDescription("The token's symbol or address")) },
  lazyHandler(async () => ({ run: (await load()).remove }))
).pipe(Command.withDescription("Remove a pinned token"))

/** Pins tokens. */
export const token = Command.make("token").pipe(
  Command.withDescription("Search tokens, and pin those whose decimals and symbols you trust"),
  Command.withSubcommands([add, list, search, remove])
)
