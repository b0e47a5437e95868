/** Shows what the vaults hold, how much of it is reserved, the relayers' gas balances, and what they have pending. */
import { Amount, Chain } from "@geoswap/core"
import type { Chains, Config, LaneStore, Store } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type VaultUses, countVaultUses } from "../inventory/vaultUse.js"
import { addressKey, decimalOf, formatWhole, shortenAddress, tokensOf } from "../output/displayNames.js"
import { failureList } from "../output/Failure.js"
import { formatDecimal } from "../output/numbers.js"
import { print, printJson } from "../output/print.js"
import { table } from "../output/table.js"
import { json, matching, requiredFlag } from "./flags.js"
import { openChains } from "./openStore.js"

/** A token. Without a symbol and decimals if it is no longer configured. */
interface Token {
  readonly address: string
  readonly symbol: string | null
  readonly decimals: number | null
}

/** Formats an amount in tokens, or in the smallest unit if the token is no longer configured. */
const formatAmount = ({ decimals }: Token, amount: bigint) => formatWhole(amount, decimals ?? 0)

const nameOf = ({ address, symbol }: Token) => symbol ?? shortenAddress(address)

/** What the database has about all chains. */
interface Stored {
  readonly store: Store.Store
  readonly reserved: ReadonlyArray<Store.Reserved>
  readonly lanes: ReadonlyArray<LaneStore.Lane>
  readonly uses: VaultUses
}

/** The relayer's balance. `left` is negative if the balance does not cover all of the pending transactions. */
const readRelayer = Effect.fnUntraced(function* ({ lanes, store }: Stored, chain: Chains.Chain, address: string) {
  const gas = yield* chain.balanceOf(Chain.nativeToken[chain.family], address)
  const lane = lanes.find(({ chainId, relayer }) => chainId === chain.id && relayer === addressKey(address))
  const pendingCost = lane?.pendingCost ?? 0n
  return {
    address,
    gas,
    pendingCost,
    left: gas - pendingCost,
    nextNonce: chain.family === "evm" ? yield* store.nextNonce(chain.id, address) : null,
    chainNonce: chain.family === "evm" ? yield* chain.relayerNonce(address) : null
  }
})

/** Reads the balances on a chain. */
const readChain = Effect.fnUntraced(function* (
  chain: Chains.Chain,
  config: Config.Config["chains"][number],
  stored: Stored
) {
  const held = (vault: string, tokens: ReadonlyArray<Token>) =>
    Effect.forEach(
      tokens,
      ({ address, decimals, symbol }) =>
        Effect.map(chain.balanceOf(address, vault), (amount) => ({ address, symbol, decimals, vault: amount })),
      { concurrency: "unbounded" }
    )
  // Of the first vault. Older vaults deliver nothing, and hold what they owe.
  const reservations = new Map<string, bigint>()
  for (const { amount, chainId, token, vault } of stored.reserved) {
    if (chainId !== chain.id || vault !== addressKey(chain.vault)) continue
    reservations.set(token, (reservations.get(token) ?? 0n) + amount)
  }
  const listed = tokensOf(config)
  const known = new Set(listed.map(({ address }) => addressKey(address)))
  const unconfigured = [...reservations.keys()]
    .filter((token) => !known.has(token))
    .map((address) => ({ address, symbol: null, decimals: null }))
  const tokens = (yield* held(chain.vault, [...listed, ...unconfigured])).map((token) => {
    const promised = reservations.get(addressKey(token.address)) ?? 0n
    return { ...token, promised, free: token.vault - promised }
  })
  const olderVaults = yield* Effect.forEach(
    chain.vaults.slice(1),
    (address) =>
      Effect.map(held(address, listed), (tokens) => ({ address, openSwaps: stored.uses(chain.id, address), tokens })),
    { concurrency: "unbounded" }
  )
  const relayers = yield* Effect.forEach(chain.relayers, (relayer) => readRelayer(stored, chain, relayer), {
    concurrency: "unbounded"
  })
  return { tokens, olderVaults, relayers }
})

type Answer = Effect.Success<ReturnType<typeof readChain>>

interface Flags {
  /** The minimum gas balance, in whole native tokens. */
  readonly minGas: string
  readonly json: boolean
}

/** The problems on a chain. In JSON, they do not depend on the locale. */
const problemsOf = (chain: Chains.Chain, symbol: string, { relayers, tokens }: Answer, { json, minGas }: Flags) => {
  const where = `Chain ${chain.id} (${chain.name})`
  const native = Chain.nativeDecimals[chain.family]
  const format = json ? decimalOf : formatWhole
  const least = Amount.parse(minGas, native) ?? 0n
  const short = tokens
    .filter(({ free }) => free < 0n)
    .map((token) => {
      const [missing, promised] = [-token.free, token.promised].map((amount) => format(amount, token.decimals ?? 0))
      return `${where}: ${promised} ${nameOf(token)} is reserved, but the vault is short by ${missing}. Send that amount to the vault, or swaps will be refunded.`
    })
  const poor = relayers
    .filter(({ gas }) => gas === 0n || gas < least)
    .map(({ address, gas }) => {
      const has =
        gas === 0n
          ? `no ${symbol} for gas`
          : `${format(gas, native)} ${symbol} for gas, which is less than ${json ? minGas : formatDecimal(minGas)}`
      return `${where}: the relayer ${address} has ${has}. Top it up.`
    })
  return [...short, ...poor]
}

