/** Defines `geoswap keys`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { booleanFlag } from "../../flags/booleanFlag.js"
import { lazyHandler } from "../lazyHandler.js"
import { optionalFlag } from "../../flags/optionalFlag.js"

const load = () => import("./handler.js")

const name = Argument.String("name").pipe(Argument.withDescription("The name of the key, as shown by keys list"))

const list = Command.make(
  "list",
  {},
  lazyHandler(async () => ({ run: (await load()).list }))
).pipe(Command.withDescription("List your keys and their addresses, without opening any keystore"))

const add = Command.make(
  "add",
  {
    name: Argument.String("name").pipe(Argument.withDescription("A name for the key, such as main")),
    newKey: booleanFlag("new", "Create an EVM key in an encrypted keystore"),
    importKey: booleanFlag("import", "Import an EVM key into an encrypted keystore, from GEOSWAP_EVM_KEY or a prompt"),
    keystore: optionalFlag("keystore", "file|name", "Use a keystore file, or a Foundry keystore by name"),
    keyFile: optionalFlag("key-file", "file", "Use the EVM key in this file"),
    solanaKeyFile: optionalFlag("solana-key-file", "file", "Use the Solana key in this file"),
    isDefault: booleanFlag("default", "Use the key by default on its chains. The first key of a kind is the default")
  },
  lazyHandler(async () => ({ run: (await load()).add }))
).pipe(
  Command.withDescription("Add a key under a name. Use it with --wallet <name>"),
  Command.withExamples([
    { command: "geoswap keys add main --new", description: "Create a key in an encrypted keystore" },
    { command: "geoswap keys add sol --solana-key-file ~/.config/solana/id.json" }
  ])
)

const exportKey = Command.make(
  "export",
  {
    name,
    output: optionalFlag(
      "output",
      "file",
      "Write the key to this file, which only you can read, instead of printing it"
    ),
    confirm: optionalFlag(
      "confirm",
      "name",
      "Without a terminal, confirm by repeating the name of the key. --yes does not confirm it"
    )
  },
  lazyHandler(async () => ({ run: (await load()).exportKey }))
).pipe(
  Command.withDescription("Print a private key, after you confirm it by typing the name of the key"),
  Command.withExamples([
    { command: "geoswap keys export main --output main.key", description: "Write the key to a private file" }
  ])
)

const rename = Command.make(
  "rename",
  { name, to: Argument.String("new-name").pipe(Argument.withDescription("The new name")) },
  lazyHandler(async () => ({ run: (await load()).rename }))
).pipe(Command.withDescription("Rename a key"))

const setDefault = Command.make(
  "default",
  { name },
  lazyHandler(async () => ({ run: (await load()).setDefault }))
).pipe(Command.withDescription("Choose the key that is used if --wallet names no other"))

/** Manages the user's keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Manage your keys"),
  Command.withSubcommands([list, add, exportKey, rename, setDefault])
)
