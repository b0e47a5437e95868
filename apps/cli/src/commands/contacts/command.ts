/** Defines `geoswap contacts`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

const load = () => import("./handler.js")

const name = Argument.String("name").pipe(Argument.withDescription("The contact's name, such as alice"))

const list = Command.make(
  "list",
  {},
  lazyHandler(async () => ({ run: (await load()).list }))
).pipe(Command.withDescription("List your contacts"))

const add = Command.make(
  "add",
  {
    name,
    address: Argument.String("address").pipe(Argument.withDescription("An address on an EVM chain or on Solana"))
  },
  lazyHandler(async () => ({ run: (await load()).add }))
).pipe(
  Command.withDescription("Add an address under a name. Use the name with --recipient"),
  Command.withExamples([
    { command: "geoswap contacts add alice 0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
    { command: "geoswap swap 10 usdc@base weth@arbitrum --recipient alice" }
  ])
)

const remove = Command.make(
  "remove",
  { name },
  lazyHandler(async () => ({ run: (await load()).remove }))
).pipe(Command.withDescription("Remove a contact"))

/** Manages the address book. */
export const contacts = Command.make("contacts").pipe(
  Command.withDescription("Manage your address book"),
  Command.withSubcommands([list, add, remove])
)
