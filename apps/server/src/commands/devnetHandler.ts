/** Prints what a server needs to run on a devnet: the configuration or the secrets. */
import { Seal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as DevnetConfig from "../devnet/DevnetConfig.js"
import { defaultFile, readDescription } from "../devnet/devnetWallets.js"
import { sealKeysVariable } from "../secrets/Secrets.js"
import { Failure } from "../output/Failure.js"
import { print } from "../output/print.js"

const secretsOf = Effect.fnUntraced(function* (file: string, description: DevnetConfig.Description) {
  const secrets = DevnetConfig.secretsOf(description)
  if (Object.values(secrets).includes("")) {
    return yield* new Failure({ message: `${file} does not contain the devnet's operator keys.` })
  }
  return { [sealKeysVariable]: yield* Seal.generateKey, ...secrets }
})

/** Prints the configuration, or the secrets as shell exports. */
export const devnet = Effect.fn("devnet")(function* ({
  env,
  file = defaultFile
}: {
  readonly file: string | undefined
  readonly env: boolean
}) {
  const description = yield* readDescription(file)
  if (!env) return yield* print(JSON.stringify(DevnetConfig.fileOf(description), null, 2))
  const secrets = yield* secretsOf(file, description)
  yield* print(
    Object.entries(secrets)
      .map(([name, value]) => `export ${name}='${value}'`)
      .join("\n")
  )
})
