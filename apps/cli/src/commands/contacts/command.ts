/** Defines `geoswap contacts`. */
import * as Command from "effect/cli/Command"
import { argument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const name = argument("name", "The contact's name, such as alice")

/** Manages the address book. */
export const contacts = Command.make("contacts").pipe(
  Command.withDescription("Manage your address book"),
  Command.withSubcommands([
    lazyCommand("list", "List your contacts", {}, load, "list"),
    lazyCommand(
      "add",
      "Add an address under a name. Use the name with --recipient",
      { name, address: argument("address", "An address on an EVM chain or on Solana") },
      load,
      "add",
      [
        { command: "geoswap contacts add alice 0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
        { command: "geoswap swap 10 usdc@base weth@arbitrum --recipient alice" }
      ]
    ),
    lazyCommand("remove", "Remove a contact", { name }, load, "remove")
  ])
)
