/** The global flags, which every command accepts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { type Host, variable } from "../node/Host.js"
import { booleanFlag, optionalFlag } from "./parameters.js"

/** Returns the path of the devnet file, from `--devnet` or the environment. If it is empty, the program searches for it. */
export const devnetOf = ({ devnet }: Pick<Flags, "devnet">, host: Host) => {
  const named = devnet ?? variable(host, "GEOSWAP_DEVNET")
  return named === "1" ? "" : named
}

const settings = {
  json: GlobalFlag.Setting("json")({
    flag: booleanFlag("json", "Print a single JSON object to standard output and nothing else")
  }),
  jsonLines: GlobalFlag.Setting("json-lines")({
    flag: booleanFlag("json-lines", "Print each event as a JSON object on its own line")
  }),
  plain: GlobalFlag.Setting("plain")({
    flag: booleanFlag("plain", "Print plain text, without color or redrawing")
  }),
  /** Answers yes to all prompts, except those that require a separate confirmation. */
  yes: GlobalFlag.Setting("yes")({
    flag: booleanFlag(
      "yes",
      "Answer yes to all prompts, except those that require a separate confirmation. swap also requires a minimum, such as --min-output"
    ).pipe(Flag.withAlias("y"))
  }),
  config: GlobalFlag.Setting("config")({
    flag: optionalFlag("config", "file", "The configuration file (GEOSWAP_CONFIG)")
  }),
  /** The path of the devnet file. If it is empty, the program searches for the file. */
  devnet: GlobalFlag.Setting("devnet")({
    flag: Flag.String("devnet").pipe(
      Flag.withOptionalValue(""),
      Flag.withMetavar("file"),
      Flag.withDescription("Use the devnet described in the nearest .geoswap/devnet.json, or in --devnet=<file>"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    )
  }),
  wallet: GlobalFlag.Setting("wallet")({
    flag: optionalFlag(
      "wallet",
      "name|address",
      "The wallet to use: the name of a key or, with --devnet, of a wallet; or an address. Signing requires its key"
    )
  }),
  url: GlobalFlag.Setting("url")({
    flag: optionalFlag("url", "url", "The service URL (GEOSWAP_URL). An API key for another service is not sent to it")
  }),
  timeoutSeconds: GlobalFlag.Setting("timeout")({
    flag: Flag.Finite("timeout").pipe(
      Flag.filter(
        (seconds) => seconds > 0 && seconds <= 86_400,
        () => "Expected a number of seconds greater than 0 and at most 86,400"
      ),
      Flag.withMetavar("seconds"),
      Flag.withDescription("How long to wait for each request, and for a swap to complete"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    )
  })
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
