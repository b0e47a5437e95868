/** The flags that every command takes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"

/** What was said on the command line, whatever the command. */
export interface Shape {
  readonly json: boolean
  readonly jsonLines: boolean
  readonly plain: boolean
  /** Nothing is asked: every question that has a yes is answered by it. */
  readonly yes: boolean
  readonly config: string | undefined
  /** The file of a devnet; empty to search for it. */
  readonly devnet: string | undefined
  readonly wallet: string | undefined
  readonly url: string | undefined
  readonly timeoutSeconds: number | undefined
}

/** The flags that every command takes. */
export class Flags extends Context.Service<Flags, Shape>()("@geoswap/cli/Flags") {}

/** Nothing was said. */
export const none: Shape = {
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

const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (value) => value !== "",
      () => `--${name} needs a value.`
    ),
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional
  )

const Json = GlobalFlag.Setting("json")({
  flag: toggle("json", "Print one JSON object, and nothing else, on standard output")
})
const JsonLines = GlobalFlag.Setting("json-lines")({
  flag: toggle("json-lines", "Print a JSON object per line, as things happen")
})
const Plain = GlobalFlag.Setting("plain")({ flag: toggle("plain", "Lines without colour or redrawing") })
const Yes = GlobalFlag.Setting("yes")({
  flag: toggle("yes", "Ask nothing: yes to every question").pipe(Flag.withAlias("y"))
})
const Config = GlobalFlag.Setting("config")({
  flag: text("config", "file", "The configuration (GEOSWAP_CONFIG)")
})
const Devnet = GlobalFlag.Setting("devnet")({
  flag: Flag.String("devnet").pipe(
    Flag.withOptionalValue(""),
    Flag.withMetavar("file"),
    Flag.withDescription("Use a devnet: .geoswap/devnet.json of this folder or one above, or --devnet=<file>"),
    Flag.optional
  )
})
const Wallet = GlobalFlag.Setting("wallet")({
  flag: text(
    "wallet",
    "name|address",
    "A wallet of the devnet by its name, or the address that is expected or looked at"
  )
})
const Url = GlobalFlag.Setting("url")({ flag: text("url", "url", "The service (GEOSWAP_URL)") })
const Timeout = GlobalFlag.Setting("timeout")({
  flag: Flag.Finite("timeout").pipe(
    Flag.filter(
      (seconds) => seconds > 0 && seconds <= 86_400,
      () => "Expected seconds above 0, a day at most"
    ),
    Flag.withMetavar("seconds"),
    Flag.withDescription("How long to wait for an answer, and for the end of a swap"),
    Flag.optional
  )
})

/** The flags in the order in which help lists them. */
export const globals = [Json, JsonLines, Plain, Yes, Config, Devnet, Wallet, Url, Timeout] as const

/** The flags as the command line gave them. */
export const layer = Layer.effect(
  Flags,
  Effect.gen(function* () {
    return {
      json: yield* Json,
      jsonLines: yield* JsonLines,
      plain: yield* Plain,
      yes: yield* Yes,
      config: Option.getOrUndefined(yield* Config),
      devnet: Option.getOrUndefined(yield* Devnet),
      wallet: Option.getOrUndefined(yield* Wallet),
      url: Option.getOrUndefined(yield* Url),
      timeoutSeconds: Option.getOrUndefined(yield* Timeout)
    }
  })
)
