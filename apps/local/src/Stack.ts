/** The service on the chains of a devnet, for as long as a scope lasts. */
import type { Description, Devnet } from "@geoswap/devnet"
import { type DevnetConfig, DevnetServer, type Storage } from "@geoswap/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What runs where, the service included. */
export type StackDescription = Description.Description & Required<Pick<Description.Description, "service">>

/** The file of the service's configuration. */
export type ConfigFile = DevnetConfig.ConfigFile

/** A service that runs. */
export interface Stack {
  readonly description: StackDescription
  /** Where the service remembers its swaps. */
  readonly database: Storage.Database
}

/** Starts the service. It ends with the scope, and leaves nothing behind. */
export const make = Effect.fn("Stack.make")(function* (
  { description }: Pick<Devnet.Shape, "description">,
  options: DevnetServer.Options
): Effect.fn.Return<Stack, DevnetServer.DevnetServerError, Scope.Scope> {
  const { apiKeys, database, url } = yield* DevnetServer.make(description, options)
  const web = options.web === true ? { web: { url } } : {}
  return { database, description: { service: { url, apiKeys }, ...web, ...description } }
})
