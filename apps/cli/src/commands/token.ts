/** `geoswap token`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily } from "./lazyHandler.js"

const load = () => import("./tokenHandler.js")

const chain = Argument.String("chain").pipe(Argument.withDescription("A chain by its name, alias or id"))

const add = Command.make(
  "add",
  {
    chain,
    token: Argument.String("token").pipe(
      Argument.withDescription("The address of the token, or the symbol of one that comes with this program")
    ),
    rpc: Flag.String("rpc").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("Your own node, to read the decimals and the symbol; default: chains.<id>.rpcUrl"),
      Flag.optional
    ),
    symbol: Flag.String("symbol").pipe(
      Flag.withMetavar("symbol"),
      Flag.withDescription("What you call it; default: what the token calls itself"),
      Flag.optional
    ),
    decimals: Flag.Int("decimals").pipe(
      Flag.filter(
        (count) => count >= 0 && count <= 255,
        () => "Expected a whole number from 0 to 255"
      ),
      Flag.withMetavar("count"),
      Flag.withDescription("Its decimals, from a source that you trust; compared with your node if there is one"),
      Flag.optional
    )
  },
  lazily(async () => ({ run: (await load()).add }))
).pipe(
  Command.withDescription("Pin a token, so that its amounts can be given in whole tokens"),
  Command.withExamples([
    { command: "geoswap token add base usdc", description: "from the list that comes with this program" },
    {
      command: "geoswap token add base 0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb --rpc https://node.example",
      description: "decimals and symbol from your node"
    }
  ])
)

const list = Command.make(
  "list",
  { chain: chain.pipe(Argument.optional) },
  lazily(async () => ({ run: (await load()).list }))
).pipe(Command.withDescription("List the pinned tokens; no service is asked"))

const remove = Command.make(
  "remove",
  { chain, token: Argument.String("token").pipe(Argument.withDescription("Its symbol or address")) },
  lazily(async () => ({ run: (await load()).remove }))
).pipe(Command.withDescription("Remove a pinned token"))

/** Pins tokens. */
export const token = Command.make("token").pipe(
  Command.withDescription("Pin the tokens whose decimals and symbols you vouch for"),
  Command.withSubcommands([add, list, remove])
)
