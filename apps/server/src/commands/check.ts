/** Checks everything that can be checked before the server starts, and lists all problems at once. */
import { Chain } from "@geoswap/core"
import { type Chains, type Config, QuorumMonitor } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Server from "../Server.js"
import { checkPage, formatPage } from "../check/checkPage.js"
import { checkStorage, formatStorage } from "../check/checkStorage.js"
import { formatWhole } from "../output/displayNames.js"
import { failureList } from "../output/Failure.js"
import { print, printJson, printNote } from "../output/print.js"
import { booleanFlag, json } from "./flags.js"
import { loadConfig, loadSecrets } from "./loadConfig.js"

/** Checks one chain and reads its relayers' gas balances. */
const checkChain = Effect.fnUntraced(
  function* (chain: Chains.Chain, symbol: string) {
    yield* chain.verify
    const below = QuorumMonitor.describe(chain, yield* chain.agreement)
    if (below !== undefined) return { problems: [below], warnings: [], gas: "" }
    const relayers = yield* Effect.forEach(
      chain.relayers,
      (relayer) =>
        Effect.map(chain.balanceOf(Chain.nativeToken[chain.family], relayer), (balance) => ({ relayer, balance })),
      { concurrency: "unbounded" }
    )
    const { problems, warnings } = yield* chain.inspect
    return {
      problems: [
        ...relayers
          .filter(({ balance }) => balance === 0n)
          .map(
            ({ relayer }) =>
              `Chain ${chain.id} (${chain.name}): the relayer ${relayer} has no ${symbol} for gas. Top it up.`
          ),
        ...problems
      ],
      warnings,
      gas: relayers
        .map(
          ({ balance, relayer }) =>
            `relayer ${relayer} with ${formatWhole(balance, Chain.nativeDecimals[chain.family])} ${symbol}`
        )
        .join(", ")
    }
  },
  (checked, chain) =>
    Effect.catchTags(checked, {
      Misconfigured: ({ problems }) => Effect.succeed({ problems, warnings: [], gas: "" }),
      ChainUnavailable: ({ message }) =>
        Effect.succeed({
          problems: [`Chain ${chain.id} (${chain.name}) could not be checked: ${message}`],
          warnings: [],
          gas: ""
        })
    })
)

/** Prices in the file do not follow the market, so callers would trade against the vaults at old prices. */
const staticPrices = ({ environment, venue }: Config.Config): ReadonlyArray<string> =>
  environment === "production" && venue.kind === "table" && !venue.allowStaticPrices
    ? [
        'venue: a price table does not follow the market, but environment is "production". Use "kind": "http", or set venue.allowStaticPrices to true if old prices cannot cause losses.'
      ]
    : []

/** Prints only the URL's host, because the rest may contain a key. */
const venueOf = ({ venue }: Config.Config) =>
  venue.kind === "table" ? "prices from the configuration" : `prices from ${new URL(venue.url).host}`

/** Checks the configuration, the secrets, the storage, the page and, unless offline, the chains. */
export const command = Command.make(
  "check",
  {
    offline: booleanFlag("offline", "Do not query the chains"),
    web: booleanFlag("web", "Check that the swap page can be served"),
    json
  },
  Effect.fn("check")(function* ({ json, offline, web }) {
    const { config, database } = yield* loadConfig(web)
    const secrets = yield* loadSecrets(config)
    const chains = offline ? undefined : yield* Server.chains(config, secrets)
    const [storage, page, found] = yield* Effect.all(
      [
        checkStorage(database),
        checkPage(config),
        Effect.forEach(
          config.chains,
          ({ id, native }) => {
            const chain = chains?.get(id)
            return chain === undefined
              ? Effect.succeed({ problems: [], warnings: [], gas: "not checked" })
              : checkChain(chain, native.symbol)
          },
          { concurrency: "unbounded" }
        )
      ],
      { concurrency: "unbounded" }
    )
    const warnings = [
      ...storage.warnings,
      ...config.chains.flatMap(QuorumMonitor.weaknesses),
      ...found.flatMap((each) => each.warnings)
    ]
    const problems = [
      ...staticPrices(config),
      ...storage.problems,
      ...page.problems,
      ...found.flatMap((each) => each.problems)
    ]
    if (json) {
      const { problems: _, ...stored } = storage
      yield* printJson({
        well: problems.length === 0,
        environment: config.environment,
        storage: stored,
        web: page.found,
        warnings,
        problems
      })
    } else if (problems.length === 0) {
      const lines = [
        `No problems found: ${config.environment}, ${venueOf(config)}.`,
        `  ${formatStorage(storage)}`,
        ...config.chains.map(
          ({ id, kind, name, tokens }, index) =>
            `  ${name} (${kind} ${id}): ${tokens.map(({ symbol }) => symbol).join(", ")}; ${found[index]?.gas}`
        )
      ]
      if (page.found !== undefined) lines.push(`  ${formatPage(page.found)}`)
      yield* print(lines.join("\n"))
    }
    for (const warning of warnings) yield* printNote(`Warning: ${warning}`)
    if (problems.length > 0) return yield* failureList("The server would not work correctly:", problems)
  })
)
