/** Parses the rules of a policy as a person writes them: `100 usdc@base/day`. Names come from the configuration. */
import { Amount, Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../../chains/Directory.js"
import { compact } from "../../compact.js"
import { usage } from "../../output/Exit.js"
import { stripControls } from "../../output/sanitize.js"
import type { AgentRules, Pair, PriceSource, TokenRef } from "../../agent/PolicyFile.js"
import { pinnedAt } from "../../agent/tokens.js"
import type { RuleFlags } from "./command.js"

const invalid = (what: string, text: string, example: string) =>
  usage(`"${stripControls(text)}" is not ${what}.`, `For example: ${example}`)

/** Resolves a pinned token. Amounts of any other token would be ambiguous. */
const pinnedToken = Effect.fnUntraced(function* (text: string) {
  const resolved = yield* Directory.resolveChainToken(text)
  const { chain, token } = resolved
  if (token.pinned) return { token, resolved, ref: { chainId: chain.id, token: token.address } }
  return yield* usage(
    `${token.address} on ${Directory.formatChain(chain)} is not pinned, so a policy cannot use it.`,
    `Pin it first: ${Directory.pinCommand(chain, token.address)}`
  )
})

/** Parses a token to pin: `usdc@base`. */
const parseToken = (text: string) =>
  Effect.map(pinnedToken(text), ({ ref, token: { address, decimals, symbol } }) => ({
    chainId: ref.chainId,
    address,
    symbol,
    decimals
  }))

/** Parses an amount of a pinned token: `100 usdc@base`. */
const parseTokenAmount = Effect.fnUntraced(function* (text: string, example: string) {
  const [amount = "", named = "", ...rest] = text.trim().split(/\s+/)
  if (amount === "" || named === "" || rest.length > 0) return yield* invalid("an amount of a token", text, example)
  const { ref, resolved } = yield* pinnedToken(named)
  return { ...ref, amount: String(yield* Directory.parseAmount(amount, resolved)) }
})

/** Parses a budget: `100 usdc@base/day`. */
export const parseBudget = Effect.fnUntraced(function* (text: string) {
  const [, amount = "", window = ""] = /^(.+)\/(hour|day|total)$/.exec(text.trim()) ?? []
  const example = "100 usdc@base/day. The window is hour, day or total."
  if (amount === "") return yield* invalid("a budget", text, example)
  return { ...(yield* parseTokenAmount(amount, example)), window: window as "hour" | "day" | "total" }
})

/** Parses a threshold: `50 usdc@base` for each swap, `50 usdc@base/day` for all swaps of a day. */
const parseThreshold = Effect.fnUntraced(function* (text: string) {
  const example = "50 usdc@base for each swap, or 50 usdc@base/day for all swaps of a day. The window is hour or day."
  const [, amount = "", window] = /^([^/]+)(?:\/(hour|day))?$/.exec(text.trim()) ?? []
  if (amount === "") return yield* invalid("a threshold", text, example)
  return {
    ...(yield* parseTokenAmount(amount, example)),
    ...(window !== undefined && { window: window as "hour" | "day" })
  }
})

const isPrice = (text: string) => Number(text) > 0 && Amount.parse(text, 30) !== undefined

/** Parses a minimum rate: `usdc@base weth@arbitrum 0.0002`. */
export const parseMinRate = Effect.fnUntraced(function* (text: string) {
  const [from = "", to = "", rate = "", ...rest] = text.trim().split(/\s+/)
  const example = "usdc@base weth@arbitrum 0.0002, for at least 0.0002 WETH per USDC."
  if (rest.length > 0 || !isPrice(rate)) {
    return yield* invalid("a minimum rate", text, example)
  }
  return { input: (yield* pinnedToken(from)).ref, output: (yield* pinnedToken(to)).ref, minRate: rate }
})

/**
 * Parses a price: `usdc@base=1`, or the address of an aggregator: `weth@arbitrum=feed:arbitrum:0x…:3600`, which is read
 * through the policy's own node.
 */
const parsePrice = Effect.fnUntraced(function* (text: string, { nodes }: AgentRules) {
  const [, named = "", source = ""] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? []
  const example = "usdc@base=1, or weth@base=feed:base:0x…:3600 for a price feed that may be 3,600 s old."
  if (named === "") return yield* invalid("a price", text, example)
  const { ref } = yield* pinnedToken(named)
  const [, feedChain = "", address = "", age = ""] =
    /^feed:([^:]+):(0x[0-9a-fA-F]{40}):([1-9]\d{0,6})$/.exec(source) ?? []
  if (feedChain === "") {
    return isPrice(source) ? { ref, price: { usd: source } } : yield* invalid("a price", text, example)
  }
  const { id, family, name, rpcUrl: configured } = yield* Directory.resolveChain(feedChain)
  const rpcUrl = nodes[String(id)] ?? configured
  if (family !== "evm" || rpcUrl === undefined) {
    return yield* usage(
      `A price feed on ${name} requires a node for that chain.`,
      `Set chains.${id}.rpcUrl in the configuration.`
    )
  }
  const price: PriceSource = { chainId: id, rpcUrl, address, maxAgeSeconds: Number(age) }
  return { ref, price }
})

/** Returns a pair for every two tokens with a price. */
const pricedPairs = Effect.fnUntraced(function* (prices: ReadonlyArray<string>, maxLossBps: number, rules: AgentRules) {
  const priced = yield* Effect.forEach(prices, (text) => parsePrice(text, rules))
  return priced.flatMap(({ price: input, ref }) =>
    priced.flatMap(({ price: output, ref: other }): ReadonlyArray<Pair> =>
      ref === other ? [] : [{ input: ref, output: other, prices: { input, output }, maxLossBps }]
    )
  )
})

/** Applies the rules in a command line to a policy. */
export const applyFlags = Effect.fnUntraced(function* (
  rules: AgentRules,
  { approveAbove, budgets, chains, maxLossBps, minRates, prices, tokens: named, ...others }: RuleFlags
) {
  const tokens = named ? yield* Effect.forEach(named, parseToken) : rules.tokens
  const fixed = minRates
    ? yield* Effect.forEach(minRates, parseMinRate)
    : rules.pairs.filter((pair) => "minRate" in pair)
  const priced = prices
    ? yield* pricedPairs(prices, maxLossBps ?? 100, rules)
    : rules.pairs.flatMap((pair) => ("prices" in pair ? [{ ...pair, maxLossBps: maxLossBps ?? pair.maxLossBps }] : []))
  const after: AgentRules = {
    ...rules,
    ...compact(others),
    chains: chains ? (yield* Effect.forEach(chains, Directory.resolveChain)).map(({ id }) => id) : rules.chains,
    tokens,
    budgets: budgets ? yield* Effect.forEach(budgets, parseBudget) : rules.budgets,
    approveAbove: approveAbove
      ? yield* Effect.forEach(approveAbove, parseThreshold)
      : rules.approveAbove.filter((threshold) => pinnedAt({ tokens }, threshold)),
    pairs: [...fixed, ...priced]
  }
  yield* checkRules(after)
  return after
})

/** Fails if rules contradict each other. Such a policy would allow less than it seems to. */
const checkRules = Effect.fnUntraced(function* (rules: AgentRules) {
  const { approveAbove, budgets, chains, deployments, pairs, recipients, tokens } = rules
  const isUnpinned = (ref: TokenRef) => pinnedAt(rules, ref) === undefined
  const add = "Add it with --token."
  if (chains.length === 0 || tokens.length === 0) {
    return yield* usage("A policy needs at least one chain and one token.", "Pass --chain and --token.")
  }
  const elsewhere = tokens.find(({ chainId }) => !chains.includes(chainId))
  if (elsewhere) {
    return yield* usage(
      `${elsewhere.symbol} is on chain ${elsewhere.chainId}, which the policy does not allow.`,
      "Add the chain with --chain, or omit the token."
    )
  }
  const unpinned = budgets.find(isUnpinned)
  if (unpinned)
    return yield* usage(`The budget for ${unpinned.token} on chain ${unpinned.chainId} has no pinned token.`, add)
  const unknown = budgets.find(({ chainId }) => deployments[String(chainId)] === undefined)
  if (unknown) {
    return yield* usage(
      `The contracts on chain ${unknown.chainId} are not pinned, so nothing can be paid there.`,
      "Pin them first: geoswap init --deployment <file>"
    )
  }
  if (approveAbove.some(isUnpinned)) {
    return yield* usage("--approve-above names a token that the policy does not pin.", add)
  }
  if (pairs.some(({ input, output }) => isUnpinned(input) || isUnpinned(output))) {
    return yield* usage("A rate or a price names a token that the policy does not pin.", add)
  }
  const invalidRecipient = recipients.find((one) => !Chain.isAddress("evm", one) && !Chain.isAddress("solana", one))
  if (invalidRecipient !== undefined) {
    return yield* usage(`"${stripControls(invalidRecipient)}" is not an address.`, "Pass addresses with --recipient.")
  }
})
