/** Prints what a server needs to run on a devnet: the configuration or the secrets. */
import { Seal } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as DevnetConfig from "../devnet/DevnetConfig.js"
import { defaultFile, readDescription } from "../devnet/devnetWallets.js"
import { Failure } from "../output/Failure.js"
import { print } from "../output/print.js"
import { sealKeysVariable } from "../secrets/Secrets.js"
import { booleanFlag, optionalArgument } from "./flags.js"

/** Prints the configuration, or the secrets as shell exports. */
export const command = Command.make(
  "devnet",
  {
    file: optionalArgument("file", {
      description: "File written by the devnet (default: .geoswap/devnet.json)",
      expected: "a file path",
      parse: (text) => text
    }),
    env: booleanFlag("env", "Print the secrets as shell exports instead")
  },
  Effect.fn("devnet")(function* ({ env, file = defaultFile }) {
    const description = yield* readDescription(file)
    if (!env) return yield* print(JSON.stringify(DevnetConfig.fileOf(description), null, 2))
    const keys = DevnetConfig.secretsOf(description)
    if (Object.values(keys).includes("")) {
      return yield* new Failure({ message: `${file} does not contain the devnet's operator keys.` })
    }
    const secrets = { [sealKeysVariable]: yield* Seal.generateKey, ...keys }
    const lines = Object.entries(secrets).map(([name, value]) => `export ${name}='${value}'`)
    yield* print(lines.join("\n"))
  })
).pipe(
  Command.withExamples([
    { command: "geoswap-server devnet > geoswap.json", description: "Write the configuration" },
    { command: 'eval "$(geoswap-server devnet --env)"', description: "Set the secrets in this shell" }
  ])
)
