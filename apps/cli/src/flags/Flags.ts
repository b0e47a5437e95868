/** The global flags, which every command accepts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { type Host, variable } from "../node/Host.js"
import { booleanFlag, optional, optionalFlag } from "./parameters.js"

/** Returns the path of the devnet file, from `--devnet` or the environment. If it is empty, the program searches for it. */
export const devnetOf = ({ devnet }: Pick<Flags, "devnet">, host: Host) => {
  const named = devnet ?? variable(host, "GEOSWAP_DEVNET")
  return named === "1" ? "" : named
}

const setting = <Name extends string, A>(name: Name, flag: Flag.Flag<A>) => GlobalFlag.Setting(name)({ flag })

const settings = {
  json: setting("json", booleanFlag("json", "Print a single JSON object to standard output and nothing else")),
  jsonLines: setting("json-lines", booleanFlag("json-lines", "Print each event as a JSON object on its own line")),
  plain: setting("plain", booleanFlag("plain", "Print plain text, without color or redrawing")),
  /** Answers yes to all prompts, except those that require a separate confirmation. */
  yes: setting(
    "yes",
    booleanFlag(
      "yes",
      "Answer yes to all prompts, except those that require a separate confirmation. swap also requires a minimum, such as --min-output"
    ).pipe(Flag.withAlias("y"))
  ),
  config: setting("config", optionalFlag("config", "file", "The configuration file (GEOSWAP_CONFIG)")),
  /** The path of the devnet file. If it is empty, the program searches for the file. */
  devnet: setting(
    "devnet",
    optional(
      Flag.String("devnet").pipe(Flag.withOptionalValue("")),
      "file",
      "Use the devnet described in the nearest .geoswap/devnet.json, or in --devnet=<file>"
    )
  ),
  wallet: setting(
    "wallet",
    optionalFlag(
      "wallet",
      "name|address",
      "The wallet to use: the name of a key or, with --devnet, of a wallet; or an address. Signing requires its key"
    )
  ),
  url: setting(
    "url",
    optionalFlag("url", "url", "The service URL (GEOSWAP_URL). An API key for another service is not sent to it")
  ),
  timeoutSeconds: setting(
    "timeout",
    optional(
      Flag.Finite("timeout").pipe(
        Flag.filter(
          (seconds) => seconds > 0 && seconds <= 86_400,
          () => "Expected a number of seconds greater than 0 and at most 86,400"
        )
      ),
      "seconds",
      "How long to wait for each request, and for a swap to complete"
    )
  )
} as const

/** The global flags, in the order in which the help lists them. */
export const globals = Object.values(settings)

const values = Effect.all(settings)

/** The values of the global flags. */
export type Flags = Effect.Success<typeof values>
export const Flags = /* @__PURE__ */ Context.Service<Flags>("@geoswap/cli/Flags")

/** The values of the global flags if none of them is passed. */
export const none: Flags = {
  json: false,
  jsonLines: false,
  plain: false,
  yes: false,
  config: undefined,
  devnet: undefined,
  wallet: undefined,
  url: undefined,
  timeoutSeconds: undefined
}

/** Provides the values of the global flags from the command line. */
export const layer = Layer.effect(Flags, values)
