/** Defines `geoswap-server relayers`. */
import * as Command from "effect/cli/Command"
import { json, matching, requiredArgument, requiredFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

const load = () => import("./relayersHandler.js")

const chain = requiredFlag("chain", {
  metavar: "id",
  description: "Id of the chain",
  expected: "a chain id",
  parse: (text) => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined)
})

const address = requiredArgument("address", {
  description: "Address of the relayer, as shown by relayers list",
  expected: "an address such as 0x1234…, as shown by relayers list",
  parse: matching(/^0x[0-9a-fA-F]{40}$/)
})

const list = Command.make(
  "list",
  { json },
  lazyHandler(async () => (await load()).list)
).pipe(Command.withDescription("List the relayers on EVM chains, with the transactions that they have under way"))

const retire = Command.make(
  "retire",
  { address, chain, json },
  lazyHandler(async () => (await load()).retire)
).pipe(Command.withDescription("Let a relayer finish its transactions, and give it no new ones"))

const restore = Command.make(
  "restore",
  { address, chain, json },
  lazyHandler(async () => (await load()).restore)
).pipe(Command.withDescription("Let a retired relayer send transactions again"))

/** Manages the relayers on EVM chains. */
export const relayers = Command.make("relayers").pipe(
  Command.withDescription("List, retire and restore the relayers on EVM chains"),
  Command.withSubcommands([list, retire, restore])
)
