/** The file that a devnet writes, as far as this program needs it. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SettingsError } from "./ConfigFile.js"
import { reasonOf } from "../node/secretFile.js"

const Wallet = Schema.Struct({
  name: Schema.String,
  kind: Chain.Family,
  address: Schema.String,
  privateKey: Schema.String
})

/** What a devnet is made of. */
export const DevnetFile = Schema.Struct({
  service: Schema.optionalKey(Schema.Struct({ url: Schema.String, apiKeys: Schema.NonEmptyArray(Schema.String) })),
  chains: Schema.NonEmptyArray(
    Schema.Struct({
      id: Chain.ChainId,
      name: Schema.String,
      kind: Chain.Family,
      rpcUrl: Schema.String,
      tokens: Schema.Array(Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })),
      contracts: Schema.Struct({ account: Schema.optionalKey(Schema.String), vault: Schema.String })
    })
  ),
  wallets: Schema.Array(Wallet),
  operators: Schema.optionalKey(
    Schema.Array(Schema.Struct({ kind: Chain.Family, role: Schema.String, address: Schema.String }))
  )
})
export type DevnetFile = typeof DevnetFile.Type

const name = join(".geoswap", "devnet.json")

/** The nearest file of a devnet, in a folder or one above it. */
const search = (folder: string): string | undefined => {
  const path = join(folder, name)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : search(above)
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(DevnetFile))

const next = "Start one with npx geoswap-devnet, or name its file: --devnet=<file>"

/** Reads the file that was named, or the nearest. */
export const readDevnet = Effect.fnUntraced(function* (named: string, folder: string) {
  const path = named === "" ? search(folder) : resolve(folder, named)
  if (path === undefined) {
    return yield* new SettingsError({ message: `There is no ${name} here or in a folder above.`, next })
  }
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) => new SettingsError({ message: `${path} cannot be read: ${reasonOf(cause)}.`, next })
  })
  // What is wrong could quote a key.
  const file = yield* Effect.mapError(
    decode(text),
    () => new SettingsError({ message: `${path} is not the file of a devnet.`, next })
  )
  return { path, file }
})
