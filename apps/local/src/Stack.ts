/** Runs the service on a devnet's chains until the scope closes. */
import type { Description, Devnet } from "@geoswap/devnet"
import { type DevnetConfig, DevnetServer, type Storage } from "@geoswap/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The addresses of the chains and the service. */
export type StackDescription = Description.Description & Required<Pick<Description.Description, "service">>

/** The service's configuration file. */
export type ConfigFile = DevnetConfig.ConfigFile

/** A running service. */
export interface Stack {
  readonly description: StackDescription
  /** The database that stores the swaps. */
  readonly database: Storage.Database
}

/** Starts the service. When the scope closes, the service stops and leaves nothing behind. */
export const make = Effect.fn("Stack.make")(function* (
  { description }: Pick<Devnet.Devnet, "description">,
  options: DevnetServer.Options
): Effect.fn.Return<Stack, DevnetServer.DevnetServerError, Scope.Scope> {
  const { apiKeys, database, url } = yield* DevnetServer.make(description, options)
  const web = options.web === true ? { web: { url } } : {}
  return { database, description: { service: { url, apiKeys }, ...web, ...description } }
})