const textOf = (chain: Chains.Chain, native: string, answer: Answer | undefined) => {
  const title = `${chain.name} (${chain.family} ${chain.id}), vault ${chain.vault}`
  if (answer === undefined) return `${title}\n  could not be read`
  const rows = answer.tokens.map((token) => [
    `  ${nameOf(token)}`,
    ...[token.vault, token.promised, token.free].map((amount) => formatAmount(token, amount))
  ])
  const inNative = (amount: bigint) => `${formatWhole(amount, Chain.nativeDecimals[chain.family])} ${native}`
  return [
    title,
    table([["  token", "in the vault", "reserved", "free"], ...rows]),
    ...answer.olderVaults.map(({ address, openSwaps, tokens }) => {
      const held = tokens
        .filter(({ vault }) => vault > 0n)
        .map((one) => `${formatAmount(one, one.vault)} ${nameOf(one)}`)
      const swaps = openSwaps === 1 ? "1 open swap uses it" : `${openSwaps} open swaps use it`
      return `  older vault ${address} with ${held.join(", ") || "nothing"}; ${swaps}`
    }),
    ...answer.relayers.map(({ address, chainNonce, gas, left, nextNonce, pendingCost }) => {
      const pending =
        pendingCost === 0n
          ? ""
          : `, of which pending transactions may cost ${inNative(pendingCost)} and leave ${inNative(left)}`
      const nonces =
        nextNonce === null ? "" : `; next nonce: ${nextNonce} in the database, ${chainNonce} final on chain`
      return `  relayer ${address} with ${inNative(gas)} for gas${pending}${nonces}`
    })
  ].join("\n")
}

const unread = { gas: null, pendingCost: null, left: null, nextNonce: null, chainNonce: null }

const jsonOf = (chain: Chains.Chain, answer: Answer | undefined) => {
  const relayers = answer?.relayers ?? chain.relayers.map((address) => ({ address, ...unread }))
  return {
    id: chain.id,
    name: chain.name,
    kind: chain.family,
    answered: answer !== undefined,
    vault: chain.vault,
    /** The first of `relayers`. */
    relayer: relayers[0],
    relayers,
    tokens: answer?.tokens ?? [],
    olderVaults: answer?.olderVaults ?? []
  }
}

/** Prints the inventory, and fails if there are problems. */
export const command = Command.make(
  "inventory",
  {
    minGas: requiredFlag("min-gas", {
      metavar: "amount",
      description: "Report relayers that hold less than this amount of the native token (default: 0)",
      default: "0",
      expected: "an amount in whole native tokens with at most 9 decimal places, such as 0.05",
      parse: matching(/^\d{1,20}(\.\d{1,9})?$/)
    }),
    json
  },
  Effect.fn("inventory")(function* (flags) {
    const { chains, config, store } = yield* openChains
    const reserved = [...(yield* store.reserved), ...(yield* store.owed)]
    const stored = { store, reserved, lanes: yield* store.lanes.all, uses: yield* countVaultUses(store, chains) }
    const all = yield* Effect.forEach(
      config.chains.flatMap((settings) => {
        const chain = chains.get(settings.id)
        return chain === undefined ? [] : [{ chain, settings }]
      }),
      ({ chain, settings }) => {
        const { symbol } = settings.native
        return Effect.match(readChain(chain, settings, stored), {
          onSuccess: (answer) => ({ chain, symbol, answer, problems: problemsOf(chain, symbol, answer, flags) }),
          onFailure: ({ message }) => {
            const problem = `Chain ${chain.id} (${chain.name}) could not be read: ${message}`
            return { chain, symbol, answer: undefined, problems: [problem] }
          }
        })
      },
      { concurrency: "unbounded" }
    )
    const unconfiguredChains = new Set(reserved.map(({ chainId }) => chainId).filter((chainId) => !chains.has(chainId)))
    const problems = [
      ...all.flatMap((each) => each.problems),
      ...Array.from(
        unconfiguredChains,
        (chainId) => `Chain ${chainId} has reserved tokens but is not configured. Add it to the configuration.`
      )
    ]
    yield* flags.json
      ? printJson({ chains: all.map(({ answer, chain }) => jsonOf(chain, answer)), problems })
      : print(all.map(({ answer, chain, symbol }) => textOf(chain, symbol, answer)).join("\n\n"))
    if (problems.length > 0) return yield* failureList("The inventory has problems:", problems)
  }, Effect.scoped)
)
