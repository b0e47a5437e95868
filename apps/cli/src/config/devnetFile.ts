/** The fields that this program uses from the file that a devnet writes. */
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { settingsError } from "./ConfigFile.js"
import { type Host, variable } from "../node/Host.js"
import { readText } from "../node/secretFile.js"

/** The contents of the devnet file. */
export const DevnetFile = Schema.Struct({
  service: Schema.optionalKey(Schema.Struct({ url: Schema.String, apiKeys: Schema.NonEmptyArray(Schema.String) })),
  chains: Schema.NonEmptyArray(
    Schema.Struct({
      id: Chain.ChainId,
      name: Schema.String,
      family: Chain.Family,
      rpcUrl: Schema.String,
      tokens: Schema.Array(Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })),
      contracts: Schema.Struct({
        account: Schema.optionalKey(Schema.String),
        vault: Schema.String
      })
    })
  ),
  wallets: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      family: Chain.Family,
      address: Schema.String,
      privateKey: Schema.String
    })
  ),
  operators: Schema.optionalKey(
    Schema.Array(Schema.Struct({ family: Chain.Family, role: Schema.String, address: Schema.String }))
  )
})
export type DevnetFile = typeof DevnetFile.Type

const name = join(".geoswap", "devnet.json")

/** Finds the nearest devnet file, in a folder or one of its parents. */
const search = (folder: string): string | undefined => {
  const path = join(folder, name)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : search(above)
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(DevnetFile))

/** How to start a devnet. `npm run geoswap` sets the variable, so there is a checkout of the repository. */
const nextFor = (host: Host) =>
  `Start a devnet ${variable(host, "GEOSWAP_COMMAND") === undefined ? "with npx geoswap-devnet" : "in another terminal with npm start"}, or point to a running devnet's file: --devnet=<file>`

/** Reads the devnet file at the given path, or the nearest devnet file if the path is empty. */
export const readDevnet = Effect.fnUntraced(function* (named: string, host: Host) {
  // `npm run geoswap` sets the variable to the file of the checkout, so that it works in any folder.
  const path =
    named === "" ? (search(host.folder) ?? variable(host, "GEOSWAP_DEVNET_FILE")) : resolve(host.folder, named)
  const next = nextFor(host)
  if (path === undefined) {
    return yield* settingsError(`There is no ${name} in this folder or any of its parents.`, next)
  }
  const text = yield* readText(path, path, next)
  // The schema error is discarded, because it could quote a key.
  const file = yield* Effect.mapError(decode(text), () => settingsError(`${path} is not a devnet file.`, next))
  return { path, file }
})
