/** Checks everything that can be checked before the server starts, and lists all problems at once. */
import { Chain } from "@geoswap/core"
import { type Chains, type Config, QuorumMonitor } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Server from "../Server.js"
import { checkPage, formatPage } from "../check/checkPage.js"
import { loadConfig, loadSecrets } from "../config/loadConfig.js"
import { formatWhole } from "../output/displayNames.js"
import { failureList } from "../output/Failure.js"
import { print, printJson, printNote } from "../output/print.js"
import { checkStorage, formatStorage } from "../check/checkStorage.js"

type Problems = ReadonlyArray<string>

interface Flags {
  readonly offline: boolean
  readonly web: boolean
  readonly json: boolean
}

/** Checks one chain and reads its relayers' gas balances. */
const checkChain = Effect.fnUntraced(function* (chain: Chains.Chain, symbol: string) {
  const where = `Chain ${chain.id} (${chain.name})`
  const problems = yield* chain.verify.pipe(
    Effect.as<Problems>([]),
    Effect.catchTags({
      Misconfigured: (error) => Effect.succeed(error.problems),
      ChainUnavailable: ({ message }) => Effect.succeed([`${where} could not be checked: ${message}`])
    })
  )
  if (problems.length > 0) return { problems, gas: "" }
  const below = QuorumMonitor.describe(chain, yield* chain.agreement)
  if (below !== undefined) return { problems: [below], gas: "" }
  const readGas = (relayer: string) =>
    Effect.map(chain.balanceOf(Chain.nativeToken[chain.family], relayer), (balance) => ({ relayer, balance }))
  return yield* Effect.match(Effect.forEach(chain.relayers, readGas, { concurrency: "unbounded" }), {
    onFailure: ({ message }) => ({ problems: [`${where} could not be checked: ${message}`], gas: "" }),
    onSuccess: (relayers) => ({
      problems: relayers
        .filter(({ balance }) => balance === 0n)
        .map(({ relayer }) => `${where}: the relayer ${relayer} has no ${symbol} for gas. Top it up.`),
      gas: relayers
        .map(
          ({ balance, relayer }) =>
            `relayer ${relayer} with ${formatWhole(balance, Chain.nativeDecimals[chain.family])} ${symbol}`
        )
        .join(", ")
    })
  })
})

/** Prints only the URL's host, because the rest may contain a key. */
const venueOf = ({ venue }: Config.Config) =>
  venue.kind === "table" ? "prices from the configuration" : `prices from ${new URL(venue.url).host}`

/** Checks the configuration, the secrets, the storage, the page and, unless offline, the chains. */
export const check = Effect.fn("check")(function* (flags: Flags, configFile?: string) {
  const { config, database } = yield* loadConfig(configFile, flags.web)
  const secrets = yield* loadSecrets(config)
  const chains = flags.offline ? new Map<number, Chains.Chain>() : yield* Server.chains(config, secrets)
  const [storage, page, found] = yield* Effect.all(
    [
      checkStorage(database),
      checkPage(config),
      Effect.forEach(
        config.chains,
        ({ id, native }) => {
          const chain = chains.get(id)
          return chain === undefined
            ? Effect.succeed({ problems: [], gas: "not checked" })
            : checkChain(chain, native.symbol)
        },
        { concurrency: "unbounded" }
      )
    ],
    { concurrency: "unbounded" }
  )
  const warnings = [...storage.warnings, ...config.chains.flatMap(QuorumMonitor.weaknesses)]
  const problems = [...storage.problems, ...page.problems, ...found.flatMap((each) => each.problems)]
  if (flags.json) {
    const { problems: _, ...stored } = storage
    const { environment } = config
    yield* printJson({
      well: problems.length === 0,
      environment,
      storage: stored,
      ...(page.found !== undefined && { web: page.found }),
      warnings,
      problems
    })
  } else if (problems.length === 0) {
    const lines = config.chains.map(
      ({ id, kind, name, tokens }, index) =>
        `  ${name} (${kind} ${id}): ${tokens.map(({ symbol }) => symbol).join(", ")}; ${found[index]?.gas}`
    )
    yield* print(
      [
        `No problems found: ${config.environment}, ${venueOf(config)}.`,
        `  ${formatStorage(storage)}`,
        ...lines,
        ...(page.found === undefined ? [] : [`  ${formatPage(page.found)}`])
      ].join("\n")
    )
  }
  for (const warning of warnings) yield* printNote(`Warning: ${warning}`)
  if (problems.length > 0) return yield* failureList("The server would not work correctly:", problems)
})
