/** Handles `geoswap policy`: the limits within which an agent may use a wallet. Only a person changes them. */
import { randomUUID } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { AuthenticatedStore } from "@geoswap/core/node"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as AgentPolicy from "../../agent/AgentPolicy.js"
import { openAsPerson, walletFamily } from "../../agent/authority.js"
import { formatView } from "../../agent/formatPolicy.js"
import type { RuleFlags } from "./command.js"
import { applyFlags, parseBudget, parseMinRate } from "./parseRules.js"
import * as PolicyFile from "../../agent/PolicyFile.js"
import * as Directory from "../../chains/Directory.js"
import * as Settings from "../../config/Settings.js"
import { type Explained, Failure, failure } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import { quoteArgument } from "../../output/shellQuote.js"
import * as StateFiles from "../../swap/stateFiles.js"
import * as Prompts from "../../terminal/Prompts.js"

/** Asks for one value per line, until the answer is empty. */
const askList = <E extends Explained, R>(message: string, parse: (text: string) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const values: Array<string> = []
    for (;;) {
      const text = yield* Prompts.untilValid(
        Effect.gen(function* () {
          const typed = (yield* Prompts.text(`${message} (empty: done)`, "Pass the rule as a flag.")).trim()
          if (typed !== "") yield* parse(typed)
          return typed
        })
      )
      if (text === "") return values
      values.push(text)
    }
  })

const split = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "")

/** Asks for the rules that the flags omit. The answers are checked with the flags. */
const askRules = Effect.fnUntraced(function* (defaults: PolicyFile.AgentRules, flags: RuleFlags) {
  const { chains } = yield* Directory.Directory
  const nameOf = (id: number) => chains.find((chain) => chain.id === id)?.name ?? String(id)
  const askText = (message: string, initial: ReadonlyArray<string>) =>
    Effect.map(Prompts.text(message, "Pass the rule as a flag.", initial.join(", ")), split)
  const namesOf = (id: number) => nameOf(id).toLowerCase().replaceAll(/\s+/g, "-")
  const allowed = flags.chains ?? (yield* askText("Chains that may be used", defaults.chains.map(namesOf)))
  const ids = (yield* Effect.forEach(allowed, Directory.resolveChain)).map(({ id }) => id)
  const pinned = defaults.tokens
    .filter(({ chainId }) => ids.includes(chainId))
    .map(({ chainId, symbol }) => `${symbol.toLowerCase()}@${namesOf(chainId)}`)
  return {
    ...flags,
    chains: allowed,
    tokens: flags.tokens ?? (yield* askText("Tokens that may be paid or received", pinned)),
    recipients: flags.recipients ?? (yield* askText("Addresses that may receive the output", defaults.recipients)),
    budgets: flags.budgets ?? (yield* askList("Budget, such as 100 usdc@base/day", parseBudget)),
    minRates:
      flags.minRates ??
      (flags.prices ? undefined : yield* askList("Minimum rate, such as usdc@base weth@arbitrum 0.0002", parseMinRate))
  }
})

/** The rules of a new policy: everything that the configuration pins, with no budget. */
const defaultRules = Effect.fnUntraced(function* (wallet: PolicyFile.AgentRules["wallet"], paths: PolicyFile.Paths) {
  const { chains, deployments, policy, url } = yield* Settings.Settings
  const { chains: known } = yield* Directory.Directory
  if (url === undefined) {
    return yield* failure("No service is configured.", "Run geoswap init first.")
  }
  const ids = known.map(({ id }) => id).filter((id) => deployments[id] !== undefined)
  const rules: PolicyFile.AgentRules = {
    version: 1,
    revision: 1,
    wallet,
    store: { path: paths.store, id: randomUUID() },
    service: url,
    deployments,
    nodes: Object.fromEntries(chains.flatMap(({ id, rpcUrl }) => (rpcUrl === undefined ? [] : [[id, rpcUrl]]))),
    chains: ids,
    tokens: known
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, tokens }) =>
        tokens.map(({ address, decimals, symbol }) => ({ chainId: id, address, symbol, decimals }))
      ),
    recipients: [wallet.address],
    budgets: [],
    approveAbove: [],
    maxSlippageBps: 500,
    maxFeeBps: 50,
    maxTotalCostBps: 300,
    maxSwapsPerHour: 10,
    ...(policy.maxLifetimeSeconds !== undefined && { maxLifetimeSeconds: policy.maxLifetimeSeconds }),
    pairs: [],
    approvalSeconds: 900,
    elicitation: false,
    acceptClaims: false
  }
  return rules
})

