/** Defines `geoswap init`. */
import { booleanFlag, optionalFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Writes the configuration. */
export const init = lazyCommand(
  "init",
  "Configure the service URL, your keys, and the contracts and tokens you trust",
  {
    apiKeyFile: optionalFlag(
      "api-key-file",
      "file",
      "Use the API key in this file (default: store the key from GEOSWAP_API_KEY)"
    ),
    newKey: booleanFlag("new-keystore", "Create an EVM key in an encrypted keystore"),
    importKey: booleanFlag(
      "import-key",
      "Import an EVM key into an encrypted keystore. The key is read from GEOSWAP_EVM_KEY or a prompt"
    ),
    keystore: optionalFlag("keystore", "file|name", "Use a keystore file, or a Foundry keystore by name"),
    keyFile: optionalFlag("key-file", "file", "Use the EVM key in this file"),
    solanaKeyFile: optionalFlag("solana-key-file", "file", "Use the Solana key in this file"),
    deployment: optionalFlag(
      "deployment",
      "file",
      "Pin the contracts in this file. Get the file from a source you trust"
    ),
    bundledTokens: booleanFlag(
      "bundled-tokens",
      "Pin the bundled tokens on chains with pinned contracts. --yes on its own does not pin tokens"
    )
  },
  () => import("./handler.js"),
  "run",
  [
    { command: "geoswap init", description: "Set up interactively" },
    {
      command:
        "geoswap init --yes --url https://swap.example --keystore main --deployment contracts.json --bundled-tokens",
      description: "Set up from a script"
    }
  ]
)
