/** Lists public networks, and compares them, or the configured chains, with nodes. */
import { type FinalityTier, type PublicNetwork, publicNetworks } from "@geoswap/deployments/networks"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type Expectations, expectConfigured, expectPublic } from "../networks/expectations.js"
import { verifyNode } from "../networks/verifyNode.js"
import { Failure, failureList } from "../output/Failure.js"
import { print, printJson } from "../output/print.js"
import { table } from "../output/table.js"
import { json, valueFlag } from "./flags.js"
import { loadConfig } from "./loadConfig.js"
import { UsageError } from "./UsageError.js"

const tierText = ({ after, upToUsd }: FinalityTier) => {
  const when = typeof after === "string" ? after : `${after.seconds} s`
  return upToUsd === undefined ? when : `$${upToUsd.toLocaleString("en-US")}: ${when}`
}

const list = Command.make(
  "list",
  { json },
  Effect.fn("networks.list")(function* ({ json }) {
    if (json) return yield* printJson({ networks: publicNetworks })
    const rows = publicNetworks.map(({ feeModel, finality, id, name, nativeSymbol, title, tokens }) => [
      name,
      title,
      `${id}`,
      nativeSymbol,
      tokens.map(({ symbol }) => symbol).join(", "),
      feeModel,
      finality.map(tierText).join(", ")
    ])
    yield* print(table([["name", "network", "chain id", "native", "tokens", "fees", "final after"], ...rows]))
  })
).pipe(Command.withDescription("List the public networks that a configuration can name"))

/** A network and the nodes to compare it with. */
interface Comparison {
  readonly expected: Expectations
  readonly urls: ReadonlyArray<string>
}

const find = (name: string): PublicNetwork | undefined => publicNetworks.find((network) => network.name === name)

const known = Effect.fnUntraced(function* (name: string) {
  const network = find(name)
  if (network !== undefined) return network
  const names = publicNetworks.map((one) => one.name).join(", ")
  return yield* new Failure({ message: `There is no public network "${name}". The names are ${names}.` })
})

/** The configured chains that name one of these networks, or all if no name is given. */
const configured = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { config } = yield* loadConfig()
  const absent = names.filter((name) => !config.chains.some(({ network }) => network === name))
  if (absent.length > 0) {
    return yield* new Failure({
      message: `No configured chain has the network ${absent.join(", ")}. To compare it with a node that is not configured: geoswap-server networks verify ${absent[0]} --rpc <url>`
    })
  }
  return config.chains
    .filter(({ network }) => names.length === 0 || (network !== undefined && names.includes(network)))
    .map((chain): Comparison => ({
      expected: expectConfigured(chain, find(chain.network ?? "")),
      urls: chain.rpcUrls
    }))
})

const verify = Command.make(
  "verify",
  {
    names: Argument.String("name").pipe(
      Argument.withDescription("Names of public networks, as shown by networks list (default: every configured chain)"),
      Argument.variadic()
    ),
    rpc: valueFlag("rpc", {
      metavar: "url",
      description: "URL of a node to compare one network with, instead of the configured nodes",
      expected: "a URL that starts with http:// or https://",
      parse: (text) => (/^https?:\/\/[^\s/?#]+/.test(text) && URL.canParse(text) ? text : undefined)
    }),
    json
  },
  Effect.fn("networks.verify")(function* ({ json, names, rpc }) {
    const networks = yield* Effect.forEach(names, known)
    const [only, ...others] = networks
    if (rpc !== undefined && (only === undefined || others.length > 0)) {
      return yield* new UsageError({ message: "With --rpc, pass the name of exactly one network." })
    }
    const comparisons =
      rpc === undefined || only === undefined
        ? yield* configured(names)
        : [{ expected: expectPublic(only), urls: [rpc] }]
    const reports = yield* Effect.forEach(
      comparisons.flatMap(({ expected, urls }) => urls.map((url) => ({ expected, url }))),
      ({ expected, url }) => Effect.map(verifyNode(expected, url), (report) => ({ expected, report })),
      { concurrency: 4 }
    )
    const problems = reports.flatMap(({ report: { network, node, problems: found } }) =>
      found.map((problem) => `${network} at ${node}: ${problem}`)
    )
    if (json) yield* printJson({ well: problems.length === 0, nodes: reports.map(({ report }) => report) })
    else {
      const matching = reports.filter(({ report }) => report.problems.length === 0)
      for (const { expected, report } of matching) {
        const { permit2, priceFeeds, tokens } = expected
        const parts = [
          `${tokens.length} tokens`,
          ...(priceFeeds.length === 0 ? [] : [`${priceFeeds.length} price feeds`]),
          ...(permit2 ? ["Permit2"] : [])
        ]
        yield* print(`${report.network} at ${report.node}: the chain, ${parts.join(", ")} match.`)
      }
    }
    if (problems.length > 0) return yield* failureList("The nodes differ from what is expected:", problems)
  })
).pipe(Command.withDescription("Compare chain ids, tokens and price feeds with nodes"))

/** Lists public networks and compares them with nodes. */
export const command = Command.make("networks").pipe(Command.withSubcommands([list, verify]))
