/** `geoswap-server check`: everything that can be known before a start, all mistakes at once. */
import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
import { Amount, Chain } from "@geoswap/core"
import type { Chains, Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Postgres from "../Postgres.js"
import * as Server from "../Server.js"
import type * as Storage from "../Storage.js"
import type { Flags } from "./line.js"
import { failWith, load, loadSecrets, say } from "./setting.js"

type Problems = ReadonlyArray<string>

const nativeDecimals = { evm: 18, solana: 9 } as const

/** What is wrong with a chain, and what pays for gas there. */
const ask = Effect.fnUntraced(function* (chain: Chains.Chain, symbol: string) {
  const where = `Chain ${chain.id} (${chain.name})`
  const problems = yield* chain.verify.pipe(
    Effect.as<Problems>([]),
    Effect.catchTags({
      Misconfigured: (error) => Effect.succeed(error.problems),
      ChainUnavailable: ({ message }) => Effect.succeed([`${where} cannot be checked: ${message}`])
    })
  )
  if (problems.length > 0) return { problems, gas: "" }
  return yield* Effect.match(chain.balanceOf(Chain.nativeToken[chain.family], chain.relayer), {
    onFailure: ({ message }) => ({ problems: [`${where} cannot be checked: ${message}`], gas: "" }),
    onSuccess: (balance) => ({
      problems: balance > 0n ? [] : [`${where}: the relayer ${chain.relayer} has no ${symbol} to pay for gas with.`],
      gas: `relayer ${chain.relayer} with ${Amount.format(balance, nativeDecimals[chain.family])} ${symbol}`
    })
  })
})

const folderProblems = (path: string): Problems => {
  try {
    accessSync(dirname(path), constants.W_OK)
    return []
  } catch {
    return [`The database ${path} cannot be made: check that its folder exists, and that this user may write there.`]
  }
}

/** Whether the database could be used. Nothing is made or changed there. */
const databaseProblems = (database: Storage.Database): Effect.Effect<Problems> =>
  database.kind === "sqlite"
    ? Effect.sync(() => folderProblems(database.path))
    : Effect.scoped(Layer.build(Postgres.layer(database))).pipe(
        Effect.as<Problems>([]),
        Effect.catch(({ message }) => Effect.succeed([message]))
      )

/** Of an address no more than the host: the rest may hold a key. */
const venueOf = ({ venue }: Config.Config): string =>
  venue.kind === "table" ? "prices from the file" : `prices from ${new URL(venue.url).host}`

/** Checks the file, the secrets and, unless told not to, what is on the chains. */
export const check = Effect.fn("check")(function* ({ config: file, offline }: Pick<Flags, "config" | "offline">) {
  const { config, database } = yield* load(file)
  const secrets = yield* loadSecrets(config)
  const chains = offline === true ? new Map<number, Chains.Chain>() : yield* Server.chains(config, secrets)
  const found = yield* Effect.forEach(
    config.chains,
    ({ id, native }) => {
      const chain = chains.get(id)
      return chain === undefined ? Effect.succeed({ problems: [], gas: "not asked" }) : ask(chain, native.symbol)
    },
    { concurrency: "unbounded" }
  )
  const problems = [...(yield* databaseProblems(database)), ...found.flatMap((each) => each.problems)]
  if (problems.length > 0) return yield* failWith("The server would not run well:", problems)
  const lines = config.chains.map(
    ({ id, kind, name, tokens }, index) =>
      `  ${name} (${kind} ${id}): ${tokens.map(({ symbol }) => symbol).join(", ")}; ${found[index]?.gas}`
  )
  yield* say([`All is well: ${config.environment}, ${venueOf(config)}.`, ...lines].join("\n"))
})