const showWallet = Effect.fnUntraced(function* (wallet: AgentPolicy.WalletPolicy, ...lines: ReadonlyArray<string>) {
  const view = yield* AgentPolicy.viewOf(wallet)
  yield* Output.result({ policy: view, path: wallet.paths.policy }, (style) =>
    [formatView(view, style), ...lines].join("\n")
  )
})

/** Fails if the wallet has an unfinished swap, which would then be in the wrong store or in none. */
const requireFinished = Effect.fnUntraced(function* (address: string) {
  const [flow] = yield* (yield* StateFiles.make).ofWallet(address)
  if (flow === undefined) return
  return yield* failure(
    `The swap ${flow.id} of this wallet is unfinished. Nothing was changed.`,
    `Run geoswap resume ${quoteArgument(flow.id)} first.`
  )
})

/** Creates the policy of a wallet, and its store. */
export const init = Effect.fnUntraced(function* (flags: RuleFlags) {
  const opened = yield* openAsPerson("Creating a policy")
  const { address, family, macKeys } = opened
  const wallet = yield* AgentPolicy.makeWallet(opened)
  const { paths } = wallet
  if (existsSync(paths.policy)) {
    return yield* failure(
      `${address} already has a policy: ${paths.policy}.`,
      "Change it with geoswap policy edit, or remove it with geoswap policy remove."
    )
  }
  yield* requireFinished(address)
  const defaults = yield* defaultRules({ family, address }, paths)
  const rules = yield* Prompts.untilValid(
    Effect.flatMap(askRules(defaults, flags), (asked) => applyFlags(defaults, asked))
  )
  if (existsSync(paths.storeFolder)) {
    yield* Output.notice(`${paths.storeFolder} belongs to a policy that was deleted. It is replaced.`)
    rmSync(paths.storeFolder, { recursive: true })
  }
  const { id, path } = rules.store
  yield* AuthenticatedStore.create(path, { id, key: Redacted.value(macKeys.store) })
  yield* PolicyFile.write(paths, rules, macKeys)
  yield* showWallet(wallet, `Wrote ${paths.policy}.`)
}, Effect.provide(Session.offline))

/** Changes single rules of a policy. */
export const edit = Effect.fnUntraced(function* (flags: RuleFlags) {
  const opened = yield* openAsPerson("Changing a policy")
  const wallet = yield* AgentPolicy.makeWallet(opened)
  const { rules } = yield* wallet.verified
  if (Object.values(flags).every((value) => value === undefined)) {
    return yield* new Failure({ message: "Nothing to change.", next: "Pass a rule, such as --budget.", exitCode: 64 })
  }
  // Amounts are parsed with the decimals in the configuration, which anyone who can write it could have changed.
  yield* AgentPolicy.checkSettings(rules)
  const after = yield* applyFlags(rules, flags)
  yield* PolicyFile.write(wallet.paths, { ...after, revision: rules.revision + 1 }, opened.macKeys)
  yield* showWallet(wallet, `Changed ${wallet.paths.policy}.`)
}, Effect.provide(Session.offline))

/** Shows a policy and what is left of it. */
export const show = () =>
  Effect.provide(
    Effect.flatMap(walletFamily, (family) => Effect.flatMap(AgentPolicy.open(family), showWallet)),
    Settings.layer
  )

/** Removes a policy and its store. */
export const remove = Effect.fnUntraced(function* () {
  const opened = yield* openAsPerson("Removing a policy")
  const paths = yield* PolicyFile.pathsOf(opened.source, opened.address)
  if (!PolicyFile.exists(paths)) {
    return yield* failure(`${opened.address} has no policy.`, "There is nothing to remove.")
  }
  yield* requireFinished(opened.address)
  rmSync(paths.policy, { force: true })
  rmSync(paths.storeFolder, { recursive: true, force: true })
  yield* Output.result({ wallet: opened.address, removed: paths.policy }, () =>
    [`Removed ${paths.policy} and its store.`, "Agents can sign nothing now. Your own commands have no limits."].join(
      "\n"
    )
  )
}, Effect.provide(Settings.layer))
