/** Defines `geoswap keys`. */
import * as Command from "effect/cli/Command"
import { argument, booleanFlag, optionalFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const name = argument("name", "The name of the key, as shown by keys list")

/** Manages the user's keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Manage your keys"),
  Command.withSubcommands([
    lazyCommand("list", "List your keys and their addresses, without opening any keystore", {}, load, "list"),
    lazyCommand(
      "add",
      "Add a key under a name. Use it with --wallet <name>",
      {
        name: argument("name", "A name for the key, such as main"),
        newKey: booleanFlag("new", "Create an EVM key in an encrypted keystore"),
        importKey: booleanFlag(
          "import",
          "Import an EVM key into an encrypted keystore, from GEOSWAP_EVM_KEY or a prompt"
        ),
        keystore: optionalFlag("keystore", "file|name", "Use a keystore file, or a Foundry keystore by name"),
        keyFile: optionalFlag("key-file", "file", "Use the EVM key in this file"),
        solanaKeyFile: optionalFlag("solana-key-file", "file", "Use the Solana key in this file"),
        isDefault: booleanFlag(
          "default",
          "Use the key by default on its chains. The first key of a family is the default"
        )
      },
      load,
      "add",
      [
        { command: "geoswap keys add main --new", description: "Create a key in an encrypted keystore" },
        { command: "geoswap keys add sol --solana-key-file ~/.config/solana/id.json" }
      ]
    ),
    lazyCommand(
      "export",
      "Print a private key, after you confirm it by typing the name of the key",
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
      load,
      "exportKey",
      [{ command: "geoswap keys export main --output main.key", description: "Write the key to a private file" }]
    ),
    lazyCommand("rename", "Rename a key", { name, to: argument("new-name", "The new name") }, load, "rename"),
    lazyCommand("default", "Choose the key that is used if --wallet names no other", { name }, load, "setDefault")
  ])
)
