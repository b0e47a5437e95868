/** `geoswap init`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { lazily } from "./lazyHandler.js"

const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** Writes the configuration. */
export const init = Command.make(
  "init",
  {
    apiKeyFile: optionalText(
      "api-key-file",
      "file",
      "A file that holds the API key; GEOSWAP_API_KEY is stored where absent"
    ),
    newKeystore: toggle("new-keystore", "Make a new EVM key, in an encrypted keystore"),
    importKey: toggle(
      "import-key",
      "Encrypt the EVM key of GEOSWAP_EVM_KEY, or one that is asked for, into a keystore"
    ),
    keystore: optionalText("keystore", "file|name", "Use this keystore, by its file or by its name among Foundry's"),
    keyFile: optionalText("key-file", "file", "Use the EVM key in this file"),
    solanaKeyFile: optionalText("solana-key-file", "file", "Use the Solana key in this file"),
    deployment: optionalText(
      "deployment",
      "file",
      "Pin the contracts in this file, which must come from a trusted source"
    ),
    bundledTokens: toggle(
      "bundled-tokens",
      "Pin the tokens that come with this program on the chains with pinned contracts; --yes alone pins no token"
    )
  },
  lazily(() => import("./initHandler.js"))
).pipe(
  Command.withDescription("Set up a service, a key, and the contracts and tokens to trust"),
  Command.withExamples([
    { command: "geoswap init", description: "by questions" },
    {
      command:
        "geoswap init --yes --url https://swap.example --keystore main --deployment contracts.json --bundled-tokens"
    }
  ])
)
